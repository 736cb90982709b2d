import { setTimeout as delay } from 'node:timers/promises';
import { CancellationError } from '../../base/lifetime/cancellation.ts';
import { Emitter } from '../../base/lifetime/event.ts';
import type { Logger } from '../../base/logging/logger.ts';
import { fullText, HostError, messageOf } from '../errors/hostError.ts';
import { backoffMs, type BackoffPolicy } from './failures/backoff.ts';
import { isWorthRetrying } from './failures/failureWord.ts';
import {
  isActive,
  withSignIn,
  type ConnectionState,
  type IdleState,
  type SignInState,
} from '../state/connectionState.ts';
import { RepeatedExits } from './failures/repeatedExits.ts';
import { stateWords } from './stateWords.ts';

/** One process or connection, from its start to its end. */
export interface OneRun {
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Call when the server reaches a state. */
  readonly reached: (state: Extract<ConnectionState, { kind: 'starting' | 'running' }>) => void;
  /** Call when the start is complete. */
  readonly settled: () => void;
}

interface LifecycleContext {
  readonly logger: Logger;
  readonly backoff: BackoffPolicy;
  /** Runs the server once; returns the failure that ended it, or undefined when the signal did. */
  runOnce(run: OneRun): Promise<HostError | undefined>;
}

/** The time from a start to the stop that ends it, with all tries in between. */
interface Run {
  readonly abort: AbortController;
  /** Settles with the first try. */
  readonly firstTry: Promise<void>;
  readonly done: Promise<void>;
  /** Ends the wait of a back-off. */
  hurry: () => void;
}

/** Starts, stops and restarts one server: `starting → running → (backingOff → starting …) → failed | signInRequired | stopped`. */
export class Lifecycle {
  readonly #onDidChangeState = new Emitter<ConnectionState>();
  readonly onDidChangeState = this.#onDidChangeState.event;
  readonly #context: LifecycleContext;
  #state: ConnectionState = { kind: 'stopped' };
  #run: Run | undefined;
  /** How often the server was stopped: a stop cancels a start that waits. */
  #stops = 0;
  #isClosed = false;

