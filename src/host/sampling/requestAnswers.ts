import type { After } from '../../base/time/clock.ts';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import { messageOf } from '../errors/hostError.ts';
import { rejected, SamplingFailure } from '../errors/samplingFailure.ts';
import { verdictOnSampling, type AccessPolicy } from './accessPolicy.ts';
import type { ActiveRequest } from './activeRequest.ts';
import { noModel } from './allowedModels.ts';
import { isModelFailure, isPermissionMissing, ModelCalls } from './modelCalls.ts';
import type { Generation, GeneratedAnswer } from './request/generation.ts';
import type { LanguageModel } from './request/languageModels.ts';
import { chooseModel } from './request/modelChoice.ts';
import type { SamplingDraft } from './request/samplingRequest.ts';
import { requestWithEdits } from './request/textEdits.ts';
import { roundsSentence, ToolRounds } from './samplingLimits.ts';
import type { PreparedAnswers } from './review/missedRequests.ts';
import type { Prepared, SendSpan } from './review/reviewState.ts';
import { samplingQuestions } from './review/samplingQuestion.ts';
import {
  SamplingReview,
  type ReviewActs,
  type ReviewEnd,
  type ReviewStart,
  type SamplingQuestion,
} from './review/samplingReview.ts';
import type { SamplingAccess, SamplingParts } from './samplingAccess.ts';

/**
 * The answers to requests for a model, each when its turn has come: the policy, your review where that is required, the
 * limits on tokens, the model, and your review of the answer.
 */
export class RequestAnswers implements Disposable {
  readonly #parts: SamplingParts;
  readonly #access: SamplingAccess;
  readonly #prepared: PreparedAnswers;
  readonly #now: () => number;
  readonly #after: After;
  readonly #calls: ModelCalls;
  readonly #rounds = new ToolRounds();
  readonly #reviews = new Set<SamplingReview>();
  /** Requests with which you allowed others for this session. */
  readonly #allowing = new WeakSet<ActiveRequest>();

  constructor(
    parts: SamplingParts,
    access: SamplingAccess,
    prepared: PreparedAnswers,
    now: () => number,
    after: After,
  ) {
    this.#parts = parts;
    this.#access = access;
    this.#prepared = prepared;
    this.#now = now;
    this.#after = after;
    this.#calls = new ModelCalls(parts.models, parts.settings, parts.record, parts.usage);
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

  /** The answer to a request; `prepared` is what you approved for it before. @throws SamplingFailure; ModelError. */
  async answer(active: ActiveRequest, prepared: Prepared | undefined): Promise<GeneratedAnswer> {
    const { request, source, signal } = active;
    if (prepared) {
      active.decision = 'prepared';
    }
    if (prepared?.kind === 'answer') {
      active.figures = { ...active.figures, model: prepared.answer.model, isEdited: prepared.isEdited };
      return prepared.answer;
    }
    const models = await this.#access.models.list(signal);
    if (!prepared && request.tools.length > 0 && !this.#rounds.admit(source.requests)) {
      throw new SamplingFailure('limited', roundsSentence());
    }
    const chosen = chooseModel(models, request.hints);
    if (!chosen) {
      throw noModel();
    }
    const draft = prepared?.draft ?? { modelId: chosen.id, edits: [] };
    const model = models.find(({ id }) => id === draft.modelId);
    if (!model) {
      return this.#reviewRequest(active, models, { ...draft, modelId: chosen.id });
    }
    return prepared || this.#isUnreviewed(active, model)
      ? this.#sendUnreviewed(active, models, model, draft)
      : this.#reviewRequest(active, models, draft);
  }

  /** @throws SamplingFailure `rejected` where you, a definition or a setting denies model access. */
  refuseDenied(active: ActiveRequest): void {
    if (this.#policyOf(active).policy === 'deny') {
      throw rejected();
    }
  }

  /** Sends a request that you allowed in general, or approved before. */
  async #sendUnreviewed(
    active: ActiveRequest,
    models: readonly LanguageModel[],
    model: LanguageModel,
    draft: SamplingDraft,
  ): Promise<GeneratedAnswer> {
    const { signal, server } = active;
    const isPrepared = active.decision === 'prepared';
    const request = requestWithEdits(active.request, draft.edits);
    const estimate = await this.#calls.estimate(server.definition.id, model, request, signal);
    signal.throwIfAborted();
    // Nothing happens between this check and the call of the model.
    if (isPrepared ? estimate.problem !== undefined : !this.#isUnreviewed(active, model)) {
      return this.#reviewRequest(active, models, draft);
    }
    if (estimate.problem !== undefined) {
      throw new SamplingFailure('limited', estimate.problem);
    }
    if (!isPrepared) {
      const { basis, isForSession } = this.#policyOf(active);
      active.decision = isForSession || basis === 'decision' ? 'remembered' : 'unasked';
    }
    let answer: GeneratedAnswer;
    try {
      const isStopped = new AbortController().signal;
      const generation: Generation = { model, request, onText: () => {}, isStopped, signal };
      answer = await this.#calls.send(active, generation, estimate, isPrepared);
    } catch (error) {
      // You can still decide: about a model that needs a click of yours, or what to do instead.
      if (!signal.aborted && (isPermissionMissing(error) || (isPrepared && isModelFailure(error)))) {
        active.decision = 'withdrawn';
        return this.#reviewRequest(active, models, draft, messageOf(error));
      }
      throw error;
    }
    this.refuseDenied(active);
    active.figures = { ...active.figures, isEdited: request !== active.request };
    return isPrepared || this.#parts.settings.reviewsEveryAnswer
      ? this.#review(active, models, { draft, state: { kind: 'answer', answer, isStopped: false } })
      : answer;
  }

