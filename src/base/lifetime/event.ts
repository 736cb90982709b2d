import { toDisposable, type Disposable } from './disposable.ts';

/** Subscribes a listener; the editor's own `Event` has the same shape. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** A listener may subscribe or unsubscribe while an event is fired; that takes effect with the next event. */
export class Emitter<T> implements Disposable {
  #listeners: readonly { readonly call: (value: T) => void }[] = [];

  readonly event: Event<T> = (call) => {
    const entry = { call };
    this.#listeners = [...this.#listeners, entry];
    return toDisposable(() => {
      this.#listeners = this.#listeners.filter((other) => other !== entry);
    });
  };

  fire(value: T): void {
    for (const listener of this.#listeners) {
      listener.call(value);
    }
  }

  dispose(): void {
    this.#listeners = [];
  }
}
