import { DisposableStore, type Disposable } from './disposable.ts';
import { Emitter } from './event.ts';
import type { Logger } from '../logging/logger.ts';

/** A part that could not be registered. */
export interface MissingPart {
  /** As shown to the user: 'Agent mode'. */
  readonly name: string;
  /** One line. */
  readonly reason: string;
}

/** Registers the parts of the extension. One that fails is logged and left out; the others go on. */
export class Parts implements Disposable {
  readonly #logger: Logger;
  readonly #store = new DisposableStore();
  readonly #onDidChange = this.#store.add(new Emitter<void>());
  readonly onDidChange = this.#onDidChange.event;
  #missing: readonly MissingPart[] = [];

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** The parts that failed, in the order of their failures. */
  get missing(): readonly MissingPart[] {
    return this.#missing;
  }

  /**
   * Registers a part: what `register` returns, and what it adds to the store, is disposed with the whole. Returns
   * undefined if it throws; then what it added to the store is disposed at once.
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
    // The last line of a log is the one that the user sees.
    this.#logger.log('error', `${name} isn't available: ${reason}`);
    this.#missing = [...this.#missing, { name, reason }];
    this.#onDidChange.fire();
  }
}
