import { afterTimeout, type After } from '../../base/after.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { MissedRequests } from './missedRequests.ts';
import type { SamplingState } from './samplingReview.ts';
import { visibleText } from '../../base/visibleText.ts';
import type { Question, SamplingQuestion } from '../questions/questionQueue.ts';
import type { ToPanel } from '../questions/reviewProtocol.ts';
import { actOn, copiedText } from './samplingActs.ts';
import { samplingContent, type SamplingContent } from './samplingContent.ts';
import { SamplingDrafts } from './samplingDrafts.ts';
import type { SamplingActMessage } from './samplingProtocol.ts';
import { samplingNow, streamedText } from './samplingView.ts';
import type { SamplingMoment } from '../questions/viewContext.ts';
import { phaseText, runAgainText } from './samplingWords.ts';

/** Milliseconds between two looks at what a model is saying. */
const PROGRESS_MS = 200;

interface Card {
  readonly question: SamplingQuestion;
  readonly store: DisposableStore;
  phase: number;
  state: SamplingState;
  content?: SamplingContent;
  /** While the next look is due. */
  progress?: Disposable;
}

/** The panel that the cards are in. */
export interface CardsPort {
  post(message: ToPanel): void;
  copy(text: string): void;
  /** The id under which a card is before the person's eyes; undefined while it is not. */
  idOf(question: SamplingQuestion): string | undefined;
  /** The person is done with a card that stayed; the words say what follows. */
  closed(question: SamplingQuestion, words: string): void;
}

/** What a session of the panel needs besides the queue; those that outlive it come from without. */
export interface SamplingTools {
  readonly drafts: SamplingDrafts;
  /** Requests that the panel can be opened at although nobody waits for them. */
  readonly missed: Pick<MissedRequests, 'drop'>;
  readonly after: After;
  readonly now: () => number;
}

/** Those of a session of its own. */
export function samplingTools(): SamplingTools {
  return {
    drafts: new SamplingDrafts(),
    missed: new MissedRequests(),
    after: afterTimeout,
    now: Date.now,
  };
}

/** The requests for models that one panel shows: in which state each is, and which stay when nobody waits any more. */
export class SamplingCards implements Disposable {
  readonly #port: CardsPort;
  readonly #tools: SamplingTools;
  readonly #cards = new Map<SamplingQuestion, Card>();
  readonly #kept = new Set<SamplingQuestion>();

  constructor(tools: SamplingTools, port: CardsPort) {
    this.#tools = tools;
    this.#port = port;
  }

  dispose(): void {
    [...this.#cards.keys()].forEach((question) => this.#close(question));
  }

  /** Those that nobody waits for, and that the person has not closed yet, the oldest first. */
  get kept(): readonly SamplingQuestion[] {
    return [...this.#kept];
  }

  /** Takes up what waits now; of what does not any more, what was shown and has ended stays. */
  sync(waiting: readonly Question[], shown: readonly Question[]): void {
    for (const question of waiting) {
      if (question.kind === 'sampling' && !this.#cards.has(question)) {
        this.#open(question);
      }
    }
    for (const { question, state } of this.#cards.values()) {
      if (!waiting.includes(question) && !this.#kept.has(question)) {
        if (state.kind === 'ended' && shown.includes(question)) {
          this.#kept.add(question);
        } else {
          this.#close(question);
        }
      }
    }
  }

  /** Shows the card of a request that nobody waits for. */
  keep(question: SamplingQuestion): void {
    if (!this.#cards.has(question)) {
      this.#open(question);
    }
    this.#kept.add(question);
  }

  /** An act of an earlier state does nothing; what the person writes into a request has its place in any. */
  act(question: SamplingQuestion, message: SamplingActMessage): void {
    const { review } = question;
    const { drafts } = this.#tools;
    if (message.phase !== this.#cards.get(question)?.phase && message.act !== 'draft') {
      return;
    }
    actOn(review, message, drafts);
    switch (message.act) {
      case 'draft':
      case 'draftAnswer':
        return this.#showNow(question, '');
      case 'copy':
        this.#port.copy(copiedText(review, drafts));
        return this.#showNow(question, 'Copied.');
      case 'close':
        return this.#done(question, '');
      case 'runAgain':
        return this.#done(question, runAgainText(review));
      case 'send':
      case 'deliver':
      case 'stop':
      case 'regenerate':
      case 'deny':
      case 'never':
        return; // the review says what becomes of it
    }
  }

  /** Where a card stands at this moment. */
  momentOf(question: SamplingQuestion): SamplingMoment {
    const card = this.#cards.get(question) ?? this.#open(question);
    card.content ??= samplingContent(question.review.subject.request);
    const { drafts, now } = this.#tools;
    return { phase: card.phase, now: now(), drafts, content: card.content };
  }

  /** Puts away a card that has stayed. */
  #done(question: SamplingQuestion, words: string): void {
    if (this.#kept.has(question)) {
      this.#tools.missed.drop(question);
      this.#close(question);
      this.#port.closed(question, words);
    }
  }

  #close(question: SamplingQuestion): void {
    this.#cards.get(question)?.store.dispose();
    this.#cards.delete(question);
    this.#kept.delete(question);
  }

  #open(question: SamplingQuestion): Card {
    const store = new DisposableStore();
    const card: Card = { question, store, phase: 0, state: question.review.state };
    this.#cards.set(question, card);
    store.add(question.review.onDidChange(() => this.#reviewChanged(card)));
    store.add({ dispose: () => card.progress?.dispose() });
    return card;
  }

  #reviewChanged(card: Card): void {
    const { question, state: before } = card;
    const { state } = question.review;
    card.state = state;
    if (state.kind === 'done') {
      return; // it is withdrawn next
    }
    if (isOtherPhase(before, state)) {
      card.phase += 1;
      card.progress?.dispose();
      delete card.progress;
      this.#showNow(question, phaseText(visibleText(question.server.label), question.review));
    } else if (state.kind === 'generating' && before !== state) {
      card.progress ??= this.#tools.after(PROGRESS_MS, () => this.#showProgress(card));
    } else {
      this.#showNow(question, '');
    }
  }

  #showNow(question: SamplingQuestion, status: string): void {
    const id = this.#port.idOf(question);
    if (id !== undefined) {
      this.#port.post({ type: 'now', id, now: samplingNow(question, this.momentOf(question)), status });
    }
  }

  #showProgress(card: Card): void {
    delete card.progress;
    const id = this.#port.idOf(card.question);
    if (id !== undefined && card.state.kind === 'generating') {
      this.#port.post({ type: 'progress', id, phase: card.phase, text: streamedText(card.state.text) });
    }
  }
}

/** Whether an act that was meant for one state must not reach the other. */
export function isOtherPhase(before: SamplingState, after: SamplingState): boolean {
  if (before.kind === 'answer' && after.kind === 'answer') {
    return before.answer !== after.answer;
  }
  if (before.kind === 'request' && after.kind === 'request') {
    return before.problem !== after.problem;
  }
  return before.kind !== after.kind;
}
