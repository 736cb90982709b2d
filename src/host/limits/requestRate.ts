import type { Disposable } from '../../base/lifetime/disposable.ts';
import type { After } from '../../base/time/clock.ts';
import type { ServerId } from '../config/serverDefinition.ts';

const MINUTE = 60_000;

/** Milliseconds of quiet that end a flood. */
const QUIET_MS = 5_000;
/** Milliseconds after which a flood that continues is reported, and another one begins. */
const LONGEST_MS = 60_000;

/** Requests of a server that came too fast. */
interface Flood {
  readonly beganAt: number;
  readonly ended: (count: number) => void;
  latestAt: number;
  count: number;
  timer?: Disposable;
}

/**
 * Lets a number of requests of each server through in any 60 seconds (client/sampling: rate limiting), and counts the
 * others, so that a whole flood is reported once.
 */
export class RequestRate implements Disposable {
  readonly #max: () => number;
  readonly #now: () => number;
  readonly #after: After;
  readonly #times = new Map<ServerId, readonly number[]>();
  readonly #floods = new Map<ServerId, Flood>();

  /** `now` in milliseconds, of a monotonic clock. */
  constructor(max: () => number, now: () => number, after: After) {
    this.#max = max;
    this.#now = now;
    this.#after = after;
  }

  /**
   * Whether one more request may pass; it counts if it does. If it begins a flood, `ended` gets the number of requests
   * that were refused when the flood ends.
   */
  admit(id: ServerId, ended: (count: number) => void): boolean {
    const now = this.#now();
    for (const [server, times] of this.#times) {
      const recent = times.filter((time) => now - time < MINUTE);
      if (recent.length === 0) {
        this.#times.delete(server);
      } else {
        this.#times.set(server, recent);
      }
    }
    const times = this.#times.get(id) ?? [];
    if (times.length >= this.#max()) {
      this.#refused(id, now, ended);
      return false;
    }
    this.#times.set(id, [...times, now]);
    return true;
  }

  /** Ends every flood. */
  dispose(): void {
    for (const { timer, ended, count } of this.#floods.values()) {
      timer?.dispose();
      ended(count);
    }
    this.#floods.clear();
  }

  #refused(id: ServerId, now: number, ended: (count: number) => void): void {
    const flood = this.#floods.get(id) ?? { beganAt: now, ended, latestAt: now, count: 0 };
    flood.count += 1;
    flood.latestAt = now;
    if (flood.count === 1) {
      this.#floods.set(id, flood);
      this.#watch(id, flood);
    }
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
