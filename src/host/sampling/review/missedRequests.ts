import { sha256 } from '../../../base/text/sha256.ts';
import { canonicalJson } from '../../../base/values/canonicalJson.ts';
import type { ServerId } from '../../config/serverDefinition.ts';
import type { RequestInFlight } from '../../connection/requests/requestsInFlight.ts';
import type { SamplingRequest } from '../request/samplingRequest.ts';
import type { Prepared } from './reviewState.ts';
import type { SamplingQuestion } from './samplingReview.ts';

/** The most requests of one server that are kept; the oldest goes first. */
const MAX_MISSED = 3;
/** The most prepared answers that are kept; the oldest goes first. */
const MAX_PREPARED = 50;

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
    const { id } = question.server.definition;
    const ofServer = [...this.#kept.keys()].filter(({ server }) => server.definition.id === id);
    ofServer.slice(0, -MAX_MISSED).forEach((one) => this.drop(one));
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

/** What a tool's result says about a request for a model that you did not answer in time, a sentence each. */
export function missedTexts({ question: { server, review }, waitedMs }: MissedRequest): readonly string[] {
  const canRunAgain = review.state.kind === 'ended' && review.state.canRunAgain;
  const seconds = Math.round(waitedMs / 1_000);
  return [
    `'${server.label}' asked for a language model, and waited ${seconds} s for your answer in the review panel.`,
    canRunAgain
      ? 'Select "Review Request" above to prepare an answer and run the tool again.'
      : 'Select "Review Request" above to read what it asked.',
  ];
}

/** The request that an answer is prepared for. */
export interface PreparedFor {
  readonly serverId: ServerId;
  /** The fingerprint of the launch. */
  readonly launch: string | undefined;
  readonly request: SamplingRequest;
}

/**
 * What you approved for missed requests. Each is used once, until the window closes, for an identical request of the same
 * launch and from the same tool.
 */
export class PreparedAnswers {
  readonly #kept = new Map<string, { readonly serverId: ServerId; readonly prepared: Prepared }>();

  /** `call` is the tool call that runs again. */
  keep(about: PreparedFor, call: RequestInFlight, prepared: Prepared): void {
    const key = keyOf(about, call);
    this.#kept.delete(key);
    this.#kept.set(key, { serverId: about.serverId, prepared });
    [...this.#kept.keys()].slice(0, -MAX_PREPARED).forEach((oldest) => this.#kept.delete(oldest));
  }

  /** Whether anything is prepared for a request of this server. */
  isKeptFor(id: ServerId): boolean {
    return [...this.#kept.values()].some(({ serverId }) => serverId === id);
  }

  /** What was prepared for a request that comes while the server works on `requests`. It stays until `take`. */
  find(about: PreparedFor, requests: readonly RequestInFlight[]): Prepared | undefined {
    if (!this.isKeptFor(about.serverId)) {
      return undefined;
    }
    const key = requests.map((call) => keyOf(about, call)).find((one) => this.#kept.has(one));
    return key === undefined ? undefined : this.#kept.get(key)?.prepared;
  }

  /** Uses what was prepared; false if another request has used it. */
  take(prepared: Prepared): boolean {
    const [key] = [...this.#kept].find(([, one]) => one.prepared === prepared) ?? [];
    return key !== undefined && this.#kept.delete(key);
  }

  /** Drops everything that is prepared for a server. */
  forget(id: ServerId): void {
    [...this.#kept].filter(([, one]) => one.serverId === id).forEach(([key]) => this.#kept.delete(key));
  }
}

function keyOf(
  { serverId, launch, request }: PreparedFor,
  { method, target, args }: RequestInFlight,
): string {
  return sha256(canonicalJson([serverId, launch ?? null, request, method, target, args ?? {}]));
}
