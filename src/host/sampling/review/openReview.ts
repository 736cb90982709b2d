import type { After } from '../../../base/time/clock.ts';
import { DisposableStore, type Disposable } from '../../../base/lifetime/disposable.ts';
import { Emitter } from '../../../base/lifetime/event.ts';
import { messageOf } from '../../errors/hostError.ts';
import { DraftEstimate } from './draftEstimate.ts';
import type { Generation, ModelAnswer } from '../request/generation.ts';
import type { LanguageModel } from '../request/languageModels.ts';
import type { Prepared } from './preparedAnswers.ts';
import { answerWithEdits, requestWithEdits } from '../request/textEdits.ts';
import type { RequestDraft, SamplingRequest, TextEdit } from '../request/samplingRequest.ts';
import type {
  ReviewSubject,
  SamplingEstimate,
  SamplingReview,
  SamplingState,
  SendSpan,
} from './samplingReview.ts';

/** Milliseconds between two updates of a model's answer. */
const PROGRESS_MS = 200;

const NO_MODEL = 'No language model is available.';

/** Where a review begins: with an answer if the request needed no review. */
export interface ReviewStart {
  readonly draft: RequestDraft;
  readonly state: Extract<SamplingState, { kind: 'request' | 'answer' }>;
}

/** What a review asks of the broker. */
export interface ReviewActs {
  estimate(model: LanguageModel, request: SamplingRequest, signal: AbortSignal): Promise<SamplingEstimate>;
  /** The model for a draft whose model is gone. */
  choose(models: readonly LanguageModel[]): LanguageModel | undefined;
  /** You selected Send; the model is called next. */
  sent(span: SendSpan): void;
  /** Calls the model; `input` as estimated. */
  generate(generation: Generation, input: number): Promise<ModelAnswer>;
  /** Whether you review the answer as well. */
  reviewsAnswer(): boolean;
  /** Runs the tool again that the request came from; undefined if that isn't known. */
  readonly runAgain: ((prepared: Prepared) => void) | undefined;
}

/** How a review ended; `delivered` has the answer as the server gets it. */
export type ReviewEnd =
  | { readonly kind: 'delivered'; readonly answer: ModelAnswer; readonly isEdited: boolean }
  | { readonly kind: 'denied' | 'never' | 'over' };

