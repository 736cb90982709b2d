import { afterTimeout, type After } from '../../base/after.ts';
import { unlessAborted } from '../../base/cancellation.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { LogLevel } from '../../base/logger.ts';
import type { AskingServer, QuestionQueue } from '../approval/questionQueue.ts';
import type { ServerDefinition, ServerId } from '../config/serverDefinition.ts';
import type { RequestInFlight } from '../connection/requestsInFlight.ts';
import { messageOf } from '../hostError.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { generate } from './generation.ts';
import type { LanguageModel, ModelRecord } from './languageModels.ts';
import type { AccessPolicy, ModelAccess } from './modelAccess.ts';
import { chooseModel } from './modelChoice.ts';
import { OpenReview, type Generating, type ReviewFacts } from './openReview.ts';
import { PreparedAnswers, type Prepared, type PreparedFor } from './preparedAnswers.ts';
import { readSamplingRequest } from './readSamplingRequest.ts';
import { RequestLife } from './requestLife.ts';
import { withEdits } from './requestTexts.ts';
import { tokensOf } from './requestTokens.ts';
import { SamplingAccess, type AccessParts } from './samplingAccess.ts';
import { SamplingBudget } from './samplingBudget.ts';
import { samplingOccasions } from './samplingDecisions.ts';
import { samplingDoubts } from './samplingDoubts.ts';
import { rejected, SamplingFailure } from './samplingFailure.ts';
import { SamplingFloods } from './samplingFlood.ts';
import { rateSentence, RequestRate, roundsSentence, ToolRounds } from './samplingLimits.ts';
import { SamplingLine } from './samplingLine.ts';
import { reviewsAnswer, verdictOnSampling } from './samplingPolicy.ts';
import type { SamplingRequest } from './samplingRequest.ts';
import { samplingResult } from './samplingResult.ts';
import type { ModelAnswer, RequestDraft } from './samplingReview.ts';
import type { SamplingOccasion, SamplingPolicy } from './samplingSettings.ts';
import type { SamplingResult, SamplingSource, ServerSampling } from './samplingSource.ts';
import {
  bookedRequest,
  failedEnd,
  failureOf,
  isModelFailure,
  isPermissionMissing,
  noFigures,
  type SamplingTurn,
} from './samplingTurn.ts';

/** What the broker needs of the host and the person. */
export interface BrokerParts extends AccessParts {
  readonly record: ModelRecord;
  readonly questions: QuestionQueue;
  readonly ledger: Pick<Ledger, 'begin'>;
  /** Runs a tool again because the person wants that, as a click of their own. */
  runAgain(id: ServerId, request: RequestInFlight): void;
  /** Writes to a server's log. */
  log?(id: ServerId, level: LogLevel, message: string): void;
  /** Values that the server was given, which are written down nowhere. */
  secretsOf?(id: ServerId): Iterable<string>;
  readonly now?: () => number;
  readonly after?: After;
}

const NO_MODEL = 'No language model is available';

/**
 * The one way by which servers come by a language model (client/sampling): each request is read, looked at, reviewed
 * by the person where that is due, sent within the person's limits, and written down.
 */
export class SamplingBroker implements ServerSampling, Disposable {
  readonly #parts: BrokerParts;
  readonly #now: () => number;
  readonly #after: After;
  readonly #access: SamplingAccess;
  readonly #budget: SamplingBudget;
  readonly #rate: RequestRate;
  readonly #rounds = new ToolRounds();
  readonly #floods: SamplingFloods;
  readonly #prepared = new PreparedAnswers();
  readonly #line = new SamplingLine();
  readonly #turns = new Set<SamplingTurn>();
  readonly #reviews = new Set<OpenReview>();
  readonly #store = new DisposableStore();

  constructor(parts: BrokerParts) {
    this.#parts = parts;
    const { settings, models, usage } = parts;
    this.#now = parts.now ?? Date.now;
    this.#after = parts.after ?? afterTimeout;
    this.#access = this.#store.add(new SamplingAccess(parts, this.#now));
    this.#budget = new SamplingBudget(models, settings, usage);
    this.#rate = new RequestRate(() => settings.maxRequestsPerMinute, this.#now);
    this.#floods = this.#store.add(new SamplingFloods(this.#now, this.#after));
    this.#store.add(this.#access.onDidChangePolicy(() => this.#policyChanged()));
    this.#store.add(this.#access.onDidChangeModels((allowed) => this.#modelsChanged(allowed)));
  }

