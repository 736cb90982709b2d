import type { Disposable } from './disposable.ts';

/** Does something once for all that happens within some milliseconds of the first. */
export class Gathered implements Disposable {
  readonly #ms: number;
  readonly #act: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(ms: number, act: () => void) {
    this.#ms = ms;
    this.#act = act;
  }

  soon(): void {
    this.#timer ??= setTimeout(() => this.now(), this.#ms);
  }

  /** Does it at once, and what was gathered is done with it. */
  now(): void {
    this.dispose();
    this.#act();
  }

  /** Takes back what was gathered. */
  dispose(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
