import type { After } from '../../base/after.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { ServerId } from '../config/serverDefinition.ts';

/** Milliseconds of quiet that end a flood. */
const QUIET_MS = 5_000;
/** Milliseconds after which one that goes on is written down, and another one begins. */
const LONGEST_MS = 60_000;

interface Flood {
  readonly beganAt: number;
  readonly ended: (count: number) => void;
  latestAt: number;
  count: number;
  timer: Disposable;
}

/** Counts requests that come too fast, so that a whole flood costs one note. */
export class SamplingFloods implements Disposable {
  readonly #floods = new Map<ServerId, Flood>();
  readonly #now: () => number;
  readonly #after: After;

  constructor(now: () => number, after: After) {
    this.#now = now;
    this.#after = after;
  }

  /** One more was refused; in the end of the flood that this begins, `ended` is told how many there were. */
  refused(id: ServerId, ended: (count: number) => void): void {
    const now = this.#now();
    const flood = this.#floods.get(id);
    if (flood) {
      flood.count += 1;
      flood.latestAt = now;
      return;
    }
    const begun: Flood = { beganAt: now, ended, latestAt: now, count: 1, timer: { dispose: () => {} } };
    this.#floods.set(id, begun);
    this.#watch(id, begun);
  }

  /** Ends every flood. */
  dispose(): void {
    for (const { timer, ended, count } of this.#floods.values()) {
      timer.dispose();
      ended(count);
    }
    this.#floods.clear();
  }

  #watch(id: ServerId, flood: Flood): void {
    flood.timer = this.#after(QUIET_MS, () => {
      const now = this.#now();
      if (now - flood.latestAt < QUIET_MS && now - flood.beganAt < LONGEST_MS) {
        this.#watch(id, flood);
      } else {
        this.#floods.delete(id);
        flood.ended(flood.count);
      }
    });
  }
}