  /** How a server stands may be different. */
  get onDidChange(): SamplingAccess['onDidChange'] {
    return this.#access.onDidChange;
  }

  dispose(): void {
    this.#store.dispose();
    this.#reviews.forEach((review) => review.dispose());
  }

  isOffered(definition: ServerDefinition): boolean {
    return this.#access.isOffered(definition);
  }

  accessOf(definition: ServerDefinition): ModelAccess {
    return this.#access.accessOf(definition);
  }

  /**
   * Keeps what the person decided for a server; `default` forgets it.
   *
   * @throws what the file system says when it cannot be kept: it holds until the window closes.
   */
  async setPolicy(
    definition: ServerDefinition,
    label: string,
    occasion: SamplingOccasion | 'both',
    policy: SamplingPolicy | 'default',
  ): Promise<void> {
    if (policy === 'deny') {
      this.#prepared.forget(definition.id);
    }
    const occasions = occasion === 'both' ? samplingOccasions : [occasion];
    await this.#access.setPolicy(definition, label, occasions, policy);
  }

  /** Lets the requests of what runs now pass until the window closes. */
  allowForSession(definition: ServerDefinition, occasions: readonly SamplingOccasion[]): void {
    this.#access.allowForSession(definition, occasions, true);
  }

  async createMessage(source: SamplingSource, params: unknown): Promise<SamplingResult> {
    const server = source.server();
    const { id } = server.definition;
    const askedAt = this.#now();
    // A flood is turned away before anything is read, and costs next to nothing.
    const mayBePrepared = this.#prepared.isKeptFor(id);
    if (!mayBePrepared) {
      this.#admit(server);
    }
    const request = this.#read(server, params, source.revision);
    const about: PreparedFor = { serverId: id, launch: this.#parts.launchOf(id), request };
    const prepared = this.#prepared.find(about, source.requests);
    if (mayBePrepared && prepared?.kind !== 'answer') {
      this.#admit(server);
    }
    const turn = this.#begin(source, server, request, askedAt);
    try {
      const answer = await this.#answer(turn, prepared);
      turn.life.check();
      const result = samplingResult(answer, request);
      this.#access.note(id, undefined);
      const { decision, figures } = turn;
      turn.entry.end({ decision, outcome: 'done', result, sampling: figures }, this.#secretsOf(id));
      return result;
    } catch (error) {
      const failure = failureOf(error, turn);
      this.#tell(server, failure);
      const end = failedEnd(failure, turn.decision);
      turn.entry.end({ ...end, sampling: turn.figures }, this.#secretsOf(id));
      throw failure;
    } finally {
      this.#turns.delete(turn);
      turn.life.dispose();
    }
  }

  /** Lets a request through, or counts it to a flood. @throws SamplingFailure `limited`. */
  #admit(server: AskingServer): void {
    const { id } = server.definition;
    if (this.#rate.admit(id)) {
      return;
    }
    const sentence = rateSentence(this.#parts.settings.maxRequestsPerMinute);
    this.#access.note(id, sentence);
    this.#floods.refused(id, (count) => {
      const problem = `${sentence} ${count === 1 ? 'One was' : `${count.toLocaleString('en')} were`} refused.`;
      this.#parts.log?.(id, 'warn', problem);
      const entry = this.#begun(server, undefined, () => {});
      entry.end({ decision: 'limited', outcome: 'refused', problem }, this.#secretsOf(id));
      if (this.#access.noteOf(id) === sentence) {
        this.#access.note(id, undefined);
      }
    });
    throw new SamplingFailure('limited', sentence);
  }

  #read(server: AskingServer, params: unknown, revision: string): SamplingRequest {
    try {
      return readSamplingRequest(params, revision);
    } catch (error) {
      if (error instanceof SamplingFailure) {
        this.#tell(server, error);
        const entry = this.#begun(server, undefined, () => {});
        entry.end(failedEnd(error, 'invalid'), this.#secretsOf(server.definition.id));
      }
      throw error;
    }
  }

  #begin(
    source: SamplingSource,
    server: AskingServer,
    request: SamplingRequest,
    askedAt: number,
  ): SamplingTurn {
    const life = new RequestLife(source, askedAt, this.#now);
    const cancel = new AbortController();
    const turn: SamplingTurn = {
      source,
      server,
      occasion: source.requests.length > 0 ? 'inCall' : 'unasked',
      request,
      askedAt,
      life,
      cancel,
      signal: AbortSignal.any([life.signal, cancel.signal]),
      entry: this.#begun(server, bookedRequest(request), () => cancel.abort()),
      decision: 'withdrawn',
      figures: noFigures,
    };
    this.#turns.add(turn);
    return turn;
  }

  #begun({ definition, label }: AskingServer, args: unknown, cancel: () => void): SamplingTurn['entry'] {
    return this.#parts.ledger.begin(
      {
        door: { kind: 'server' },
        serverId: definition.id,
        server: label,
        method: 'sampling/createMessage',
        target: 'no model',
        ...(args !== undefined && { args }),
      },
      cancel,
    );
  }

