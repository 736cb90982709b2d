/** `dispose` is synchronous and may be called twice; what ends asynchronously has `close`. */
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

/** Disposes what it holds, last added first, and at once what is added after that. */
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
