import type { Disposable } from '../../../base/lifetime/disposable.ts';

/** How long to wait before trying again what failed: `firstMs`, doubled after each try up to `maxMs`. */
export interface BackoffPolicy {
  readonly firstMs: number;
  readonly maxMs: number;
  /** Tries after the first failure. */
  readonly tries: number;
  /** After this long without a failure, the tries are counted from zero again. */
  readonly stableMs: number;
}

export const defaultBackoff: BackoffPolicy = { firstMs: 1_000, maxMs: 60_000, tries: 5, stableMs: 60_000 };

/** Milliseconds to wait after so many earlier failures in a row. */
export function backoffMs({ firstMs, maxMs }: BackoffPolicy, earlierFailures: number): number {
  return Math.min(firstMs * 2 ** earlierFailures, maxMs);
}

/** The timer that tries again what failed. */
export class Retries implements Disposable {
  readonly #policy: BackoffPolicy;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  #isDisposed = false;

  constructor(policy: BackoffPolicy) {
    this.#policy = policy;
  }

  /** Counts failures from zero again. */
  reset(): void {
    this.#failures = 0;
  }

  /** Call when something ends that began at `beganAt`: resets the count if it had lasted long enough. */
  endedAfter(beganAt: number): void {
    if (Date.now() - beganAt >= this.#policy.stableMs) {
      this.reset();
    }
  }

  /** Waits, then calls `act` with the number of earlier failures in a row, and whether the tries are used up. */
  failed(act: (before: number, isLast: boolean) => void): void {
    const before = this.#failures;
    this.#failures += 1;
    this.after(backoffMs(this.#policy, before), () => act(before, before >= this.#policy.tries));
  }

  /** Calls `act` after so many milliseconds, instead of what was waiting. */
  after(ms: number, act: () => void): void {
    clearTimeout(this.#timer);
    if (!this.#isDisposed) {
      this.#timer = setTimeout(act, ms);
    }
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
  }
}
