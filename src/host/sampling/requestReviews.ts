import type { After } from '../../base/time/clock.ts';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import type { LogLevel } from '../../base/logging/logger.ts';
import type { SamplingSettings } from './samplingSettings.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import type { RequestInFlight } from '../connection/requests/requestsInFlight.ts';
import { messageOf } from '../errors/hostError.ts';
import { rejected } from '../errors/samplingFailure.ts';
import type { QuestionQueue } from '../questions/questionQueue.ts';
import { reviewsAnswer } from './accessPolicy.ts';
import type { ActiveRequest } from './activeRequest.ts';
import type { ModelAnswer } from './request/generation.ts';
import type { LanguageModel } from './request/languageModels.ts';
import type { MissedRequests } from './review/missedRequests.ts';
import type { ModelCalls } from './modelCalls.ts';
import { chooseModel } from './request/modelChoice.ts';
import { OpenReview, type ReviewActs, type ReviewEnd, type ReviewStart } from './review/openReview.ts';
import type { PreparedAnswers, PreparedFor } from './review/preparedAnswers.ts';
import type { SamplingQuestion, SendSpan } from './review/samplingReview.ts';
import type { SamplingAccess } from './samplingAccess.ts';
import { samplingQuestions } from './review/samplingQuestion.ts';

export interface ReviewParts {
  readonly settings: SamplingSettings;
  /** The fingerprint of the running launch. */
  readonly launchOf: (id: ServerId) => string | undefined;
  readonly questions: QuestionQueue;
  /** Keeps requests that ended before they had an answer. */
  readonly missed: Pick<MissedRequests, 'keep'>;
  /** Runs a tool again, as a click of yours. */
  readonly runAgain: (id: ServerId, request: RequestInFlight) => void;
  /** Writes to a server's log. */
  readonly log?: (id: ServerId, level: LogLevel, message: string) => void;
}

/** What the reviews share with the broker. */
export interface ReviewContext {
  readonly access: SamplingAccess;
  readonly calls: ModelCalls;
  readonly prepared: PreparedAnswers;
  readonly after: After;
  readonly now: () => number;
}

/** Has you review requests for a model: asks the question, and carries out what you choose. */
export class RequestReviews implements Disposable {
  readonly #parts: ReviewParts;
  readonly #context: ReviewContext;
  readonly #reviews = new Set<OpenReview>();
  /** Requests with which you allowed others for this session. */
  readonly #allowing = new WeakSet<ActiveRequest>();

  constructor(parts: ReviewParts, context: ReviewContext) {
    this.#parts = parts;
    this.#context = context;
  }

  dispose(): void {
    this.#reviews.forEach((review) => review.dispose());
  }

  /** The limits leave more or less than before. */
  limitsChanged(): void {
    this.#reviews.forEach((review) => review.limitsChanged());
  }

  /** Other models may be used. */
  modelsChanged(models: readonly LanguageModel[]): void {
    this.#reviews.forEach((review) => review.setModels(models));
  }

  /** Asks you, and gives the answer that you deliver. @throws SamplingFailure. */
  async review(
    active: ActiveRequest,
    models: readonly LanguageModel[],
    start: ReviewStart,
  ): Promise<ModelAnswer> {
    const { request, occasion, askedAt, server, source, signal } = active;
    const review = new OpenReview(
      {
        request,
        askedAt,
        occasion,
        requests: source.requests,
        canAllowSession: this.#context.access.canAllowSession(server.definition, occasion),
      },
      models,
      start,
      this.#actsFor(active),
      this.#context.after,
    );
    this.#reviews.add(review);
    const question = this.#ask(active, review);
    const end = (): void => (active.over ? review.over(active.over.message) : review.deny());
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) {
      end();
    }
    try {
      return this.#carryOut(active, await review.end);
    } finally {
      signal.removeEventListener('abort', end);
      this.#reviews.delete(review);
      question.dispose();
    }
  }

  /** Asks the question; disposing the result withdraws it. */
  #ask(active: ActiveRequest, review: OpenReview): Disposable {
    const { entry, source, askedAt } = active;
    const question: SamplingQuestion = { kind: samplingQuestions, server: source.server(), review };
    const listening = review.onDidChange(() => {
      const { kind } = review.state;
      if (kind === 'request' || kind === 'answer') {
        entry.asksPerson();
      } else if (kind === 'ended') {
        this.#parts.missed.keep({ question, waitedMs: this.#context.now() - askedAt }, source.ended);
      }
    });
    entry.asksPerson();
    const asked = this.#parts.questions.ask(question, () => {});
    return {
      dispose: () => {
        listening.dispose();
        asked.dispose();
      },
    };
  }

  #actsFor(active: ActiveRequest): ReviewActs {
    const { calls } = this.#context;
    const { id } = active.server.definition;
    return {
      estimate: (model, request, signal) => calls.estimate(id, model, request, signal),
      choose: (models) => chooseModel(models, active.request.hints),
      sent: (span) => this.#sent(active, span),
      generate: (generation, input) => calls.send(active, generation, input, true),
      reviewsAnswer: () => reviewsAnswer(this.#parts.settings.reviewResponses, true),
      runAgain: this.#runAgainFor(active),
    };
  }

  /** You selected Send: the policy of this moment decides whether the request goes out, and what that allows. */
  #sent(active: ActiveRequest, span: SendSpan): void {
    const { access } = this.#context;
    const { entry, occasion, server, source } = active;
    entry.decision = 'asked';
    const { policy, isForSession } = access.freshPolicyOf(source.server().definition, occasion);
    if (policy === 'deny') {
      active.cancel();
    } else if (!isForSession && (span === 'session' || policy === 'session')) {
      this.#allowing.add(active);
      access.allowForSession(server.definition, [occasion], false);
    }
  }

  /** Runs the tool again whose call the request came from; undefined if that isn't known. */
  #runAgainFor({ source, request, server }: ActiveRequest): ReviewActs['runAgain'] {
    const { id } = server.definition;
    const [call, ...others] = source.requests;
    // The launch of now: what is approved for it must not reach a later one.
    const about: PreparedFor = { serverId: id, launch: this.#parts.launchOf(id), request };
    return call?.method === 'tools/call' && others.length === 0
      ? (prepared) => {
          this.#context.prepared.keep(about, call, prepared);
          this.#parts.runAgain(id, call);
        }
      : undefined;
  }

  #carryOut(active: ActiveRequest, end: ReviewEnd): ModelAnswer {
    const { entry, server, occasion } = active;
    const { definition, label } = server;
    const { access } = this.#context;
    if (end.kind === 'delivered') {
      entry.decision = entry.decision === 'prepared' ? 'prepared' : 'asked';
      entry.figures = { ...entry.figures, isEdited: end.isEdited };
      return end.answer;
    }
    if (end.kind !== 'over' && this.#allowing.has(active)) {
      // A refusal doesn't allow the next request.
      access.endSession(definition, occasion);
    }
    if (end.kind === 'never') {
      access
        .setPolicy(definition, label, 'both', 'deny')
        .catch((error: unknown) =>
          this.#parts.log?.(definition.id, 'error', `Your answer could not be saved: ${messageOf(error)}`),
        );
    }
    active.throwIfOver();
    throw rejected();
  }
}
