import type { LiveCards } from '../../../src/host/questions/liveCards.ts';
import type { Question, QuestionKind, QuestionView } from '../../../src/host/questions/question.ts';

/** The questions of one kind. */
export function ofKind<Q extends Question, A>(
  questions: readonly Question[],
  kind: QuestionKind<Q, A>,
): readonly Q[] {
  return questions.filter((question): question is Q => question.kind === kind);
}

/** The view of a question, and its text. */
export function shownOf(
  question: Question,
  more: { readonly isRenewed?: boolean } = {},
): { readonly view: QuestionView; readonly text: string } {
  const context = { id: 'id', placeOf: () => 'your user settings', isRenewed: false, ...more };
  const view = question.kind.view(question, context);
  return { view, text: question.kind.text(view) };
}

/** For a panel in which no card changes. */
export function noLiveCards(): LiveCards {
  return {
    kept: [],
    sync: () => undefined,
    keep: () => undefined,
    act: () => undefined,
    view: () => undefined,
    dispose: () => undefined,
  };
}
