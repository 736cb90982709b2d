import type { After } from '../../base/time/clock.ts';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import type { LedgerEntry } from './ledgerEntry.ts';

/** Requests of one kind in a row, as an entry without an id. */
export type Counted = Omit<LedgerEntry, 'id' | 'workspace'>;

interface Series {
  sum: Counted | undefined;
  stretch: Disposable;
}

/** Milliseconds in which the requests after the first of a kind are counted together. */
const STRETCH_MS = 30_000;

/**
 * Counts requests that come with each letter that you type: the first of a kind is written at once, those in the
 * time after it as one entry. All refused requests to a server are one kind, so that a caller can't fill the memory.
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

  /** Writes what was counted so far. */
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

/** The latest one, with the beginning of the first and the sums of all. */
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
