import * as vscode from 'vscode';
import { plain } from '../../host/questions/panelText.ts';
import { labelList, type Dialog, type DialogChoice, type Question } from '../../host/questions/question.ts';
import type { QuestionQueue } from '../../host/questions/questionQueue.ts';
import type { ViewDocuments } from '../documents/viewDocuments.ts';
import { placeText } from '../messages/words.ts';

/** Longer text pushes a modal's buttons off the screen. */
const MODAL_CHARACTERS = 600;

/**
 * Asks in a dialog, for when there is no panel; a long question is shown in a document behind it. False when you close
 * the dialog without an answer.
 */
export function askInModal(
  queue: QuestionQueue,
  documents: ViewDocuments,
  question: Question,
): Promise<boolean> {
  return question.kind.askInDialogs(question, {
    show: (dialog) => show(documents, question, dialog),
    answer: (answer) => queue.answer(question, answer),
  });
}

async function show<C extends DialogChoice>(
  documents: ViewDocuments,
  question: Question,
  { noun, title, choices, isForeign = false }: Dialog<C>,
): Promise<C | undefined> {
  const { kind } = question;
  const view = kind.view(question, {
    id: '',
    placeOf: ({ origin }) => placeText(origin),
    isRenewed: false,
  });
  const heading = plain(view.title);
  const whole = kind.text(view);
  let detail = whole;
  if (isForeign || heading.length + whole.length > MODAL_CHARACTERS) {
    await documents.showText(`${labelList(question)} ${noun}`, `${heading}\n\n${whole}\n`, {
      language: 'mcp-host-result',
    });
    detail = `The whole ${noun} is open in the editor behind this dialog.`;
  }
  return vscode.window.showWarningMessage(title ?? heading, { modal: true, detail }, ...choices);
}
