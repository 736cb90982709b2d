import type { After } from '../../base/after.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { LedgerEntry } from './ledgerEntry.ts';

/** Requests of one kind in a row, as an entry without a name. */
export type Counted = Omit<LedgerEntry, 'id' | 'workspace'>;

interface Series {
  sum: Counted | undefined;
  stretch: Disposable;
}

/** Milliseconds for which those after the first of a kind are summed up. */
const STRETCH_MS = 30_000;

/**
 * Requests that come with each letter that somebody types: the first of a kind is written down at once, those of the
 * time after it as one. What was refused is one kind, whatever was asked for: so few are kept in mind, whoever asks.
 */
export class LedgerSeries {
  readonly #write: (counted: Counted) => void;
  readonly #after: After;
  readonly #series = new Map<string, Series>();

  constructor(write: (counted: Counted) => void, after: After) {
    this.#write = write;
    this.#after = after;
  }

  add(one: Counted): void {
    const { caller, serverId, method, target, decision, outcome } = one;
    const about = outcome === 'refused' ? null : target;
    const key = JSON.stringify([caller, serverId, method, about, decision, outcome]);
    const series = this.#series.get(key);
    if (series) {
      series.sum = series.sum ? sumOf(series.sum, one) : one;
    } else {
      this.#series.set(key, { sum: undefined, stretch: this.#stretch(key) });
      this.#write(one);
    }
  }

  /** Writes down what is summed up so far. */
  flush(): void {
    for (const series of this.#series.values()) {
      this.#tell(series);
    }
  }

  #stretch(key: string): Disposable {
    return this.#after(STRETCH_MS, () => {
      const series = this.#series.get(key);
      if (series?.sum) {
        this.#tell(series);
        series.stretch = this.#stretch(key);
      } else {
        this.#series.delete(key);
      }
    });
  }

  #tell(series: Series): void {
    const { sum } = series;
    series.sum = undefined;
    if (sum) {
      this.#write(sum);
    }
  }
}

/** What the latest one says, from the first one on. */
function sumOf(sum: Counted, one: Counted): Counted {
  return {
    ...one,
    at: sum.at,
    durationMs: one.at + one.durationMs - sum.at,
    sentBytes: sum.sentBytes + one.sentBytes,
    receivedBytes: sum.receivedBytes + one.receivedBytes,
    count: (sum.count ?? 1) + 1,
  };
}
