import { toDisposable, type Disposable } from '../../../base/lifetime/disposable.ts';
import { Emitter } from '../../../base/lifetime/event.ts';

/** Who wants to see changed lists at once: a visible view, or a client that listens. */
export class ListWatchers implements Disposable {
  readonly #onDidBegin = new Emitter<void>();
  /** There is a watcher, after there was none. */
  readonly onDidBegin = this.#onDidBegin.event;
  readonly #ofAll: ListWatchers | undefined;
  readonly #subscription: Disposable | undefined;
  #count = 0;

  /** `ofAll` are the watchers of all servers, who also watch this one. */
  constructor(ofAll?: ListWatchers) {
    this.#ofAll = ofAll;
    this.#subscription = ofAll?.onDidBegin(() => this.#onDidBegin.fire());
  }

  get areThere(): boolean {
    return this.#count > 0 || this.#ofAll?.areThere === true;
  }

  /** Adds a watcher until the result is disposed. */
  watch(): Disposable {
    const wereThere = this.areThere;
    this.#count += 1;
    if (!wereThere) {
      this.#onDidBegin.fire();
    }
    let isOver = false;
    return toDisposable(() => {
      this.#count -= isOver ? 0 : 1;
      isOver = true;
    });
  }

  dispose(): void {
    this.#subscription?.dispose();
    this.#onDidBegin.dispose();
  }
}
