import { counted } from '../../base/words.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import type { RequestInFlight } from '../connection/requests/requestsInFlight.ts';

const MINUTE = 60_000;

/** Requests with tools for one request of ours: a loop that takes more does not come to an end. */
export const MAX_ROUNDS = 25;

/** Lets so many requests of each server through in any 60 seconds (client/sampling: rate limiting). */
export class RequestRate {
  readonly #max: () => number;
  readonly #now: () => number;
  readonly #times = new Map<ServerId, readonly number[]>();

  /** `now` in milliseconds, of a clock that nobody sets. */
  constructor(max: () => number, now: () => number) {
    this.#max = max;
    this.#now = now;
  }

  /** Whether one more request may go on; it counts if it may. */
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

/** Counts the rounds of a tool loop: requests with tools while a server works on one request of ours. */
export class ToolRounds {
  readonly #rounds = new WeakMap<RequestInFlight, number>();

  /**
   * Whether one more round may begin; it counts for all that the server works on, because any of it may be the
   * reason, and it may begin while one of them has rounds left. What comes unasked belongs to no loop that ends.
   */
  admit(requests: readonly RequestInFlight[]): boolean {
    const isLeft = requests.some((request) => this.#of(request) < MAX_ROUNDS);
    if (requests.length > 0 && !isLeft) {
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

/** Sentences for the server and the person alike: what the limit is, and which setting it stands in. */
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

/** `left`: of `max`, for the rest of the day. */
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
