import type { Disposable } from '../../../base/lifetime/disposable.ts';
import { visibleText } from '../../../base/text/visibleText.ts';
import type { UnknownRecord } from '../../../base/values/record.ts';
import type { CardsPort, LiveCards } from '../../questions/liveCards.ts';
import type { Question, ViewContext } from '../../questions/question.ts';
import type { MissedRequests } from './missedRequests.ts';
import { choicesOf } from './reviewChoices.ts';
import { samplingContent, type SamplingContent } from './samplingContent.ts';
import { readAct, type SamplingAct, type SamplingUpdate, type SamplingView } from './samplingProtocol.ts';
import { isSamplingQuestion } from './samplingQuestion.ts';
import type { SamplingQuestion } from './samplingReview.ts';
import { enteredText, samplingNow, samplingView, streamedText } from './samplingView.ts';
import { phaseText } from './samplingWords.ts';

interface Card {
  readonly listening: Disposable;
  /** The phase that was posted last. */
  phase: number;
  content?: SamplingContent;
}

/** The cards of requests for a model in one panel, and which stay after their requests have ended. */
export class SamplingCards implements LiveCards {
  readonly #missed: Pick<MissedRequests, 'drop'>;
  readonly #now: () => number;
  readonly #port: CardsPort;
  readonly #cards = new Map<SamplingQuestion, Card>();
  readonly #kept = new Set<SamplingQuestion>();

  /** `missed` has the requests that have ended, and whose cards can still be opened. */
  constructor(missed: Pick<MissedRequests, 'drop'>, now: () => number, port: CardsPort) {
    this.#missed = missed;
    this.#now = now;
    this.#port = port;
  }

  dispose(): void {
    [...this.#cards.keys()].forEach((question) => this.#close(question));
  }

  /** Cards of ended requests that you have not closed yet, the oldest first. */
  get kept(): readonly SamplingQuestion[] {
    return [...this.#kept];
  }

  /** Follows what waits now. A card that was shown stays if its request has ended. */
  sync(waiting: readonly Question[], shown: readonly Question[]): void {
    waiting.filter(isSamplingQuestion).forEach((question) => this.#cardOf(question));
    for (const question of this.#cards.keys()) {
      if (!waiting.includes(question) && !this.#kept.has(question)) {
        if (question.review.state.kind === 'ended' && shown.includes(question)) {
          this.#kept.add(question);
        } else {
          this.#close(question);
        }
      }
    }
  }

  /** Shows the card of a request that has ended. */
  keep(question: SamplingQuestion): void {
    this.#cardOf(question);
    this.#kept.add(question);
  }

  /** Does nothing for a choice in an earlier phase; your edits of the request are always kept. */
  act(question: Question, given: UnknownRecord): void {
    const act = readAct(given);
    if (!act || !isSamplingQuestion(question) || !this.#cards.has(question)) {
      return;
    }
    const { review } = question;
    const isNow = act.phase === review.phase;
    if (act.choice === undefined) {
      review.edit(act.draft, isNow ? act.edits : undefined);
    } else if (isNow) {
      this.#choose(question, act);
    }
  }

  /** The card as it is now. */
  view(question: Question, context: ViewContext): SamplingView | undefined {
    if (!isSamplingQuestion(question)) {
      return undefined;
    }
    const card = this.#cardOf(question);
    card.content ??= samplingContent(question.review.subject.request);
    return samplingView(question, context, this.#now(), card.content);
  }

  #choose(question: SamplingQuestion, act: SamplingAct): void {
    const { review } = question;
    const [choice] = choicesOf(review).find(([{ id }]) => id === act.choice) ?? [];
    choice?.choose?.(review, act);
    if (choice?.isCopy === true) {
      this.#port.copy(enteredText(review));
      this.#showNow(question, 'Copied.');
    }
    const words = choice?.close?.(review);
    if (words !== undefined && this.#kept.has(question)) {
      this.#missed.drop(question);
      this.#close(question);
      this.#port.closed(question, words);
    }
  }

  #close(question: SamplingQuestion): void {
    this.#cards.get(question)?.listening.dispose();
    this.#cards.delete(question);
    this.#kept.delete(question);
  }

  #cardOf(question: SamplingQuestion): Card {
    const open = this.#cards.get(question);
    if (open) {
      return open;
    }
    const { review } = question;
    const card: Card = {
      listening: review.onDidChange(() => this.#changed(question, card)),
      phase: review.phase,
    };
    this.#cards.set(question, card);
    return card;
  }

  #changed(question: SamplingQuestion, card: Card): void {
    const { review, server } = question;
    const { state, phase } = review;
    if (state.kind === 'done') {
      return; // the question is withdrawn next
    }
    if (phase !== card.phase) {
      card.phase = phase;
      this.#showNow(question, phaseText(visibleText(server.label), review));
    } else if (state.kind === 'generating') {
      this.#post(question, () => ({ kind: 'progress', phase, text: streamedText(state.text) }), '');
    } else {
      this.#showNow(question, '');
    }
  }

  #showNow(question: SamplingQuestion, status: string): void {
    this.#post(question, () => ({ kind: 'now', now: samplingNow(question, this.#now()) }), status);
  }

  #post(question: SamplingQuestion, update: () => SamplingUpdate, status: string): void {
    const id = this.#port.idOf(question);
    if (id !== undefined) {
      this.#port.post({ type: 'update', id, update: update(), status });
    }
  }
}