  async #answer(turn: SamplingTurn, prepared: Prepared | undefined): Promise<ModelAnswer> {
    // What is refused in any case does not wait in line first.
    this.#refuseDenied(turn);
    if (prepared?.kind !== 'answer') {
      await this.#modelsFor(turn);
    }
    const leave = await this.#line.enter(turn.server.definition.id, turn.signal);
    try {
      turn.signal.throwIfAborted();
      this.#refuseDenied(turn);
      return await (prepared && this.#prepared.take(prepared)
        ? this.#givePrepared(turn, prepared)
        : this.#answerAnew(turn));
    } finally {
      leave();
    }
  }

  async #givePrepared(turn: SamplingTurn, prepared: Prepared): Promise<ModelAnswer> {
    turn.decision = 'prepared';
    if (prepared.kind === 'answer') {
      turn.figures = { ...turn.figures, model: prepared.answer.model, isEdited: prepared.isEdited };
      return prepared.answer;
    }
    const models = await this.#modelsFor(turn);
    const { draft } = prepared;
    const model = models.find(({ id }) => id === draft.modelId);
    return model
      ? this.#sendUnreviewed(turn, models, model, draft)
      : this.#review(turn, models, { ...draft, modelId: this.#chosen(models, turn).id }, { kind: 'request' });
  }

  async #answerAnew(turn: SamplingTurn): Promise<ModelAnswer> {
    const models = await this.#modelsFor(turn);
    if (turn.request.tools.length > 0 && !this.#rounds.admit(turn.source.requests)) {
      throw new SamplingFailure('limited', roundsSentence());
    }
    const model = this.#chosen(models, turn);
    const draft: RequestDraft = { modelId: model.id, edits: [] };
    return this.#verdictOn(turn, model) === 'send'
      ? this.#sendUnreviewed(turn, models, model, draft)
      : this.#review(turn, models, draft, { kind: 'request' });
  }

  /** Sends what needs no look of the person's at it now: it is allowed, or was approved before. */
  async #sendUnreviewed(
    turn: SamplingTurn,
    models: readonly LanguageModel[],
    model: LanguageModel,
    draft: RequestDraft,
  ): Promise<ModelAnswer> {
    const { settings } = this.#parts;
    const isPrepared = turn.decision === 'prepared';
    const request = withEdits(turn.request, draft.edits);
    const { problem } = await this.#budget.estimate(turn.server.definition.id, model, request, turn.signal);
    turn.signal.throwIfAborted();
    // Nothing comes between this look and the send.
    if (isPrepared ? problem !== undefined : this.#verdictOn(turn, model) !== 'send') {
      return this.#review(turn, models, draft, { kind: 'request' });
    }
    if (problem !== undefined) {
      throw new SamplingFailure('limited', problem);
    }
    if (!isPrepared) {
      const { basis, isForSession } = this.#policyOf(turn);
      turn.decision = isForSession || basis === 'decision' ? 'remembered' : 'unasked';
    }
    const { signal } = turn;
    const isStopped = new AbortController().signal;
    let answer: ModelAnswer;
    try {
      const what: Generating = { model, request, onText: () => {}, isStopped, signal };
      answer = await this.#generate(turn, what, isPrepared);
    } catch (error) {
      // The person can still be asked: about a model that needs a click of theirs, or what to do instead.
      if (!signal.aborted && (isPermissionMissing(error) || (isPrepared && isModelFailure(error)))) {
        turn.decision = 'withdrawn';
        return this.#review(turn, models, draft, { kind: 'request', problem: messageOf(error) });
      }
      throw error;
    }
    this.#refuseDenied(turn);
    turn.figures = { ...turn.figures, isEdited: request !== turn.request };
    return reviewsAnswer(settings.reviewResponses, isPrepared)
      ? this.#review(turn, models, draft, { kind: 'answer', answer, isStopped: false })
      : answer;
  }

  /** Has the person look at it, until they have delivered an answer. @throws SamplingFailure. */
  async #review(
    turn: SamplingTurn,
    models: readonly LanguageModel[],
    draft: RequestDraft,
    state: ReviewFacts['state'],
  ): Promise<ModelAnswer> {
    const { request, occasion, askedAt, life, signal, source, server } = turn;
    const { definition, label } = server;
    const { settings, questions, runAgain } = this.#parts;
    const { requests } = source;
    let hasGranted = false;
    const call = requests.length === 1 ? requests.find(({ method }) => method === 'tools/call') : undefined;
    const about: PreparedFor = {
      serverId: definition.id,
      launch: this.#parts.launchOf(definition.id),
      request,
    };
    const review = new OpenReview(
      {
        request,
        askedAt,
        occasion,
        requests,
        warnings: samplingDoubts(request),
        models,
        draft,
        canAllowSession: this.#access.canAllowSession(definition, occasion),
        state,
      },
      {
        estimate: (model, sent, abort) => this.#budget.estimate(definition.id, model, sent, abort),
        choose: (left) => chooseModel(left, request.hints),
        sent: (span) => {
          turn.decision = 'asked';
          const { policy, isForSession } = this.#policyOf(turn);
          if (policy === 'deny') {
            turn.cancel.abort();
          } else if (!isForSession && (span === 'session' || policy === 'session')) {
            hasGranted = true;
            this.#access.allowForSession(definition, [occasion], false);
          }
        },
        generate: (what) => this.#generate(turn, what, true),
        reviewsAnswer: () => reviewsAnswer(settings.reviewResponses, true),
        runAgain:
          call &&
          ((prepared) => {
            this.#prepared.keep(about, call, prepared);
            runAgain(definition.id, call);
          }),
      },
      this.#after,
    );
    const over = (): void => (life.signal.aborted ? review.over(life.why) : review.deny());
    signal.addEventListener('abort', over, { once: true });
    this.#reviews.add(review);
    const question = questions.ask({ kind: 'sampling', server: source.server(), review }, () => {});
    if (signal.aborted) {
      over();
    }
    try {
      const end = await review.end;
      if (end.kind === 'delivered') {
        turn.decision = turn.decision === 'prepared' ? turn.decision : 'asked';
        turn.figures = { ...turn.figures, isEdited: end.isEdited };
        return end.answer;
      }
      if (end.kind !== 'over' && hasGranted) {
        // A refusal is no permission for the next one.
        this.#access.endSession(definition, occasion);
      }
      if (end.kind === 'never') {
        this.setPolicy(definition, label, 'both', 'deny').catch((error: unknown) =>
          this.#parts.log?.(definition.id, 'error', `The answer could not be kept: ${messageOf(error)}`),
        );
      }
      life.check();
      throw rejected();
    } finally {
      signal.removeEventListener('abort', over);
      this.#reviews.delete(review);
      question.dispose();
    }
  }

  /** Asks the model, and writes down what that takes. */
  async #generate(turn: SamplingTurn, what: Generating, isClick: boolean): Promise<ModelAnswer> {
    const { models, record, usage } = this.#parts;
    const { definition, label } = turn.server;
    const { model, request, isStopped, signal } = what;
    const input = this.#budget.inputOf(model, request);
    let said = '';
    let output: number | undefined;
    turn.entry.sent();
    usage.add(definition.id, { requests: 1, tokens: input });
    this.#access.used();
    try {
      const answer = await generate(models, model, request, {
        justification: `The MCP server '${label}' asks for an answer.`,
        onText: (text) => {
          said = text;
          what.onText(text);
        },
        isStopped,
        signal,
      });
      if (isClick) {
        record.add(model.id);
      }
      output = await tokensOf(models, model.id, saidIn(answer));
      return answer;
    } catch (error) {
      if (isPermissionMissing(error)) {
        record.remove(model.id);
      }
      throw error;
    } finally {
      // Of what nobody waits for no provider is asked how much it was.
      const tokens = output ?? Math.ceil(said.length / 4);
      const { inputTokens, outputTokens, isEdited } = turn.figures;
      turn.figures = {
        model: model.name,
        inputTokens: inputTokens + input,
        outputTokens: outputTokens + tokens,
        isEdited,
      };
      usage.add(definition.id, { requests: 0, tokens });
      this.#access.used();
    }
  }

  /** What holds at this moment, by all windows and by the definition as it is now. */
  #policyOf({ source, occasion }: SamplingTurn): AccessPolicy {
    const { definition } = source.server();
    this.#access.refresh(definition);
    return this.#access.policyOf(definition, occasion);
  }

  #verdictOn(turn: SamplingTurn, model: LanguageModel): 'review' | 'send' {
    const access = this.#policyOf(turn);
    const verdict = verdictOnSampling({ access, isModelRecorded: this.#parts.record.has(model.id) });
    if (verdict === 'refuse') {
      throw rejected();
    }
    return verdict;
  }

  /** @throws SamplingFailure `rejected` where the person, a definition or a setting says never. */
  #refuseDenied(turn: SamplingTurn): void {
    if (this.#policyOf(turn).policy === 'deny') {
      throw rejected();
    }
  }

  async #modelsFor({ signal }: SamplingTurn): Promise<readonly LanguageModel[]> {
    const models = await unlessAborted(this.#access.models(), signal).catch((error: unknown) => {
      throw new SamplingFailure('noModel', NO_MODEL, { cause: error });
    });
    if (models.length === 0) {
      throw new SamplingFailure('noModel', NO_MODEL);
    }
    return models;
  }

  #chosen(models: readonly LanguageModel[], { request }: SamplingTurn): LanguageModel {
    const model = chooseModel(models, request.hints);
    if (!model) {
      throw new SamplingFailure('noModel', NO_MODEL);
    }
    return model;
  }

  /** What the person should know of a failure, in the log and where the server is shown. */
  #tell({ definition: { id } }: AskingServer, { kind, message }: SamplingFailure): void {
    switch (kind) {
      case 'limited':
      case 'noModel':
        this.#access.note(id, kind === 'noModel' ? `${message}.` : message);
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

  #secretsOf(id: ServerId): Iterable<string> {
    return this.#parts.secretsOf?.(id) ?? [];
  }

  /** What is denied now is denied to those that are on their way, too. */
  #policyChanged(): void {
    for (const { source, occasion, cancel } of this.#turns) {
      if (this.#access.policyOf(source.server().definition, occasion).policy === 'deny') {
        cancel.abort();
      }
    }
    this.#reviews.forEach((review) => review.limitsChanged());
  }

  #modelsChanged(allowed: readonly LanguageModel[]): void {
    if (allowed.length === 0) {
      this.#line.turnAway(new SamplingFailure('noModel', NO_MODEL));
    }
    this.#reviews.forEach((review) => review.setModels(allowed));
  }
}

/** All that a model said, as far as it is counted. */
function saidIn({ parts }: ModelAnswer): string {
  return parts.map((part) => (part.kind === 'text' ? part.text : JSON.stringify(part))).join('');
}
