import type { Disposable } from '../../base/lifetime/disposable.ts';
import type { After } from '../../base/time/clock.ts';
import type { ServerId } from '../config/serverDefinition.ts';

const MINUTE = 60_000;

/** Milliseconds of quiet that end a flood. */
const QUIET_MS = 5_000;
/** Milliseconds after which a flood that continues is reported, and another one begins. */
const LONGEST_MS = 60_000;

/** Lets a number of requests of each server through in any 60 seconds (client/sampling: rate limiting). */
export class RequestRate {
  readonly #max: () => number;
  readonly #now: () => number;
  readonly #times = new Map<ServerId, readonly number[]>();

  /** `now` in milliseconds, of a monotonic clock. */
  constructor(max: () => number, now: () => number) {
    this.#max = max;
    this.#now = now;
  }

  /** Whether one more request may pass; it counts if it does. */
  admit(serverId: ServerId): boolean {
    const now = this.#now();
    for (const [server, times] of this.#times) {
      const recent = times.filter((time) => now - time < MINUTE);
      if (recent.length === 0) {
        this.#times.delete(server);
      } else {
        this.#times.set(server, recent);
      }
    }
    const times = this.#times.get(serverId) ?? [];
    if (times.length >= this.#max()) {
      return false;
    }
    this.#times.set(serverId, [...times, now]);
    return true;
  }
}

interface Flood {
  readonly beganAt: number;
  readonly ended: (count: number) => void;
  latestAt: number;
  count: number;
  timer: Disposable;
}

/** Counts requests that were refused because they came too fast, so that a whole flood is reported once. */
export class FloodCounter implements Disposable {
  readonly #floods = new Map<ServerId, Flood>();
  readonly #now: () => number;
  readonly #after: After;

  constructor(now: () => number, after: After) {
    this.#now = now;
    this.#after = after;
  }

  /** Counts a refused request. If it begins a flood, `ended` gets the number of requests when the flood ends. */
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