  #reviewRequest(
    active: ActiveRequest,
    models: readonly LanguageModel[],
    draft: SamplingDraft,
    problem?: string,
  ): Promise<GeneratedAnswer> {
    const state = { kind: 'request', ...(problem !== undefined && { problem }) } as const;
    return this.#review(active, models, { draft, state });
  }

  /** What applies at this moment, with the decisions of all windows and the definition as it is now. */
  #policyOf({ source, occasion }: ActiveRequest): AccessPolicy {
    return this.#access.freshPolicyOf(source.server().definition, occasion);
  }

  /** Whether a request is sent without a review. @throws SamplingFailure `rejected`. */
  #isUnreviewed(active: ActiveRequest, model: LanguageModel): boolean {
    const access = this.#policyOf(active);
    const verdict = verdictOnSampling({ access, isModelRecorded: this.#parts.record.has(model.id) });
    if (verdict === 'refuse') {
      throw rejected();
    }
    return verdict === 'send';
  }

  /** Asks you, and gives the answer that you deliver. @throws SamplingFailure. */
  async #review(
    active: ActiveRequest,
    models: readonly LanguageModel[],
    start: ReviewStart,
  ): Promise<GeneratedAnswer> {
    const { request, occasion, askedAt, server, source, signal, entry } = active;
    const canAllowSession = this.#access.canAllowSession(server.definition, occasion);
    const subject = { request, askedAt, occasion, requests: source.requests, canAllowSession };
    const review = new SamplingReview(subject, models, start, this.#actsFor(active), this.#after);
    this.#reviews.add(review);
    const question: SamplingQuestion = { kind: samplingQuestions, server: source.server(), review };
    const listening = review.onDidChange(() => {
      const { kind } = review.state;
      if (kind === 'request' || kind === 'answer') {
        entry.asksPerson();
      } else if (kind === 'ended') {
        this.#parts.missed.keep({ question, waitedMs: this.#now() - askedAt }, source.ended);
      }
    });
    entry.asksPerson();
    const asked = this.#parts.questions.ask(question, () => {});
    const end = (): void => (active.over ? review.over(active.over.message) : review.deny());
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) {
      end();
    }
    try {
      return this.#answerAt(await review.end, active);
    } finally {
      signal.removeEventListener('abort', end);
      this.#reviews.delete(review);
      listening.dispose();
      asked.dispose();
    }
  }

  #actsFor(active: ActiveRequest): ReviewActs {
    const { id } = active.server.definition;
    return {
      estimate: (model, request, signal) => this.#calls.estimate(id, model, request, signal),
      choose: (models) => chooseModel(models, active.request.hints),
      sent: (span) => this.#sent(active, span),
      generate: (generation, estimate) => this.#calls.send(active, generation, estimate, true),
      runAgain: this.#runAgainFor(active),
    };
  }

  /** You selected Send: the policy of this moment decides whether the request goes out, and what that allows. */
  #sent(active: ActiveRequest, span: SendSpan): void {
    active.decision = 'asked';
    const { policy, isForSession } = this.#policyOf(active);
    if (policy === 'deny') {
      active.cancel();
    } else if (!isForSession && (span === 'session' || policy === 'session')) {
      this.#allowing.add(active);
      this.#access.allowForSession(active.server.definition, [active.occasion], false);
    }
  }

  /** Runs the tool again whose call the request came from; undefined if that isn't known. */
  #runAgainFor({ source, request, server }: ActiveRequest): ReviewActs['runAgain'] {
    const { id } = server.definition;
    const [call, ...others] = source.requests;
    // The launch of now: what is approved for it must not reach a later one.
    const about = { serverId: id, launch: this.#parts.launchOf(id), request };
    return call?.method === 'tools/call' && others.length === 0
      ? (prepared) => {
          this.#prepared.keep(about, call, prepared);
          this.#parts.runAgain(id, call);
        }
      : undefined;
  }

  /** The answer that you have delivered. @throws SamplingFailure for any other end. */
  #answerAt(end: ReviewEnd, active: ActiveRequest): GeneratedAnswer {
    const { server, occasion } = active;
    const { definition, label } = server;
    if (end.kind === 'delivered') {
      active.decision = active.decision === 'prepared' ? 'prepared' : 'asked';
      active.figures = { ...active.figures, isEdited: end.isEdited };
      return end.answer;
    }
    if (end.kind !== 'over' && this.#allowing.has(active)) {
      // A refusal doesn't allow the next request.
      this.#access.decisions.endSession(definition.id, occasion);
    }
    if (end.kind === 'never') {
      this.#access
        .setPolicy(definition, label, 'both', 'deny')
        .catch((error: unknown) =>
          this.#parts.log?.(definition.id, 'error', `Your answer could not be saved: ${messageOf(error)}`),
        );
    }
    active.throwIfOver();
    throw rejected();
  }
}
