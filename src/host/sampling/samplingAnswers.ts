import type { After } from '../../base/after.ts';
import { unlessAborted } from '../../base/cancellation.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { LogLevel } from '../../base/logger.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import type { RequestInFlight } from '../connection/requests/requestsInFlight.ts';
import { messageOf } from '../errors/hostError.ts';
import { generate } from './generation.ts';
import type { LanguageModel, ModelRecord } from './languageModels.ts';
import type { AccessPolicy } from './modelAccess.ts';
import { chooseModel } from './modelChoice.ts';
import type { MissedRequests } from './missedRequests.ts';
import { OpenReview, type Generating, type ReviewFacts } from './openReview.ts';
import type { Prepared, PreparedAnswers, PreparedFor } from './preparedAnswers.ts';
import { withEdits } from './requestTexts.ts';
import { tokensOf } from './requestTokens.ts';
import type { AccessParts, SamplingAccess } from './samplingAccess.ts';
import { SamplingBudget } from './samplingBudget.ts';
import { samplingOccasions } from './samplingDecisions.ts';
import { samplingDoubts } from './samplingDoubts.ts';
import { rejected, SamplingFailure } from '../errors/samplingFailure.ts';
import { roundsSentence, ToolRounds } from './samplingLimits.ts';
import { SamplingLine } from './samplingLine.ts';
import { reviewsAnswer, verdictOnSampling } from './samplingPolicy.ts';
import type { ModelAnswer, RequestDraft } from './samplingReview.ts';
import { isModelFailure, isPermissionMissing, type SamplingTurn } from './samplingTurn.ts';
import type { QuestionQueue } from '../questions/questionQueue.ts';
import { samplingQuestions, type SamplingQuestion } from './samplingQuestion.ts';

/** What it takes to answer requests. */
export interface AnswerParts extends AccessParts {
  readonly record: ModelRecord;
  readonly questions: QuestionQueue;
  /** Where requests are kept that ended before they had an answer. */
  readonly missed: Pick<MissedRequests, 'keep'>;
  /** Runs a tool again because the person wants that, as a click of their own. */
  readonly runAgain: (id: ServerId, request: RequestInFlight) => void;
  /** Writes to a server's log. */
  readonly log?: (id: ServerId, level: LogLevel, message: string) => void;
}

const NO_MODEL = 'No language model is available';

/** Where answers come from: prepared before, or of a model, with the person's review where that is due. */
export class SamplingAnswers implements Disposable {
  readonly #parts: AnswerParts;
  readonly #access: SamplingAccess;
  readonly #prepared: PreparedAnswers;
  readonly #after: After;
  readonly #now: () => number;
  readonly #budget: SamplingBudget;
  readonly #rounds = new ToolRounds();
  readonly #line = new SamplingLine();
  readonly #reviews = new Set<OpenReview>();

  constructor(
    parts: AnswerParts,
    around: {
      readonly access: SamplingAccess;
      readonly prepared: PreparedAnswers;
      readonly after: After;
      readonly now: () => number;
    },
  ) {
    this.#parts = parts;
    this.#access = around.access;
    this.#prepared = around.prepared;
    this.#after = around.after;
    this.#now = around.now;
    this.#budget = new SamplingBudget(parts.models, parts.settings, parts.usage);
  }

  dispose(): void {
    this.#reviews.forEach((review) => review.dispose());
  }

  /** What the limits leave may be different. */
  limitsChanged(): void {
    this.#reviews.forEach((review) => review.limitsChanged());
  }

  /** Other models may be used; without one, nobody waits in line. */
  modelsChanged(allowed: readonly LanguageModel[]): void {
    if (allowed.length === 0) {
      this.#line.turnAway(new SamplingFailure('noModel', NO_MODEL));
    }
    this.#reviews.forEach((review) => review.setModels(allowed));
  }

  /**
   * The answer to a request, when it is its turn; `prepared` is what was approved for it before.
   *
   * @throws SamplingFailure, or whatever `failureOf` makes one of.
   */
  async answer(turn: SamplingTurn, prepared: Prepared | undefined): Promise<ModelAnswer> {
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
    const { settings, questions, missed, runAgain } = this.#parts;
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
    const asked: SamplingQuestion = { kind: samplingQuestions, server: source.server(), review };
    const asking = review.onDidChange(() => {
      if (review.state.kind === 'request' || review.state.kind === 'answer') {
        turn.entry.asksPerson();
      } else if (review.state.kind === 'ended') {
        missed.keep({ question: asked, waitedMs: this.#now() - askedAt }, source.ended);
      }
    });
    turn.entry.asksPerson();
    const question = questions.ask(asked, () => {});
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
        this.#prepared.forget(definition.id);
        this.#access
          .setPolicy(definition, label, samplingOccasions, 'deny')
          .catch((error: unknown) =>
            this.#parts.log?.(definition.id, 'error', `The answer could not be kept: ${messageOf(error)}`),
          );
      }
      life.check();
      throw rejected();
    } finally {
      signal.removeEventListener('abort', over);
      asking.dispose();
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
    const held = this.#budget.held(model, request);
    let said = '';
    let output: number | undefined;
    turn.entry.sent();
    usage.add(definition.id, { requests: 1, tokens: input });
    this.#access.used();
    try {
      const answer = await generate(models, model, held, {
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
      return held === request ? answer : Object.freeze({ ...answer, limit: held.maxTokens });
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
}

/** All that a model said, as far as it is counted. */
function saidIn({ parts }: ModelAnswer): string {
  return parts.map((part) => (part.kind === 'text' ? part.text : JSON.stringify(part))).join('');
}
