/** Something that ends at once and may be ended twice. The asynchronous end of a thing is called `close`. */
export interface Disposable {
  dispose(): void;
}

export function toDisposable(end: () => void): Disposable {
  let ended = false;
  return {
    dispose() {
      if (!ended) {
        ended = true;
        end();
      }
    },
  };
}

/** Ends what it holds, last added first; what is added after its end is ended at once. */
export class DisposableStore implements Disposable {
  readonly #held: Disposable[] = [];
  #isDisposed = false;

  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  add<T extends Disposable>(disposable: T): T {
    if (this.#isDisposed) {
      disposable.dispose();
    } else {
      this.#held.push(disposable);
    }
    return disposable;
  }

  dispose(): void {
    this.#isDisposed = true;
    for (let last = this.#held.pop(); last; last = this.#held.pop()) {
      last.dispose();
    }
  }
}
