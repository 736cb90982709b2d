import { afterTimeout, type After } from './clock.ts';
import type { Disposable } from '../lifetime/disposable.ts';

export interface RationLimits {
  /** How many are let through in one stretch. */
  readonly most: number;
  /** Milliseconds of a stretch, which begins with the first one. */
  readonly stretchMs: number;
}

/** Lets so many through in a stretch of time, and reports the number of the others at its end. */
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

  /** True if one more may pass. */
  take(): boolean {
    if (this.#isDisposed) {
      return false;
    }
    this.#stretch ??= this.#after(this.#limits.stretchMs, () => this.#end());
    this.#taken += 1;
    return this.#taken <= this.#limits.most;
  }

  /** Reports the number now; nothing passes any longer. */
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
