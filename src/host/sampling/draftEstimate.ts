import type { After } from '../../base/after.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { SamplingEstimate } from './samplingReview.ts';

/** Milliseconds of quiet after which a draft is estimated anew. */
const QUIET_MS = 300;

/** What a draft takes, as it was worked out last. */
export class DraftEstimate {
  readonly #estimate: (signal: AbortSignal) => Promise<SamplingEstimate> | undefined;
  readonly #changed: () => void;
  readonly #after: After;
  #current: SamplingEstimate | undefined;
  /** Ends what is worked out. */
  #working = new AbortController();
  #soon: Disposable | undefined;

  /** `estimate` works out what the draft takes, if it can be sent at all; `changed` is told when that is known. */
  constructor(
    estimate: (signal: AbortSignal) => Promise<SamplingEstimate> | undefined,
    changed: () => void,
    after: After,
  ) {
    this.#estimate = estimate;
    this.#changed = changed;
    this.#after = after;
  }

  /** Undefined while it is worked out. */
  get current(): SamplingEstimate | undefined {
    return this.#current;
  }

  /** What somebody else has worked out. */
  take(estimate: SamplingEstimate): void {
    this.cease();
    this.#current = estimate;
  }

  forget(): void {
    this.cease();
    this.#current = undefined;
  }

  /** Works it out anew when the typing has ended. */
  renewSoon(): void {
    this.forget();
    this.#soon = this.#after(QUIET_MS, () => this.renew());
  }

  renew(): void {
    this.forget();
    void this.#renew();
  }

  /** Ends whatever is under way. */
  cease(): void {
    this.#soon?.dispose();
    this.#working.abort();
  }

  async #renew(): Promise<void> {
    const working = new AbortController();
    this.#working = working;
    try {
      const estimate = await this.#estimate(working.signal);
      if (!working.signal.aborted && estimate) {
        this.#current = estimate;
        this.#changed();
      }
    } catch {
      // It is worked out again before anything is sent, and says then what is wrong.
    }
  }
}
