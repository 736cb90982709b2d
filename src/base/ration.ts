import { afterTimeout, type After } from './after.ts';
import type { Disposable } from './disposable.ts';

export interface RationLimits {
  /** How many are taken in one stretch. */
  readonly most: number;
  /** Milliseconds of a stretch, which begins with the first that is taken. */
  readonly stretchMs: number;
}

/** Lets some through in a time and counts the others, which are told in one sum at its end. */
export class Ration implements Disposable {
  readonly #limits: RationLimits;
  readonly #onLeftOut: (count: number) => void;
  readonly #after: After;
  #stretch: Disposable | undefined;
  #taken = 0;
  #isDisposed = false;

  constructor(limits: RationLimits, onLeftOut: (count: number) => void, after: After = afterTimeout) {
    this.#limits = limits;
    this.#onLeftOut = onLeftOut;
    this.#after = after;
  }

  /** True when there is something left. */
  take(): boolean {
    if (this.#isDisposed) {
      return false;
    }
    this.#stretch ??= this.#after(this.#limits.stretchMs, () => this.#end());
    this.#taken += 1;
    return this.#taken <= this.#limits.most;
  }

  /** Tells the sum now; nothing is let through any more. */
  dispose(): void {
    this.#isDisposed = true;
    this.#end();
  }

  #end(): void {
    const leftOut = this.#taken - this.#limits.most;
    this.#stretch?.dispose();
    this.#stretch = undefined;
    this.#taken = 0;
    if (leftOut > 0) {
      this.#onLeftOut(leftOut);
    }
  }
}
