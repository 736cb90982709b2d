import { CancellationError, unlessAborted } from '../../base/lifetime/cancellation.ts';
import { DisposableStore, type Disposable } from '../../base/lifetime/disposable.ts';
import { Emitter } from '../../base/lifetime/event.ts';
import { HostError } from '../errors/hostError.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Catalogue } from './lists/catalogue.ts';
import type { Session } from './session.ts';
import type { ConnectionState } from '../state/connectionState.ts';

/** The session that one server has now, and the wait for the one that replaces it. */
export class CurrentSession implements Disposable {
  readonly #lifecycle: Pick<Lifecycle, 'state' | 'onDidChangeState'>;
  readonly #onDidList = new Emitter<Session>();
  #session: Session | undefined;
  #catalogue: Catalogue | undefined;
  /** The same session, once it has listed what the server offers. */
  #listed: Session | undefined;
  /** Whether a session that the server had forgotten is being replaced. */
  #isRenewing = false;

  constructor(lifecycle: Pick<Lifecycle, 'state' | 'onDidChangeState'>) {
    this.#lifecycle = lifecycle;
  }

  get session(): Session | undefined {
    return this.#session;
  }

  /** What the server offers; undefined while it does not run. */
  get catalogue(): Catalogue | undefined {
    return this.#catalogue;
  }

  begins(session: Session, catalogue: Catalogue): void {
    this.#session = session;
    this.#catalogue = catalogue;
  }

  /** Call when the session has listed what the server offers. */
  hasListed(session: Session): void {
    this.#isRenewing = false;
    this.#listed = session;
    this.#onDidList.fire(session);
  }

  /** Call when the session has ended or could not begin; another one follows if the server has forgotten it. */
  ended(isForgotten: boolean): void {
    this.#isRenewing = isForgotten;
    this.#session = undefined;
    this.#listed = undefined;
    this.#catalogue = undefined;
  }

  /**
   * The next session after `previous` that has listed what the server offers.
   *
   * @throws HostError when the server does not restart automatically; CancellationError when the signal aborted.
   */
  async after(previous: object | undefined, signal: AbortSignal): Promise<Session> {
    const next = Promise.withResolvers<Session>();
    const store = new DisposableStore();
    store.add(
      this.#onDidList.event((session) => {
        if (session !== previous && !session.hasEnded) {
          next.resolve(session);
        }
      }),
    );
    const giveUp = (state: ConnectionState): void => {
      switch (state.kind) {
        case 'failed':
        case 'forbidden':
        case 'signInRequired':
          next.reject(state.reason);
          break;
        case 'stopping':
        case 'stopped':
        case 'disabled':
        case 'restricted':
        case 'awaitingApproval':
        case 'denied':
          next.reject(new HostError('lost', 'the server was stopped'));
          break;
        default:
      }
    };
    store.add(this.#lifecycle.onDidChangeState(giveUp));
    giveUp(this.#lifecycle.state);
    if (this.#listed !== previous && this.#listed?.hasEnded === false) {
      next.resolve(this.#listed);
    }
    try {
      return await unlessAborted(next.promise, signal);
    } finally {
      store.dispose();
    }
  }

  /**
   * Waits while a session that the server has forgotten is being replaced, whether or not that succeeds.
   *
   * @throws CancellationError when the signal aborted.
   */
  async renewed(signal: AbortSignal): Promise<void> {
    const forgotten = this.#session?.isForgotten ? this.#session : undefined;
    if (this.#isRenewing || forgotten) {
      await this.after(forgotten, signal).catch((error: unknown) => {
        if (error instanceof CancellationError) {
          throw error;
        }
      });
    }
  }

  dispose(): void {
    this.#onDidList.dispose();
  }
}
