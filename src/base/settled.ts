import type { Disposable } from './disposable.ts';

/** Does something once for all that happens: when nothing more did for a while, and at the latest after a longer one. */
export class Settled implements Disposable {
  readonly #quietMs: number;
  readonly #latestMs: number;
  readonly #act: () => void;
  #firstAt: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `quietMs` without another event, or `latestMs` after the first, both in milliseconds. */
  constructor(quietMs: number, latestMs: number, act: () => void) {
    this.#quietMs = quietMs;
    this.#latestMs = latestMs;
    this.#act = act;
  }

  soon(): void {
    const now = Date.now();
    this.#firstAt ??= now;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => {
        this.dispose();
        this.#act();
      },
      Math.min(this.#quietMs, Math.max(0, this.#firstAt + this.#latestMs - now)),
    );
  }

  /** Takes back what has not settled. */
  dispose(): void {
    clearTimeout(this.#timer);
    this.#firstAt = undefined;
    this.#timer = undefined;
  }
}
