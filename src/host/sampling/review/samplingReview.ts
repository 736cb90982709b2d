import type { After } from '../../../base/time/clock.ts';
import type { Disposable } from '../../../base/lifetime/disposable.ts';
import { Emitter } from '../../../base/lifetime/event.ts';
import { messageOf } from '../../errors/hostError.ts';
import type { AskingServer, Question } from '../../questions/question.ts';
import type { Generation, GeneratedAnswer } from '../request/generation.ts';
import type { LanguageModel } from '../request/languageModels.ts';
import type { SamplingDraft, SamplingRequest, TextEdit } from '../request/samplingRequest.ts';
import {
  answerTexts,
  answerWithEdits,
  areEditsOf,
  requestTexts,
  requestWithEdits,
} from '../request/textEdits.ts';
import {
  answerIn,
  isOtherPhase,
  type Prepared,
  type ReviewSubject,
  type SamplingEstimate,
  type SamplingState,
  type SendSpan,
} from './reviewState.ts';

/** Milliseconds between two updates of a model's answer. */
const PROGRESS_MS = 200;
/** Milliseconds after the last edit until a draft is estimated again. */
const QUIET_MS = 300;

const NO_MODEL = 'No language model is available.';

/** Where a review begins: with an answer if the request needed no review. */
export interface ReviewStart {
  readonly draft: SamplingDraft;
  readonly state: Extract<SamplingState, { kind: 'request' | 'answer' }>;
}

/** What a review has done. */
export interface ReviewActs {
  estimate(model: LanguageModel, request: SamplingRequest, signal: AbortSignal): Promise<SamplingEstimate>;
  /** The model for a draft whose model is gone. */
  choose(models: readonly LanguageModel[]): LanguageModel | undefined;
  /** You selected Send; the model is called next. */
  sent(span: SendSpan): void;
  /** Calls the model, within the estimate. */
  generate(generation: Generation, estimate: SamplingEstimate): Promise<GeneratedAnswer>;
  /** Runs the tool again that the request came from; undefined if that isn't known. */
  readonly runAgain: ((prepared: Prepared) => void) | undefined;
}

/** How a review ended; `delivered` has the answer as the server gets it. */
export type ReviewEnd =
  | { readonly kind: 'delivered'; readonly answer: GeneratedAnswer; readonly isEdited: boolean }
  | { readonly kind: 'denied' | 'never' | 'over' };

/**
 * The review of one request for a model, until an answer is delivered, you refuse, or nobody waits any longer: what you
 * see of it, and what you can do. A call that doesn't fit the state does nothing.
 */
export class SamplingReview implements Disposable {
  readonly #onDidChange = new Emitter<void>();
  /** Anything that can be read here has changed. */
  readonly onDidChange = this.#onDidChange.event;
  readonly subject: ReviewSubject;
  readonly #acts: ReviewActs;
  readonly #after: After;
  readonly #end = Promise.withResolvers<ReviewEnd>();
  /** Resolves when you have nothing to decide any longer; it never rejects. */
  readonly end = this.#end.promise;
  #state: SamplingState;
  #phase = 0;
  #models: readonly LanguageModel[];
  #draft: SamplingDraft;
  #answers = 0;
  #answerEdits: readonly TextEdit[] = [];
  #estimate: SamplingEstimate | undefined;
  /** Cancels an estimate of the draft. */
  #estimating = new AbortController();
  /** Cancels what Send has started. */
  #sending: AbortController | undefined;
  #stop = new AbortController();

  constructor(
    subject: ReviewSubject,
    models: readonly LanguageModel[],
    { draft, state }: ReviewStart,
    acts: ReviewActs,
    after: After,
  ) {
    this.subject = subject;
    this.#models = models;
    this.#draft = draft;
    this.#state = state;
    this.#acts = acts;
    this.#after = after;
    this.#renewEstimate();
  }

  get state(): SamplingState {
    return this.#state;
  }

  /** Counts the phases: an act of an earlier phase must do nothing. */
  get phase(): number {
    return this.#phase;
  }

  /** The models that may be used, the preferred first. */
  get models(): readonly LanguageModel[] {
    return this.#models;
  }

  /** The selected model, and your edits of the request. */
  get draft(): SamplingDraft {
    return this.#draft;
  }

