import { toDisposable, type Disposable } from '../../../base/disposable.ts';
import { Emitter } from '../../../base/event.ts';

/** Who wants to hear of changed lists at once: a view that is visible, a client that listens. */
export class ListAudience implements Disposable {
  readonly #onDidBegin = new Emitter<void>();
  /** Somebody watches, after nobody did. */
  readonly onDidBegin = this.#onDidBegin.event;
  readonly #all: ListAudience | undefined;
  readonly #subscription: Disposable | undefined;
  #watching = 0;

  /** Who watches `all` watches this one, too. */
  constructor(all?: ListAudience) {
    this.#all = all;
    this.#subscription = all?.onDidBegin(() => this.#onDidBegin.fire());
  }

  get isWatching(): boolean {
    return this.#watching > 0 || this.#all?.isWatching === true;
  }

  /** Watches until the result is disposed. */
  watch(): Disposable {
    const wasWatching = this.isWatching;
    this.#watching += 1;
    if (!wasWatching) {
      this.#onDidBegin.fire();
    }
    let isOver = false;
    return toDisposable(() => {
      this.#watching -= isOver ? 0 : 1;
      isOver = true;
    });
  }

  dispose(): void {
    this.#subscription?.dispose();
    this.#onDidBegin.dispose();
  }
}
