import type { ServerId } from '../../config/serverDefinition.ts';
import type { RequestInFlight } from '../../connection/requests/requestsInFlight.ts';
import type { SamplingQuestion } from './samplingReview.ts';

/** The most requests of one server that are kept; the oldest goes first. */
const MAX_KEPT = 3;

/** A request for a model that ended before you answered it. */
export interface MissedRequest {
  readonly question: SamplingQuestion;
  /** How long the server had waited, in milliseconds. */
  readonly waitedMs: number;
}

/**
 * The latest requests for a model that ended without an answer. Their cards can still be opened, until you close them or
 * the session of the server ends.
 */
export class MissedRequests {
  readonly #kept = new Map<SamplingQuestion, MissedRequest>();

  /** Keeps a request that has ended; `ended` aborts when the session of its server does. */
  keep(missed: MissedRequest, ended: AbortSignal): void {
    const { question } = missed;
    if (ended.aborted) {
      return;
    }
    this.#kept.set(question, missed);
    ended.addEventListener('abort', () => this.drop(question), { once: true });
    const ofServer = [...this.#kept.keys()].filter((one) => idOf(one) === idOf(question));
    ofServer.slice(0, -MAX_KEPT).forEach((one) => this.drop(one));
  }

  drop(question: SamplingQuestion): void {
    this.#kept.delete(question);
  }

  has(question: SamplingQuestion): boolean {
    return this.#kept.has(question);
  }

  /** The request that ended last. */
  get last(): SamplingQuestion | undefined {
    return [...this.#kept.keys()].at(-1);
  }

  /** The last one that came while the server handled that call. */
  lastOf(call: RequestInFlight): MissedRequest | undefined {
    return [...this.#kept.values()].findLast(({ question }) =>
      question.review.subject.requests.includes(call),
    );
  }
}

function idOf({ server }: SamplingQuestion): ServerId {
  return server.definition.id;
}
