import * as vscode from 'vscode';
import { scopesOf } from '../../host/gate/callView.ts';
import { plain } from '../../host/questions/panelText.ts';
import { questionText, questionView } from '../../host/review/questionView.ts';
import { visibleText } from '../../base/visibleText.ts';
import {
  serversOf,
  type AnswerTo,
  type Question,
  type QuestionQueue,
  type SamplingQuestion,
} from '../../host/questions/questionQueue.ts';
import { isIdentified } from '../../host/ledger/door.ts';
import { announcementText } from '../../host/review/questionWords.ts';
import type { ViewDocuments } from '../documents/viewDocuments.ts';
import { placeText } from '../words.ts';
import { reviewInModals } from './samplingModal.ts';

/** Longer text pushes a modal's buttons off the screen. */
const MODAL_CHARACTERS = 600;

const nouns: Readonly<Record<Question['kind'], string>> = {
  launch: 'launch',
  roots: 'question',
  call: 'question',
  sampling: 'request',
};

/** What a dialog can answer, and the button for it. */
interface Choice extends vscode.MessageItem {
  readonly answer: AnswerTo<Question>;
}

/**
 * Asks in a dialog, for when there is no panel; a long question stands in a document behind it. No single
 * folder can be chosen there. False when the person looked away from it.
 */
export async function askInModal(
  queue: QuestionQueue,
  documents: ViewDocuments,
  question: Question,
): Promise<boolean> {
  if (question.kind === 'sampling') {
    return reviewInModals(question, (choices) => show(documents, question, choices));
  }
  const chosen = await show(documents, question, choicesFor(question));
  if (!chosen) {
    return false;
  }
  queue.answer(question, chosen.answer);
  return true;
}

async function show<T extends vscode.MessageItem>(
  documents: ViewDocuments,
  question: Question,
  choices: readonly T[],
): Promise<T | undefined> {
  const view = questionView(question, {
    id: '',
    placeOf: ({ origin }) => placeText(origin),
    isRenewed: false,
  });
  const title = plain(view.title);
  const whole = questionText(view);
  let detail = whole;
  // The text of others may be of any length and look like anything: it never stands in the dialog itself.
  if (question.kind === 'sampling' || title.length + whole.length > MODAL_CHARACTERS) {
    const what = nouns[question.kind];
    const labels = serversOf(question).map(({ label }) => visibleText(label));
    await documents.showText(`${labels.join(', ')} ${what}`, `${title}\n\n${whole}\n`, {
      language: 'mcp-host-result',
    });
    detail =
      question.kind === 'sampling'
        ? `The ${isAnswered(question) ? 'answer' : 'request'} is open in the editor behind this dialog.`
        : `The whole ${what} is too long for this dialog: it is open in the editor behind it.`;
  }
  const words = isAnswered(question) ? announcementText([question]) : title;
  return vscode.window.showWarningMessage(words, { modal: true, detail }, ...choices);
}

function isAnswered(question: Question): boolean {
  return question.kind === 'sampling' && question.review.state.kind === 'answer';
}

/** The first is what Enter presses, and this dialog may come while the person is typing: it gives nothing. */
function choicesFor(question: Exclude<Question, SamplingQuestion>): readonly Choice[] {
  if (question.kind === 'call') {
    const [scope = 'one'] = scopesOf(question);
    return [
      { title: "Don't Allow", answer: { answer: 'refuse', span: 'once', scope: 'one' } },
      { title: 'Allow Once', answer: { answer: 'run', span: 'once', scope: 'one' } },
      ...(isIdentified(question.door)
        ? [{ title: 'Never Allow', answer: { answer: 'refuse', span: 'always', scope } } as const]
        : []),
    ];
  }
  const uris = question.folders.map(({ uri }) => uri);
  const proposed = question.folders.filter(({ isProposed }) => isProposed).map(({ uri }) => uri);
  switch (question.kind) {
    case 'launch':
      return [
        { title: "Don't Allow", answer: { answer: 'deny' } },
        { title: 'Allow', answer: { answer: 'allow', roots: proposed } },
      ];
    case 'roots':
      return [
        { title: 'Not Now', isCloseAffordance: true, answer: { answer: 'notNow' } },
        { title: "Don't Share", answer: { answer: 'share', roots: [] } },
        ...(proposed.length > 0 && proposed.length < uris.length
          ? [{ title: 'Share Proposed', answer: { answer: 'share', roots: proposed } } as const]
          : []),
        { title: 'Share All', answer: { answer: 'share', roots: uris } },
      ];
  }
}
