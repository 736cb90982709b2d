import { counted } from '../../base/text/words.ts';
import type { RequestInFlight } from '../connection/requests/requestsInFlight.ts';

/** Requests with tools for one request of ours: a loop that takes more never ends. */
const MAX_ROUNDS = 25;

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

/** Sentences for the server and for you: what the limit is. */
export function rateSentence(max: number): string {
  return `More than ${counted(max, 'request')} for a language model came in a minute, which is the limit.`;
}

/** `tokens`: of the request without its answer. */
export function requestTokensSentence(tokens: number, max: number): string {
  return (
    `The request takes about ${counted(Math.ceil(tokens), 'token')} without its answer; ` +
    `${figure(max)} are allowed for both.`
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
