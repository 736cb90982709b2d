import type { After } from '../../base/after.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { RequestInFlight } from '../connection/requests/requestsInFlight.ts';
import { messageOf } from '../errors/hostError.ts';
import { DraftEstimate } from './draftEstimate.ts';
import type { LanguageModel } from './languageModels.ts';
import type { Prepared } from './preparedAnswers.ts';
import { answerWithEdits, withEdits } from './requestTexts.ts';
import type { SamplingRequest, TextEdit } from './samplingRequest.ts';
import type {
  ModelAnswer,
  RequestDraft,
  SamplingEstimate,
  SamplingReview,
  SamplingState,
} from './samplingReview.ts';
import type { SamplingOccasion } from '../config/samplingSettings.ts';

/** Milliseconds between two looks at what a model says. */
const PROGRESS_MS = 100;

const NO_MODEL = 'No language model is available.';

/** What is to be reviewed. */
export interface ReviewFacts {
  readonly request: SamplingRequest;
  readonly askedAt: number;
  readonly occasion: SamplingOccasion;
  readonly requests: readonly RequestInFlight[];
  readonly warnings: readonly string[];
  readonly models: readonly LanguageModel[];
  readonly draft: RequestDraft;
  readonly canAllowSession: boolean;
  /** Where it begins; an answer is there already when nobody had to be asked about the request. */
  readonly state: Extract<SamplingState, { kind: 'request' | 'answer' }>;
}

/** What is to be asked for, and how. */
export interface Generating {
  readonly model: LanguageModel;
  readonly request: SamplingRequest;
  readonly onText: (text: string) => void;
  /** Aborts when the person wants no more of it. */
  readonly isStopped: AbortSignal;
  /** Aborts when nobody wants any of it. */
  readonly signal: AbortSignal;
}

/** What a review has done for it. */
export interface ReviewActs {
  estimate(model: LanguageModel, request: SamplingRequest, signal: AbortSignal): Promise<SamplingEstimate>;
  /** The model for a draft whose own is gone. */
  choose(models: readonly LanguageModel[]): LanguageModel | undefined;
  /** The person has let it go, and the model is asked next. */
  sent(span: 'once' | 'session'): void;
  generate(what: Generating): Promise<ModelAnswer>;
  /** Whether an answer waits for the person, too. */
  reviewsAnswer(): boolean;
  /** Has the tool run again that the request came out of; undefined where that is not known. */
  readonly runAgain: ((prepared: Prepared) => void) | undefined;
}

/** How a review came to its end; `delivered` as the server gets it. */
export type ReviewEnd =
  | { readonly kind: 'delivered'; readonly answer: ModelAnswer; readonly isEdited: boolean }
  | { readonly kind: 'denied' | 'never' | 'over' };

/** The review of one request, from the question to what the server gets, or to where nobody waits any more. */
export class OpenReview implements SamplingReview, Disposable {
  readonly #onDidChange = new Emitter<void>();
  readonly onDidChange = this.#onDidChange.event;
  readonly request: SamplingRequest;
  readonly askedAt: number;
  readonly occasion: SamplingOccasion;
  readonly requests: readonly RequestInFlight[];
  readonly warnings: readonly string[];
  readonly canAllowSession: boolean;
  readonly #acts: ReviewActs;
  readonly #after: After;
  readonly #end = Promise.withResolvers<ReviewEnd>();
  /** Settles when it is no matter of the person's any more; it never fails. */
  readonly end = this.#end.promise;
  #state: SamplingState;
  #models: readonly LanguageModel[];
  #draft: RequestDraft;
  readonly #estimate: DraftEstimate;
  /** Ends what a click on Send has set off. */
  #sending: AbortController | undefined;
  #stop = new AbortController();

  constructor(facts: ReviewFacts, acts: ReviewActs, after: After) {
    this.request = facts.request;
    this.askedAt = facts.askedAt;
    this.occasion = facts.occasion;
    this.requests = facts.requests;
    this.warnings = facts.warnings;
    this.canAllowSession = facts.canAllowSession;
    this.#acts = acts;
    this.#after = after;
    this.#state = facts.state;
    this.#models = facts.models;
    this.#draft = facts.draft;
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
    if (this.#state.kind !== 'request' || this.#sending || !isSoundFor(this.request, draft)) {
      return;
    }
    // What was written stays, also while the model that it was written for is gone.
    const isThere = this.#models.some(({ id }) => id === draft.modelId);
    this.#draft = isThere ? draft : { ...draft, modelId: this.#draft.modelId };
    this.#estimate.renewSoon();
    this.#onDidChange.fire();
  }