  /** Identifies the answer. */
  get answerId(): string {
    return String(this.#answers);
  }

  /** Your edits of the answer. */
  get answerEdits(): readonly TextEdit[] {
    return this.#answerEdits;
  }

  /** Undefined while it is computed. */
  get estimate(): SamplingEstimate | undefined {
    return this.#estimate;
  }

  /**
   * Keeps what you write: in the request until it is sent, also if it ended before, and in the answer. Your edits stay,
   * even if the model that you selected is gone.
   */
  edit(draft: SamplingDraft, answerEdits: readonly TextEdit[] = this.#answerEdits): void {
    const { kind } = this.state;
    const answer = answerIn(this.state);
    if ((kind === 'request' || kind === 'ended') && !answer && this.#isOfRequest(draft.edits)) {
      this.#draft = this.#modelOf(draft) ? draft : { ...draft, modelId: this.draft.modelId };
      if (kind === 'request' && !this.#sending) {
        this.#renewEstimate(QUIET_MS);
      }
    }
    if (answer && areEditsOf(answerTexts(answer), answerEdits)) {
      this.#answerEdits = answerEdits;
    }
    this.#onDidChange.fire();
  }

  /** State `request`: sends the draft. */
  send(draft: SamplingDraft, span: SendSpan): void {
    const isSound = this.#modelOf(draft) && this.#isOfRequest(draft.edits);
    if (this.#state.kind === 'request' && !this.#sending && isSound) {
      void this.#send(draft, span);
    }
  }

  /** State `generating`: keeps the answer so far. */
  stop(): void {
    if (this.#state.kind === 'generating') {
      this.#stop.abort();
    }
  }

  /** State `answer`: gives it to the server with these edits in it. */
  deliver(edits: readonly TextEdit[]): void {
    const state = this.#state;
    if (state.kind === 'answer' && !this.#sending && areEditsOf(answerTexts(state.answer), edits)) {
      this.#deliver(this.#edited(state.answer, edits));
    }
  }

  /** State `answer`: sends the same request again. */
  regenerate(): void {
    if (this.#state.kind === 'answer' && !this.#sending && this.#modelOf(this.#draft)) {
      void this.#send(this.#draft, 'once');
    }
  }

  /** States `request`, `generating` and `answer`. */
  deny(): void {
    this.#refuse('denied');
  }

  /** As `deny`, and for every later request of this server. */
  never(): void {
    this.#refuse('never');
  }

  /**
   * State `ended`, once: runs the tool again; an identical request then gets the answer with these edits in it. Without
   * an answer, the draft counts as sent.
   */
  runAgain(edits: readonly TextEdit[], draft: SamplingDraft): void {
    const state = this.#state;
    const { runAgain } = this.#acts;
    if (state.kind !== 'ended' || !state.canRunAgain || !runAgain) {
      return;
    }
    const { answer } = state;
    if (answer ? areEditsOf(answerTexts(answer), edits) : this.#isOfRequest(draft.edits)) {
      this.become({ ...state, canRunAgain: false });
      runAgain(answer ? { kind: 'answer', ...this.#edited(answer, edits) } : { kind: 'send', draft });
    }
  }

  /** Nobody waits any longer, for this reason: nothing is delivered, and nothing more is spent. */
  over(why: string): void {
    const answer = answerIn(this.#state);
    this.#finish(
      { kind: 'ended', why, ...(answer && { answer }), canRunAgain: this.#acts.runAgain !== undefined },
      { kind: 'over' },
    );
  }

  /** Other models may be used. */
  setModels(models: readonly LanguageModel[]): void {
    if (this.#isLive) {
      this.#models = models;
      this.#fitModel();
      this.#onDidChange.fire();
    }
  }

  /** The limits leave more or less than before. */
  limitsChanged(): void {
    if (this.#isLive && !this.#sending) {
      this.#renewEstimate();
    }
  }

  dispose(): void {
    this.#cancelAll();
    this.#onDidChange.dispose();
  }

  /** Puts the review into another state. */
  protected become(state: SamplingState): void {
    if (isOtherPhase(this.#state, state)) {
      this.#phase += 1;
    }
    if (answerIn(this.#state) !== answerIn(state)) {
      this.#answers += 1;
      this.#answerEdits = [];
    }
    this.#state = state;
    this.#onDidChange.fire();
  }

  /** Whether you can still send, deliver or refuse. */
  get #isLive(): boolean {
    return this.#state.kind !== 'ended' && this.#state.kind !== 'done';
  }

  async #send(draft: SamplingDraft, span: SendSpan): Promise<void> {
    const sending = new AbortController();
    this.#draft = draft;
    this.#sending = sending;
    this.#forgetEstimate();
    try {
      await this.#sendWithin(draft, span, sending.signal);
    } catch (error) {
      // The caller that cancelled it has set the next state.
      if (!sending.signal.aborted) {
        this.#sending = undefined;
        this.become(this.#requestState(messageOf(error)));
        this.#renewEstimate();
      }
    }
  }

  async #sendWithin(draft: SamplingDraft, span: SendSpan, signal: AbortSignal): Promise<void> {
    const model = this.#modelOf(draft);
    if (!model) {
      throw new Error(NO_MODEL);
    }
    // A copy of what you approved: nothing that happens from here on changes it.
    const request = requestWithEdits(this.subject.request, draft.edits);
    const estimate = await this.#acts.estimate(model, request, signal);
    if (signal.aborted) {
      return;
    }
    if (estimate.problem !== undefined) {
      this.#sending = undefined;
      this.#estimate = estimate;
      this.become(this.#state.kind === 'answer' ? this.#state : this.#requestState());
      if (this.#draft !== draft) {
        this.#renewEstimate(); // you have gone on writing
      }
      return;
    }
    this.#acts.sent(this.subject.canAllowSession ? span : 'once');
    // `sent` may have refused the request.
    if (signal.aborted) {
      return;
    }
    const stop = new AbortController();
    const progress = this.#progress();
    this.#stop = stop;
    this.#draft = draft;
    this.become({ kind: 'generating', text: '' });
    const generation = { model, request, onText: progress.show, isStopped: stop.signal, signal };
    const answer = await this.#acts.generate(generation, estimate).finally(() => progress.dispose());
    if (signal.aborted) {
      return;
    }
    this.#sending = undefined;
    this.become({ kind: 'answer', answer, isStopped: stop.signal.aborted });
    this.#fitModel();
    this.#renewEstimate();
  }

  /** Shows the model's text so far, at most once in PROGRESS_MS. */
  #progress(): Disposable & { readonly show: (text: string) => void } {
    let latest = '';
    let timer: Disposable | undefined;
    return {
      show: (text) => {
        latest = text;
        timer ??= this.#after(PROGRESS_MS, () => {
          timer = undefined;
          if (this.#state.kind === 'generating') {
            this.become({ kind: 'generating', text: latest });
          }
        });
      },
      dispose: () => timer?.dispose(),
    };
  }

  /** The answer with your edits in it; `isEdited` if you have changed it or the request. */
  #edited(
    answer: GeneratedAnswer,
    edits: readonly TextEdit[],
  ): { answer: GeneratedAnswer; isEdited: boolean } {
    const { request } = this.subject;
    const given = answerWithEdits(answer, edits);
    return {
      answer: given,
      isEdited: given !== answer || requestWithEdits(request, this.#draft.edits) !== request,
    };
  }

  #deliver(edited: { readonly answer: GeneratedAnswer; readonly isEdited: boolean }): void {
    this.#finish({ kind: 'done', how: 'delivered' }, { kind: 'delivered', ...edited });
  }

  #refuse(how: 'denied' | 'never'): void {
    this.#finish({ kind: 'done', how }, { kind: how });
  }

