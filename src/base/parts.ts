import { DisposableStore, type Disposable } from './disposable.ts';
import { Emitter } from './event.ts';
import type { Logger } from './logger.ts';

/** A part that could not be registered. */
export interface MissingPart {
  /** In the person's words: 'Agent mode'. */
  readonly name: string;
  /** In one line. */
  readonly reason: string;
}

/** Registers the parts of a whole. One that fails is written down and left out, and the rest goes on. */
export class Parts implements Disposable {
  readonly #logger: Logger;
  readonly #store = new DisposableStore();
  readonly #onDidChange = this.#store.add(new Emitter<void>());
  readonly onDidChange = this.#onDidChange.event;
  #missing: readonly MissingPart[] = [];

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** The parts that failed, in the order in which they did. */
  get missing(): readonly MissingPart[] {
    return this.#missing;
  }

  /**
   * Registers a part, which ends with the whole: what is returned, and what is added to the store. Gives nothing when
   * that throws; then what was added to the store has ended.
   */
  register<T extends Disposable>(name: string, register: (store: DisposableStore) => T): T | undefined {
    const store = new DisposableStore();
    try {
      const part = store.add(register(store));
      this.#store.add(store);
      return part;
    } catch (error) {
      store.dispose();
      this.#leaveOut(name, error);
      return undefined;
    }
  }

  showLog(): void {
    this.#logger.show?.();
  }

  dispose(): void {
    this.#store.dispose();
  }

  #leaveOut(name: string, error: unknown): void {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    const reason = message.replaceAll(/\s+/g, ' ').trim();
    this.#logger.log('error', stack ?? message);
    // The last line is what the person sees of a log.
    this.#logger.log('error', `${name} isn't available: ${reason}`);
    this.#missing = [...this.#missing, { name, reason }];
    this.#onDidChange.fire();
  }
}
