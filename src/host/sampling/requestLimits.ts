import type { After } from '../../base/time/clock.ts';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import { counted } from '../../base/text/words.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import type { RequestInFlight } from '../connection/requests/requestsInFlight.ts';

const MINUTE = 60_000;

/** Requests with tools for one request of ours: a loop that takes more never ends. */
const MAX_ROUNDS = 25;

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

/** Counts the rounds of a tool loop: requests with tools while a server works on one request of ours. */
export class ToolRounds {
  readonly #rounds = new WeakMap<RequestInFlight, number>();

  /**
   * Whether one more round may begin. It counts for everything that the server works on, because any of that may be
   * the reason, and may begin while one of them has rounds left. A request at another time belongs to no loop.
   */
  admit(requests: readonly RequestInFlight[]): boolean {
    const hasRoundsLeft = requests.some((request) => this.#of(request) < MAX_ROUNDS);
    if (requests.length > 0 && !hasRoundsLeft) {
      return false;
    }
    for (const request of requests) {
      this.#rounds.set(request, this.#of(request) + 1);
    }
    return true;
  }

  #of(request: RequestInFlight): number {
    return this.#rounds.get(request) ?? 0;
  }
}

/** Sentences for the server and for you: what the limit is, and which setting it comes from. */
export function rateSentence(max: number): string {
  return max === 0
    ? 'No requests for a language model are let through (mcpHost.sampling.maxRequestsPerMinute).'
    : `More than ${counted(Math.ceil(max), 'request')} for a language model came in a minute, which is the limit ` +
        '(mcpHost.sampling.maxRequestsPerMinute).';
}

/** `tokens`: of the request without its answer. */
export function requestTokensSentence(tokens: number, max: number): string {
  return (
    `The request takes about ${counted(Math.ceil(tokens), 'token')} without its answer; ` +
    `${figure(max)} are allowed for both (mcpHost.sampling.maxTokensPerRequest).`
  );
}

/** `left` tokens remain of `max` for the day. */
export function dayTokensSentence(tokens: number, left: number, max: number): string {
  return (
    `The request and its answer may take about ${counted(Math.ceil(tokens), 'token')}; of ${figure(max)} for this day ` +
    `${figure(Math.max(0, left))} are left (mcpHost.sampling.maxTokensPerDay).`
  );
}

export function roundsSentence(max: number = MAX_ROUNDS): string {
  return `A language model was asked ${counted(max, 'time')} with tools for one request, which is the limit.`;
}

function figure(amount: number): string {
  return Math.ceil(amount).toLocaleString('en-US');
}
