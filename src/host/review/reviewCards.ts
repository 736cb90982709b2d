import type { UnknownRecord } from '../../base/values/record.ts';
import { ElicitationCards } from '../elicitation/elicitationCards.ts';
import type { CardsPort, LiveCards } from '../questions/liveCards.ts';
import type { Question, QuestionView, ViewContext } from '../questions/question.ts';
import type { MissedRequests } from '../sampling/review/missedRequests.ts';
import { SamplingCards } from '../sampling/review/samplingCards.ts';

/** Cards that take acts, and follow what waits. */
type ActingCards = Pick<LiveCards, 'act' | 'sync' | 'dispose'>;

/** The live cards of one panel: those that may stay, and others that only take acts. */
class ReviewCards implements LiveCards {
  readonly #cards: LiveCards;
  readonly #others: readonly ActingCards[];

  constructor(cards: LiveCards, others: readonly ActingCards[]) {
    this.#cards = cards;
    this.#others = others;
  }

  get kept(): readonly Question[] {
    return this.#cards.kept;
  }

  dispose(): void {
    [this.#cards, ...this.#others].forEach((cards) => cards.dispose());
  }

  sync(waiting: readonly Question[], shown: readonly Question[]): void {
    [this.#cards, ...this.#others].forEach((cards) => cards.sync(waiting, shown));
  }

  keep(question: Question): void {
    this.#cards.keep(question);
  }

  /** Each kind ignores the questions of the others. */
  act(question: Question, given: UnknownRecord): void {
    [this.#cards, ...this.#others].forEach((cards) => cards.act(question, given));
  }

  view(question: Question, context: ViewContext): QuestionView | undefined {
    return this.#cards.view(question, context);
  }
}

/** The live cards of a panel; `missed` has the requests for models whose cards can still be opened. */
export function reviewCards(
  missed: Pick<MissedRequests, 'drop'>,
  now: () => number,
  port: CardsPort,
): LiveCards {
  return new ReviewCards(new SamplingCards(missed, now, port), [new ElicitationCards(port)]);
}