  send(draft: RequestDraft, span: 'once' | 'session'): void {
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

  /** Nobody waits for it any more, for this reason: nothing is delivered, and nothing more is spent. */
  over(why: string): void {
    const state = this.#state;
    if (!isLive(state)) {
      return;
    }
    this.#cease();
    this.#set({
      kind: 'ended',
      why,
      ...(state.kind === 'answer' && { answer: state.answer }),
      canRunAgain: this.#acts.runAgain !== undefined,
    });
    this.#end.resolve({ kind: 'over' });
  }

  /** Models have come or gone, or others are allowed. */
  setModels(models: readonly LanguageModel[]): void {
    if (isLive(this.#state)) {
      this.#models = models;
      this.#fitModel();
      this.#onDidChange.fire();
    }
  }

  /** What the limits leave may be different. */
  limitsChanged(): void {
    if ((this.#state.kind === 'request' || this.#state.kind === 'answer') && !this.#sending) {
      this.#estimate.renew();
    }
  }

  dispose(): void {
    this.#cease();
    this.#onDidChange.dispose();
  }

  async #send(span: 'once' | 'session'): Promise<void> {
    const sending = new AbortController();
    this.#sending = sending;
    this.#estimate.forget();
    try {
      await this.#sendWithin(sending.signal, span);
    } catch (error) {
      // Whoever ended it has said how it goes on.
      if (!sending.signal.aborted) {
        this.#sending = undefined;
        this.#set(this.#requestState(messageOf(error)));
        this.#estimate.renew();
      }
    }
  }

  async #sendWithin(signal: AbortSignal, span: 'once' | 'session'): Promise<void> {
    const model = this.#model();
    if (!model) {
      throw new Error(NO_MODEL);
    }
    // A copy of what was approved: nothing that happens from here on changes it.
    const request = withEdits(this.request, this.#draft.edits);
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
    this.#acts.sent(this.canAllowSession ? span : 'once');
    // That may have said no.
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
      answer = await this.#acts.generate({ model, request, onText, isStopped: stop.signal, signal });
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

  /** Shows what a model says, not more often than anybody could look. */
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
    const isEdited = isAnswerEdited || withEdits(this.request, this.#draft.edits) !== this.request;
    this.#finish('delivered', { kind: 'delivered', answer, isEdited });
  }

  #refuse(how: 'denied' | 'never'): void {
    if (isLive(this.#state)) {
      this.#cease();
      this.#finish(how, { kind: how });
    }
  }

  #finish(how: Extract<SamplingState, { kind: 'done' }>['how'], end: ReviewEnd): void {
    this.#cease();
    this.#set({ kind: 'done', how });
    this.#end.resolve(end);
  }

  #prepared(
    answer: ModelAnswer | undefined,
    edits: readonly TextEdit[],
    draft: RequestDraft,
  ): Prepared | undefined {
    if (!answer) {
      return isSoundFor(this.request, draft) ? { kind: 'send', draft } : undefined;
    }
    const given = edited(answer, edits);
    const isEdited = given !== answer || withEdits(this.request, this.#draft.edits) !== this.request;
    return given && { kind: 'answer', answer: given, isEdited };
  }

  /** Ends whatever is under way. */
  #cease(): void {
    this.#sending?.abort();
    this.#sending = undefined;
    this.#estimate.cease();
  }

  #estimated(signal: AbortSignal): Promise<SamplingEstimate> | undefined {
    const model = this.#model();
    return model && this.#acts.estimate(model, withEdits(this.request, this.#draft.edits), signal);
  }

  #model(): LanguageModel | undefined {
    return this.#models.find(({ id }) => id === this.#draft.modelId);
  }

  /** Another model in the place of one that is gone; not while it answers. */
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
    return this.#models.some(({ id }) => id === draft.modelId) && isSoundFor(this.request, draft);
  }

  #set(state: SamplingState): void {
    this.#state = state;
    this.#onDidChange.fire();
  }
}

/** Whether the person can still do something about it. */
function isLive({ kind }: SamplingState): boolean {
  return kind === 'request' || kind === 'generating' || kind === 'answer';
}

/** Whether each edit is of a text that is there. */
function isSoundFor(request: SamplingRequest, { edits }: RequestDraft): boolean {
  try {
    withEdits(request, edits);
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
