import { afterTimeout, type After } from '../../base/time/clock.ts';
import { DisposableStore, type Disposable } from '../../base/lifetime/disposable.ts';
import type {
  ConnectionSampling,
  SamplingResult,
  SamplingSource,
  ServerSampling,
} from '../connection/samplingSource.ts';
import { messageOf } from '../errors/hostError.ts';
import { rejected, SamplingFailure } from '../errors/samplingFailure.ts';
import type { AskingServer } from '../questions/question.ts';
import { reviewsAnswer, verdictOnSampling } from './accessPolicy.ts';
import { ActiveRequest } from './activeRequest.ts';
import { noModel } from './allowedModels.ts';
import { samplingResult, type Generation, type ModelAnswer } from './request/generation.ts';
import type { LanguageModel } from './request/languageModels.ts';
import { isModelFailure, isPermissionMissing, ModelCalls, type CallParts } from './modelCalls.ts';
import { chooseModel } from './request/modelChoice.ts';
import { PreparedAnswers, type Prepared } from './review/preparedAnswers.ts';
import { readSamplingRequest } from './request/readSamplingRequest.ts';
import { FloodCounter, RequestRate } from '../limits/requestRate.ts';
import { rateSentence, roundsSentence, ToolRounds } from './requestLimits.ts';
import { RequestQueue } from '../limits/requestQueue.ts';
import { RequestReviews, type ReviewParts } from './requestReviews.ts';
import { SamplingAccess, type AccessParts } from './samplingAccess.ts';
import { SamplingEntry, type EntryParts } from './samplingEntry.ts';
import type { RequestDraft, SamplingRequest } from './request/samplingRequest.ts';
import { requestWithEdits } from './request/textEdits.ts';

/** What the broker needs of the host, the editor and you. */
export interface BrokerParts extends AccessParts, CallParts, EntryParts, ReviewParts {
  readonly now?: () => number;
  readonly after?: After;
}

/**
 * The one way to a language model for servers (client/sampling). Each request passes these steps: the rate limit,
 * reading, the server's queue, the policy, your review where that is required, the limits on tokens, the model, your
 * review of the answer, and the activity.
 */
export class SamplingBroker implements ServerSampling, Disposable {
  readonly access: SamplingAccess;
  readonly #parts: BrokerParts;
  readonly #now: () => number;
  readonly #calls: ModelCalls;
  readonly #reviews: RequestReviews;
  readonly #rate: RequestRate;
  readonly #floods: FloodCounter;
  readonly #rounds = new ToolRounds();
  readonly #queue = new RequestQueue();
  readonly #prepared = new PreparedAnswers();
  readonly #active = new Set<ActiveRequest>();
  readonly #store = new DisposableStore();

  constructor(parts: BrokerParts) {
    this.#parts = parts;
    const { settings, now = Date.now, after = afterTimeout } = parts;
    this.#now = now;
    const access = this.#store.add(new SamplingAccess(parts, now));
    this.access = access;
    const calls = new ModelCalls(parts);
    this.#calls = calls;
    const prepared = this.#prepared;
    this.#reviews = this.#store.add(new RequestReviews(parts, { access, calls, prepared, after, now }));
    const monotonic = parts.now ?? (() => performance.now());
    this.#rate = new RequestRate(() => settings.maxRequestsPerMinute, monotonic);
    this.#floods = this.#store.add(new FloodCounter(now, after));
    this.#store.add(access.onDidDeny((id) => prepared.forget(id)));
    this.#store.add(access.onDidChangePolicy(() => this.#policyChanged()));
    this.#store.add(access.models.onDidChange((models) => this.#modelsChanged(models)));
  }

  dispose(): void {
    this.#store.dispose();
  }

  forServer(server: () => AskingServer): ConnectionSampling {
    return {
      isOffered: () => this.access.isOffered(server().definition),
      createMessage: (request, params) => this.#createMessage({ ...request, server }, params),
    };
  }

