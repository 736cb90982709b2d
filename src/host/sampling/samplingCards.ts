import { afterTimeout, type After } from '../../base/after.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { visibleText } from '../../base/visibleText.ts';
import type { CardsPort, LiveCards } from '../questions/liveCards.ts';
import type { Fields, Question, ViewContext } from '../questions/question.ts';
import { MissedRequests } from './missedRequests.ts';
import { actOn, copiedText } from './samplingActs.ts';
import { samplingContent, type SamplingContent } from './samplingContent.ts';
import { SamplingDrafts } from './samplingDrafts.ts';
import { readAct, type SamplingAct, type SamplingUpdate, type SamplingView } from './samplingProtocol.ts';
import { isSamplingQuestion, type SamplingQuestion } from './samplingQuestion.ts';
import { isOtherPhase, type SamplingState } from './samplingReview.ts';
import { samplingNow, samplingView, streamedText, type SamplingMoment } from './samplingView.ts';
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
export class SamplingCards implements LiveCards {
  readonly #port: CardsPort;
  readonly #tools: SamplingTools;
  readonly #cards = new Map<Question, Card>();
  readonly #kept = new Set<SamplingQuestion>();

  constructor(tools: SamplingTools, port: CardsPort) {
    this.#tools = tools;
    this.#port = port;
  }

  dispose(): void {
    [...this.#cards.values()].forEach(({ question }) => this.#close(question));
  }

  /** Those that nobody waits for, and that the person has not closed yet, the oldest first. */
  get kept(): readonly SamplingQuestion[] {
    return [...this.#kept];
  }

  /** Takes up what waits now; of what does not any more, what was shown and has ended stays. */
  sync(waiting: readonly Question[], shown: readonly Question[]): void {
    for (const question of waiting) {
      if (isSamplingQuestion(question) && !this.#cards.has(question)) {
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
  act(question: Question, given: Fields): void {
    const card = this.#cards.get(question);
    const message = readAct(given);
    if (!card || !message || (message.phase !== card.phase && message.act !== 'draft')) {
      return;
    }
    this.#do(card.question, message);
  }

  /** The card as it is now. */
  view(question: Question, context: ViewContext): SamplingView | undefined {
    return isSamplingQuestion(question)
      ? samplingView(question, context, this.#momentOf(question))
      : undefined;
  }

  #do(question: SamplingQuestion, message: SamplingAct): void {
    const { review } = question;
    const { drafts } = this.#tools;
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

  /** The state of a card at this moment. */
  #momentOf(question: SamplingQuestion): SamplingMoment {
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
    this.#post(
      question,
      () => ({ kind: 'now', now: samplingNow(question, this.#momentOf(question)) }),
      status,
    );
  }

  #showProgress(card: Card): void {
    delete card.progress;
    const { question, state, phase } = card;
    if (state.kind === 'generating') {
      this.#post(question, () => ({ kind: 'progress', phase, text: streamedText(state.text) }), '');
    }
  }

  #post(question: SamplingQuestion, update: () => SamplingUpdate, status: string): void {
    const id = this.#port.idOf(question);
    if (id !== undefined) {
      this.#port.post({ type: 'update', id, update: update(), status });
    }
  }
}
