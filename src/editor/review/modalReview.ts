import * as vscode from 'vscode';
import { plain, questionText, questionView } from '../../host/approval/questionView.ts';
import type { Question, QuestionQueue } from '../../host/approval/questionQueue.ts';
import { visibleText } from '../../base/visibleText.ts';
import type { ViewDocuments } from '../documents/viewDocuments.ts';
import { placeText } from '../words.ts';

/** Longer text pushes a modal's buttons off the screen. */
const MODAL_CHARACTERS = 600;

/**
 * Asks in a dialog, for when there is no panel; a long question stands in a document behind it. The answer
 * is the proposed folders, or no. False when the person looked away from it.
 */
export async function askInModal(
  queue: QuestionQueue,
  documents: ViewDocuments,
  question: Question,
): Promise<boolean> {
  const place = placeText(question.definition.origin);
  const view = questionView(question, { id: '', place, isRenewed: false });
  const title = plain(view.title);
  const whole = questionText(view);
  let detail = whole;
  if (title.length + whole.length > MODAL_CHARACTERS) {
    await documents.showText(`${visibleText(question.label)} launch`, `${title}\n\n${whole}\n`, {
      language: 'mcp-host-result',
    });
    detail = 'The whole launch is too long for this dialog: it is open in the editor behind it.';
  }
  const allow: vscode.MessageItem = { title: 'Allow' };
  const deny: vscode.MessageItem = { title: "Don't Allow" };
  // The first is what Enter presses, and this dialog may come while the person is typing.
  const chosen = await vscode.window.showWarningMessage(title, { modal: true, detail }, deny, allow);
  if (!chosen) {
    return false;
  }
  const roots = question.folders.filter(({ isProposed }) => isProposed).map(({ uri }) => uri);
  queue.answer(question, chosen === allow ? { answer: 'allow', roots } : { answer: 'deny' });
  return true;
}
