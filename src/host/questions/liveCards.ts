import type { UnknownRecord } from '../../base/values/record.ts';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import type { Question, QuestionView, ViewContext } from './question.ts';
import type { UpdateMessage } from './reviewProtocol.ts';

/** Cards that change while the panel shows them, that take acts, and that may stay when their questions no longer wait. */
export interface LiveCards extends Disposable {
  /** Questions that no longer wait and that you have not closed yet, the oldest first. */
  readonly kept: readonly Question[];
  /** Follows what waits now. */
  sync(waiting: readonly Question[], shown: readonly Question[]): void;
  /** Keeps the card of a question that no longer waits. */
  keep(question: Question): void;
  /** Does what you did in a card; does nothing for anything that is not an act on this question. */
  act(question: Question, given: UnknownRecord): void;
  /** The card as it is now; undefined for a question without a live card. */
  view(question: Question, context: ViewContext): QuestionView | undefined;
}

/** The panel that the cards are in. */
export interface CardsPort {
  post(message: UpdateMessage): void;
  copy(text: string): void;
  /** The id of a card that the panel shows; undefined while it does not. */
  idOf(question: Question): string | undefined;
  /** You have closed a card that had stayed; the words say what follows. */
  closed(question: Question, words: string): void;
}