  constructor(context: LifecycleContext) {
    this.#context = context;
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** Sets the reason why this server does not run; ignored if it runs. */
  hold(state: IdleState): void {
    if (!this.#run) {
      this.#enter(state, false);
    }
  }

  /** Sets where the sign-in of this server is; ignored while it is stopped, or may not run. */
  setSignIn(signIn: SignInState | undefined): void {
    const state = withSignIn(this.#state, signIn);
    if (state !== this.#state) {
      this.#setState(state, false);
    }
  }

  /** See `ServerConnection.start`. */
  async start(): Promise<void> {
    const stops = this.#stops;
    for (let run = this.#run; run; run = this.#run) {
      if (!run.abort.signal.aborted) {
        if (this.#state.kind !== 'backingOff') {
          return run.firstTry;
        }
        this.#end(run);
      }
      await run.done;
      if (stops !== this.#stops) {
        throw new CancellationError();
      }
    }
    if (this.#isClosed) {
      throw new HostError('notRunning', 'the server was removed');
    }
    this.#run = this.#startRun();
    return this.#run.firstTry;
  }

  /** See `ServerConnection.stop`. */
  async stop(): Promise<void> {
    this.#stops += 1;
    const run = this.#run;
    if (run) {
      this.#end(run);
      await run.done;
    } else {
      this.#enter({ kind: 'stopped' });
    }
  }

  /** @throws as `start`; CancellationError when it was stopped in the meantime. */
  async restart(start: () => Promise<void>): Promise<void> {
    const stopped = this.stop();
    const stops = this.#stops;
    await stopped;
    if (stops !== this.#stops) {
      throw new CancellationError();
    }
    await start();
  }

  /** Stops the server for good. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.stop();
    this.#onDidChangeState.dispose();
  }

  #end({ abort, hurry }: Run): void {
    if (!abort.signal.aborted) {
      this.#enter({ kind: 'stopping' });
      abort.abort();
      hurry();
    }
  }

  #startRun(): Run {
    const abort = new AbortController();
    const settled = Promise.withResolvers<void>();
    // Not every start has a caller who waits for it; the state shows its failure.
    settled.promise.catch(() => {});
    const run: Run = {
      abort,
      firstTry: settled.promise,
      hurry: () => {},
      done: this.#keepRunning(abort.signal, settled, (hurry) => {
        run.hurry = hurry;
      })
        .catch((error: unknown) => {
          this.#context.logger.log('error', `Failed: ${messageOf(error)}`);
          return new HostError('protocol', messageOf(error), { cause: error });
        })
        .then((failure) => {
          // A listener of the state may start again.
          this.#run = undefined;
          if (abort.signal.aborted || !failure) {
            settled.reject(new CancellationError());
            this.#enter({ kind: 'stopped' });
          } else {
            settled.reject(failure);
            this.#enter(
              failure.code === 'signInRequired'
                ? { kind: 'signInRequired', reason: failure }
                : { kind: 'failed', reason: failure },
            );
          }
        }),
    };
    return run;
  }

  /** Restarts the server until it is stopped, or until another try is pointless: returns why. */
  async #keepRunning(
    signal: AbortSignal,
    firstTry: PromiseWithResolvers<void>,
    onWait: (hurry: () => void) => void,
  ): Promise<HostError | undefined> {
    const { backoff, logger } = this.#context;
    const exits = new RepeatedExits();
    for (let attempt = 0; ;) {
      const startedAt = Date.now();
      const failure = await this.#context.runOnce({
        signal,
        reached: (state) => {
          if (state.kind === 'running') {
            exits.reset();
          }
          this.#enter(state);
        },
        settled: () => firstTry.resolve(),
      });
      if (signal.aborted || !failure) {
        return undefined;
      }
      firstTry.reject(failure);
      const ranMs = Date.now() - startedAt;
      if (ranMs >= backoff.stableMs) {
        attempt = 0;
      }
      if (failure.code === 'sessionLost' && attempt === 0 && ranMs >= backoff.firstMs) {
        // The server is available, but requires a new session (2025-03-26, basic/transports, session management).
        logger.log('info', `Connecting again: ${failure.message}`);
        continue;
      }
      if (failure.code === 'signInRequired') {
        return failure;
      }
      // Indented, what a server wrote cannot look like a line of ours.
      logger.log('error', `Failed: ${fullText(failure).replaceAll('\n', '\n    ')}`);
      const repeated = exits.add(failure);
      if (repeated) {
        logger.log(
          'info',
          'It ended the same way three times in a row, so it does not restart automatically.',
        );
        return repeated;
      }
      if (attempt >= backoff.tries || !isWorthRetrying(failure)) {
        return failure;
      }
      const wait = backoffMs(backoff, attempt);
      attempt += 1;
      this.#enter({ kind: 'backingOff', reason: failure, attempt, until: Date.now() + wait });
      const hurried = new AbortController();
      onWait(() => hurried.abort());
      await delay(wait, undefined, { signal: hurried.signal }).catch(() => {});
      if (signal.aborted) {
        return undefined;
      }
    }
  }

  #enter(state: ConnectionState, isLogged = true): void {
    this.#setState(withSignIn(state, this.#state.signIn), isLogged);
  }

  /** A log is created with its first line, and a server that nobody has started needs none. */
  #setState(state: ConnectionState, isLogged: boolean): void {
    if (this.#state.kind === state.kind && !isActive(state) && !('reason' in state)) {
      return;
    }
    this.#state = state;
    const { logged } = stateWords(state);
    if (isLogged && logged !== undefined) {
      this.#context.logger.log('info', logged);
    }
    this.#onDidChangeState.fire(state);
  }
}