/** The review of one request, until an answer is delivered, you refuse, or nobody waits any longer. */
export class OpenReview implements SamplingReview, Disposable {
  readonly #onDidChange = new Emitter<void>();
  readonly onDidChange = this.#onDidChange.event;
  readonly subject: ReviewSubject;
  readonly #acts: ReviewActs;
  readonly #after: After;
  readonly #end = Promise.withResolvers<ReviewEnd>();
  /** Resolves when you have nothing to decide any longer; it never rejects. */
  readonly end = this.#end.promise;
  #state: SamplingState;
  #models: readonly LanguageModel[];
  #draft: RequestDraft;
  readonly #estimate: DraftEstimate;
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
    this.#estimate = new DraftEstimate(
      (signal) => this.#estimated(signal),
      () => this.#onDidChange.fire(),
      after,
    );
    this.#estimate.renew();
  }

  get state(): SamplingState {
    return this.#state;
  }

  get models(): readonly LanguageModel[] {
    return this.#models;
  }

  get draft(): RequestDraft {
    return this.#draft;
  }

  get estimate(): SamplingEstimate | undefined {
    return this.#estimate.current;
  }

  setDraft(draft: RequestDraft): void {
    if (this.#state.kind !== 'request' || this.#sending || !isSoundFor(this.subject.request, draft)) {
      return;
    }
    // Your edits stay, even while the model that you selected is gone.
    const isThere = this.#models.some(({ id }) => id === draft.modelId);
    this.#draft = isThere ? draft : { ...draft, modelId: this.#draft.modelId };
    this.#estimate.renewSoon();
    this.#onDidChange.fire();
  }

  send(draft: RequestDraft, span: SendSpan): void {
    if (this.#state.kind === 'request' && !this.#sending && this.#isSound(draft)) {
      this.#draft = draft;
      void this.#send(span);
    }
  }

  stop(): void {
    if (this.#state.kind === 'generating') {
      this.#stop.abort();
    }
  }

  deliver(edits: readonly TextEdit[]): void {
    if (this.#state.kind !== 'answer' || this.#sending) {
      return;
    }
    const answer = edited(this.#state.answer, edits);
    if (answer) {
      this.#deliver(answer, answer !== this.#state.answer);
    }
  }

  regenerate(): void {
    if (this.#state.kind === 'answer' && !this.#sending && this.#model()) {
      void this.#send('once');
    }
  }

  deny(): void {
    this.#refuse('denied');
  }

  never(): void {
    this.#refuse('never');
  }

  runAgain(edits: readonly TextEdit[], draft: RequestDraft): void {
    const state = this.#state;
    const { runAgain } = this.#acts;
    if (state.kind !== 'ended' || !state.canRunAgain || !runAgain) {
      return;
    }
    const prepared = this.#prepared(state.answer, edits, draft);
    if (prepared) {
      this.#set({ ...state, canRunAgain: false });
      runAgain(prepared);
    }
  }

  /** Nobody waits any longer, for this reason: nothing is delivered, and nothing more is spent. */
  over(why: string): void {
    const state = this.#state;
    if (!isLive(state)) {
      return;
    }
    this.#cancelAll();
    this.#set({
      kind: 'ended',
      why,
      ...(state.kind === 'answer' && { answer: state.answer }),
      canRunAgain: this.#acts.runAgain !== undefined,
    });
    this.#end.resolve({ kind: 'over' });
  }

  /** Other models may be used. */
  setModels(models: readonly LanguageModel[]): void {
    if (isLive(this.#state)) {
      this.#models = models;
      this.#fitModel();
      this.#onDidChange.fire();
    }
  }

  /** The limits leave more or less than before. */
  limitsChanged(): void {
    if ((this.#state.kind === 'request' || this.#state.kind === 'answer') && !this.#sending) {
      this.#estimate.renew();
    }
  }

  dispose(): void {
    this.#cancelAll();
    this.#onDidChange.dispose();
  }

  async #send(span: SendSpan): Promise<void> {
    const sending = new AbortController();
    this.#sending = sending;
    this.#estimate.forget();
    try {
      await this.#sendWithin(sending.signal, span);
    } catch (error) {
      // Whoever cancelled it has set the next state.
      if (!sending.signal.aborted) {
        this.#sending = undefined;
        this.#set(this.#requestState(messageOf(error)));
        this.#estimate.renew();
      }
    }
  }

  async #sendWithin(signal: AbortSignal, span: SendSpan): Promise<void> {
    const model = this.#model();
    if (!model) {
      throw new Error(NO_MODEL);
    }
    // A copy of what you approved: nothing that happens from here on changes it.
    const request = requestWithEdits(this.subject.request, this.#draft.edits);
    const estimate = await this.#acts.estimate(model, request, signal);
    if (signal.aborted) {
      return;
    }
    this.#estimate.take(estimate);
    if (estimate.problem !== undefined) {
      this.#sending = undefined;
      this.#set(this.#state.kind === 'answer' ? this.#state : this.#requestState());
      return;
    }
    this.#acts.sent(this.subject.canAllowSession ? span : 'once');
    // `sent` may have refused the request.
    if (signal.aborted) {
      return;
    }
    const stop = new AbortController();
    this.#stop = stop;
    const progress = new DisposableStore();
    this.#set({ kind: 'generating', text: '' });
    let answer: ModelAnswer;
    try {
      const onText = this.#progress(progress, signal);
      const generation: Generation = { model, request, onText, isStopped: stop.signal, signal };
      answer = await this.#acts.generate(generation, estimate.input);
    } finally {
      progress.dispose();
    }
    if (signal.aborted) {
      return;
    }
    this.#sending = undefined;
    if (stop.signal.aborted || this.#acts.reviewsAnswer()) {
      this.#set({ kind: 'answer', answer, isStopped: stop.signal.aborted });
      this.#fitModel();
      this.#estimate.renew();
    } else {
      this.#deliver(answer, false);
    }
  }

  /** Shows the model's text so far, at most once in PROGRESS_MS. */
  #progress(store: DisposableStore, signal: AbortSignal): (text: string) => void {
    let latest = '';
    let isWaiting = false;
    return (text) => {
      latest = text;
      if (!isWaiting) {
        isWaiting = true;
        store.add(
          this.#after(PROGRESS_MS, () => {
            isWaiting = false;
            if (!signal.aborted) {
              this.#set({ kind: 'generating', text: latest });
            }
          }),
        );
      }
    };
  }

  #deliver(answer: ModelAnswer, isAnswerEdited: boolean): void {
    const isEdited =
      isAnswerEdited || requestWithEdits(this.subject.request, this.#draft.edits) !== this.subject.request;
    this.#finish('delivered', { kind: 'delivered', answer, isEdited });
  }

  #refuse(how: 'denied' | 'never'): void {
    if (isLive(this.#state)) {
      this.#cancelAll();
      this.#finish(how, { kind: how });
    }
  }

  #finish(how: Extract<SamplingState, { kind: 'done' }>['how'], end: ReviewEnd): void {
    this.#cancelAll();
    this.#set({ kind: 'done', how });
    this.#end.resolve(end);
  }

  #prepared(
    answer: ModelAnswer | undefined,
    edits: readonly TextEdit[],
    draft: RequestDraft,
  ): Prepared | undefined {
    if (!answer) {
      return isSoundFor(this.subject.request, draft) ? { kind: 'send', draft } : undefined;
    }
    const given = edited(answer, edits);
    const isEdited =
      given !== answer || requestWithEdits(this.subject.request, this.#draft.edits) !== this.subject.request;
    return given && { kind: 'answer', answer: given, isEdited };
  }

  /** Cancels everything in progress. */
  #cancelAll(): void {
    this.#sending?.abort();
    this.#sending = undefined;
    this.#estimate.cancel();
  }

  #estimated(signal: AbortSignal): Promise<SamplingEstimate> | undefined {
    const model = this.#model();
    return (
      model && this.#acts.estimate(model, requestWithEdits(this.subject.request, this.#draft.edits), signal)
    );
  }

  #model(): LanguageModel | undefined {
    return this.#models.find(({ id }) => id === this.#draft.modelId);
  }

  /** Replaces a model that is gone, unless it is answering. */
  #fitModel(): void {
    if (this.#sending) {
      return;
    }
    const chosen = this.#model() ?? this.#acts.choose(this.#models);
    if (chosen && chosen.id !== this.#draft.modelId) {
      this.#draft = { ...this.#draft, modelId: chosen.id };
      this.#estimate.renew();
    }
    const { kind } = this.#state;
    if (kind === 'request') {
      const { problem } = this.#state;
      this.#state = this.#requestState(problem === NO_MODEL ? undefined : problem);
    }
  }

  #requestState(problem?: string): SamplingState {
    const said = this.#models.length === 0 ? NO_MODEL : problem;
    return { kind: 'request', ...(said !== undefined && { problem: said }) };
  }

  #isSound(draft: RequestDraft): boolean {
    return this.#models.some(({ id }) => id === draft.modelId) && isSoundFor(this.subject.request, draft);
  }

  #set(state: SamplingState): void {
    this.#state = state;
    this.#onDidChange.fire();
  }
}

/** Whether you can still send, deliver or refuse. */
function isLive({ kind }: SamplingState): boolean {
  return kind === 'request' || kind === 'generating' || kind === 'answer';
}

/** Whether each edit is of a text in the request. */
function isSoundFor(request: SamplingRequest, { edits }: RequestDraft): boolean {
  try {
    requestWithEdits(request, edits);
    return true;
  } catch {
    return false;
  }
}

function edited(answer: ModelAnswer, edits: readonly TextEdit[]): ModelAnswer | undefined {
  try {
    return answerWithEdits(answer, edits);
  } catch {
    return undefined;
  }
}