  async #createMessage(source: SamplingSource, params: unknown): Promise<SamplingResult> {
    const server = source.server();
    const { id } = server.definition;
    const askedAt = this.#now();
    // A flood is refused before anything is read, so that it costs next to nothing.
    const mayBePrepared = this.#prepared.isKeptFor(id);
    if (!mayBePrepared) {
      this.#admit(server);
    }
    const request = this.#read(server, params, source.revision);
    const launch = this.#parts.launchOf(id);
    const prepared = this.#prepared.find({ serverId: id, launch, request }, source.requests);
    if (mayBePrepared && prepared?.kind !== 'answer') {
      this.#admit(server);
    }
    const active = new ActiveRequest(source, request, askedAt, this.#parts, this.#now);
    this.#active.add(active);
    try {
      const answer = await this.#answer(active, prepared);
      active.throwIfOver();
      const result = samplingResult(answer, request);
      this.access.note(id, undefined);
      active.entry.succeeded(result);
      return result;
    } catch (error) {
      const failure = active.failureOf(error);
      this.#report(server, failure);
      active.entry.failed(failure);
      throw failure;
    } finally {
      this.#active.delete(active);
      active.dispose();
    }
  }

  /** Lets a request pass the rate limit, or counts it to a flood. @throws SamplingFailure `limited`. */
  #admit(server: AskingServer): void {
    const { id } = server.definition;
    if (this.#rate.admit(id)) {
      return;
    }
    const sentence = rateSentence(this.#parts.settings.maxRequestsPerMinute);
    this.access.note(id, sentence);
    this.#floods.refused(id, (count) => {
      const problem = `${sentence} ${count === 1 ? 'One was' : `${count.toLocaleString('en')} were`} refused.`;
      this.#parts.log?.(id, 'warn', problem);
      SamplingEntry.refused(this.#parts, server, new SamplingFailure('limited', problem));
      if (this.access.noteOf(id) === sentence) {
        this.access.note(id, undefined);
      }
    });
    throw new SamplingFailure('limited', sentence);
  }

  #read(server: AskingServer, params: unknown, revision: string): SamplingRequest {
    try {
      return readSamplingRequest(params, revision);
    } catch (error) {
      if (error instanceof SamplingFailure) {
        this.#report(server, error);
        SamplingEntry.refused(this.#parts, server, error);
      }
      throw error;
    }
  }

  /** The answer to a request once it is next; `prepared` is what you approved for it before. */
  async #answer(active: ActiveRequest, prepared: Prepared | undefined): Promise<ModelAnswer> {
    const { signal, server } = active;
    // What is refused in any case doesn't wait in the queue first.
    this.#refuseDenied(active);
    if (prepared?.kind !== 'answer') {
      await this.access.models.list(signal);
    }
    const leave = await this.#queue.enter(server.definition.id, signal);
    try {
      signal.throwIfAborted();
      this.#refuseDenied(active);
      return await (prepared && this.#prepared.take(prepared)
        ? this.#answerPrepared(active, prepared)
        : this.#answerNew(active));
    } finally {
      leave();
    }
  }

  async #answerPrepared(active: ActiveRequest, prepared: Prepared): Promise<ModelAnswer> {
    const { entry, signal } = active;
    entry.decision = 'prepared';
    if (prepared.kind === 'answer') {
      entry.figures = { ...entry.figures, model: prepared.answer.model, isEdited: prepared.isEdited };
      return prepared.answer;
    }
    const models = await this.access.models.list(signal);
    const { draft } = prepared;
    const model = models.find(({ id }) => id === draft.modelId);
    return model
      ? this.#sendUnreviewed(active, models, model, draft)
      : this.#reviewRequest(active, models, { ...draft, modelId: chosenModel(models, active).id });
  }

  async #answerNew(active: ActiveRequest): Promise<ModelAnswer> {
    const models = await this.access.models.list(active.signal);
    if (active.request.tools.length > 0 && !this.#rounds.admit(active.source.requests)) {
      throw new SamplingFailure('limited', roundsSentence());
    }
    const model = chosenModel(models, active);
    const draft: RequestDraft = { modelId: model.id, edits: [] };
    return this.#verdictOn(active, model) === 'send'
      ? this.#sendUnreviewed(active, models, model, draft)
      : this.#reviewRequest(active, models, draft);
  }

  /** Sends a request that you allowed in general, or approved before. */
  async #sendUnreviewed(
    active: ActiveRequest,
    models: readonly LanguageModel[],
    model: LanguageModel,
    draft: RequestDraft,
  ): Promise<ModelAnswer> {
    const { signal, entry, server } = active;
    const isPrepared = entry.decision === 'prepared';
    const request = requestWithEdits(active.request, draft.edits);
    const { problem, input } = await this.#calls.estimate(server.definition.id, model, request, signal);
    signal.throwIfAborted();
    // Nothing happens between this check and the call of the model.
    if (isPrepared ? problem !== undefined : this.#verdictOn(active, model) !== 'send') {
      return this.#reviewRequest(active, models, draft);
    }
    if (problem !== undefined) {
      throw new SamplingFailure('limited', problem);
    }
    if (!isPrepared) {
      const { basis, isForSession } = this.#policyOf(active);
      entry.decision = isForSession || basis === 'decision' ? 'remembered' : 'unasked';
    }
    let answer: ModelAnswer;
    try {
      const isStopped = new AbortController().signal;
      const generation: Generation = { model, request, onText: () => {}, isStopped, signal };
      answer = await this.#calls.send(active, generation, input, isPrepared);
    } catch (error) {
      // You can still decide: about a model that needs a click of yours, or what to do instead.
      if (!signal.aborted && (isPermissionMissing(error) || (isPrepared && isModelFailure(error)))) {
        entry.decision = 'withdrawn';
        return this.#reviewRequest(active, models, draft, messageOf(error));
      }
      throw error;
    }
    this.#refuseDenied(active);
    entry.figures = { ...entry.figures, isEdited: request !== active.request };
    return reviewsAnswer(this.#parts.settings.reviewResponses, isPrepared)
      ? this.#reviews.review(active, models, { draft, state: { kind: 'answer', answer, isStopped: false } })
      : answer;
  }

  #reviewRequest(
    active: ActiveRequest,
    models: readonly LanguageModel[],
    draft: RequestDraft,
    problem?: string,
  ): Promise<ModelAnswer> {
    const state = { kind: 'request', ...(problem !== undefined && { problem }) } as const;
    return this.#reviews.review(active, models, { draft, state });
  }

  /** What applies at this moment, with the decisions of all windows and the definition as it is now. */
  #policyOf({ source, occasion }: ActiveRequest) {
    return this.access.freshPolicyOf(source.server().definition, occasion);
  }

  #verdictOn(active: ActiveRequest, model: LanguageModel): 'review' | 'send' {
    const access = this.#policyOf(active);
    const verdict = verdictOnSampling({ access, isModelRecorded: this.#parts.record.has(model.id) });
    if (verdict === 'refuse') {
      throw rejected();
    }
    return verdict;
  }

  /** @throws SamplingFailure `rejected` where you, a definition or a setting denies model access. */
  #refuseDenied(active: ActiveRequest): void {
    if (this.#policyOf(active).policy === 'deny') {
      throw rejected();
    }
  }

  /** Writes a failure to the log, and shows an exceeded limit with the server. */
  #report({ definition: { id } }: AskingServer, { kind, message }: SamplingFailure): void {
    switch (kind) {
      case 'limited':
      case 'noModel':
        if (kind === 'limited') {
          this.access.note(id, message);
        }
        this.#parts.log?.(id, 'warn', `A request for a language model was refused: ${message}`);
        break;
      case 'malformed':
      case 'model':
        this.#parts.log?.(id, 'warn', `A request for a language model failed: ${message}`);
        break;
      case 'rejected':
      case 'over':
        this.#parts.log?.(id, 'info', `A request for a language model got no answer: ${message}`);
        break;
    }
  }

  /** What is denied now is denied to requests in progress as well. */
  #policyChanged(): void {
    for (const active of this.#active) {
      const { source, occasion } = active;
      if (this.access.policyOf(source.server().definition, occasion).policy === 'deny') {
        active.cancel();
      }
    }
    this.#reviews.limitsChanged();
  }

  /** Without a model, no request waits in a queue. */
  #modelsChanged(models: readonly LanguageModel[]): void {
    if (models.length === 0) {
      this.#queue.rejectWaiting(noModel());
    }
    this.#reviews.modelsChanged(models);
  }
}

function chosenModel(models: readonly LanguageModel[], { request }: ActiveRequest): LanguageModel {
  const model = chooseModel(models, request.hints);
  if (!model) {
    throw noModel();
  }
  return model;
}
