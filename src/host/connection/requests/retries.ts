import type { Disposable } from '../../../base/disposable.ts';
import type { BackoffPolicy } from '../../../base/backoffPolicy.ts';

/** Tries again what failed: after `firstMs`, and after twice as long each time, up to `maxMs`. */
export class Retries implements Disposable {
  readonly #policy: BackoffPolicy;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  #isDisposed = false;

  constructor(policy: BackoffPolicy) {
    this.#policy = policy;
  }

  /** Failures count anew. */
  reset(): void {
    this.#failures = 0;
  }

  /** Failures count anew if what has ended now, and began then, had held long enough. */
  endedAfter(beganAt: number): void {
    if (Date.now() - beganAt >= this.#policy.stableMs) {
      this.reset();
    }
  }

  /** Waits, and acts: with how many failures there were before in a row, and whether that is enough. */
  failed(act: (before: number, isLast: boolean) => void): void {
    const { firstMs, maxMs, tries } = this.#policy;
    const before = this.#failures;
    this.#failures += 1;
    this.after(Math.min(firstMs * 2 ** before, maxMs), () => act(before, before >= tries));
  }

  /** Acts after so many milliseconds, in place of what was to come. */
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