  #finish(state: SamplingState, end: ReviewEnd): void {
    if (this.#isLive) {
      this.#cancelAll();
      this.become(state);
      this.#end.resolve(end);
    }
  }

  /** Cancels everything in progress. */
  #cancelAll(): void {
    this.#sending?.abort();
    this.#sending = undefined;
    this.#estimating.abort();
  }

  #forgetEstimate(): void {
    this.#estimating.abort();
    this.#estimate = undefined;
  }

  /** Estimates the draft again, once no edit follows for so many milliseconds. */
  #renewEstimate(quietMs = 0): void {
    this.#forgetEstimate();
    this.#estimating = new AbortController();
    const { signal } = this.#estimating;
    if (quietMs === 0) {
      void this.#estimateDraft(signal);
      return;
    }
    const timer = this.#after(quietMs, () => void this.#estimateDraft(signal));
    signal.addEventListener('abort', () => timer.dispose(), { once: true });
  }

  async #estimateDraft(signal: AbortSignal): Promise<void> {
    const model = this.#modelOf(this.#draft);
    if (!model) {
      return;
    }
    const request = requestWithEdits(this.subject.request, this.#draft.edits);
    // If it fails, it is made again before anything is sent, which shows what is wrong.
    const estimate = await this.#acts.estimate(model, request, signal).catch(() => undefined);
    if (estimate && !signal.aborted) {
      this.#estimate = estimate;
      this.#onDidChange.fire();
    }
  }

  #modelOf({ modelId }: SamplingDraft): LanguageModel | undefined {
    return this.models.find(({ id }) => id === modelId);
  }

  /** Replaces a model that is gone, unless it is answering. */
  #fitModel(): void {
    if (this.#sending) {
      return;
    }
    const chosen = this.#modelOf(this.#draft) ?? this.#acts.choose(this.#models);
    if (chosen && chosen.id !== this.#draft.modelId) {
      this.#draft = { ...this.#draft, modelId: chosen.id };
      this.#renewEstimate();
    }
    if (this.#state.kind === 'request') {
      const { problem } = this.#state;
      this.become(this.#requestState(problem === NO_MODEL ? undefined : problem));
    }
  }

  #requestState(problem?: string): SamplingState {
    const shown = this.#models.length === 0 ? NO_MODEL : problem;
    return { kind: 'request', ...(shown !== undefined && { problem: shown }) };
  }

  #isOfRequest(edits: readonly TextEdit[]): boolean {
    return areEditsOf(requestTexts(this.subject.request), edits);
  }
}

/**
 * Whether a server's request goes to a language model, and which answer goes back. You choose in several steps on
 * `review`; the question is withdrawn when the review has ended.
 */
export interface SamplingQuestion extends Question<never> {
  readonly server: AskingServer;
  readonly review: SamplingReview;
}
