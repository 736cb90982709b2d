import type { After } from '../../../base/time/clock.ts';
import type { Disposable } from '../../../base/lifetime/disposable.ts';
import type { SamplingEstimate } from './samplingReview.ts';

/** Milliseconds after the last edit until a draft is estimated again. */
const QUIET_MS = 300;

/** The latest estimate of a draft. */
export class DraftEstimate {
  readonly #estimate: (signal: AbortSignal) => Promise<SamplingEstimate> | undefined;
  readonly #changed: () => void;
  readonly #after: After;
  #current: SamplingEstimate | undefined;
  #working = new AbortController();
  #soon: Disposable | undefined;

  /** `estimate` gives undefined if the draft can't be sent at all; `changed` is called when a new estimate is known. */
  constructor(
    estimate: (signal: AbortSignal) => Promise<SamplingEstimate> | undefined,
    changed: () => void,
    after: After,
  ) {
    this.#estimate = estimate;
    this.#changed = changed;
    this.#after = after;
  }

  /** Undefined while it is computed. */
  get current(): SamplingEstimate | undefined {
    return this.#current;
  }

  /** Takes an estimate that was made for a request about to be sent. */
  take(estimate: SamplingEstimate): void {
    this.cancel();
    this.#current = estimate;
  }

  forget(): void {
    this.cancel();
    this.#current = undefined;
  }

  /** Estimates again once no edit follows for a while. */
  renewSoon(): void {
    this.forget();
    this.#soon = this.#after(QUIET_MS, () => this.renew());
  }

  renew(): void {
    this.forget();
    void this.#renew();
  }

  /** Cancels an estimate in progress. */
  cancel(): void {
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
      // It is made again before anything is sent, which shows what is wrong.
    }
  }
}
