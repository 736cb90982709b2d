import * as path from 'node:path';
import * as vscode from 'vscode';
import { counted } from '../../base/text/words.ts';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import type { PromptText } from '../../host/documents/promptText.ts';
import type { PromptAction } from '../../host/requestForms/promptRequest.ts';
import { registerCommands } from '../commands/commands.ts';
import { openChatWith } from '../chat/chatCommands.ts';
import { VIEW_SCHEME } from '../documents/viewDocuments.ts';
import { oneLine } from '../messages/plainText.ts';
import { confirmDone } from '../messages/notifications.ts';
import type { PromptPreviews } from './promptPreviews.ts';
import { WritableEditors } from './writableEditors.ts';

/** What you can do with a prompt that you have read: each uses only its text. */
export class PromptActions implements Disposable {
  readonly #editors = new WritableEditors();

  async use(prompt: PromptText, how: PromptAction): Promise<void> {
    const text = await chooseText(prompt, verbs[how]);
    if (text === undefined) {
      return;
    }
    switch (how) {
      case 'send':
        return send(text);
      case 'copy':
        return copy(text);
      case 'insert':
        return insert(text, this.#editors);
    }
  }

  dispose(): void {
    this.#editors.dispose();
  }
}

const verbs: Readonly<Record<PromptAction, string>> = { send: 'Send', copy: 'Copy', insert: 'Insert' };

/** Registers the actions on a prompt that a document shows. Each uses only the text of the preview. */
export function registerPromptActions(previews: PromptPreviews, actions: PromptActions): Disposable {
  const on =
    (how: PromptAction) =>
    async (uri?: unknown): Promise<void> => {
      const prompt = previews.promptIn(uri instanceof vscode.Uri ? uri : undefined);
      if (!prompt) {
        void vscode.window.showInformationMessage(
          'The prompt is no longer in this editor. Use the prompt again.',
        );
        return;
      }
      await actions.use(prompt, how);
    };
  return registerCommands({ sendPrompt: on('send'), copyPrompt: on('copy'), insertPrompt: on('insert') });
}

/** The text to use. If part of it is invisible, you decide whether that is included. */
async function chooseText(
  { shown, original, hidden }: PromptText,
  verb: string,
): Promise<string | undefined> {
  if (hidden === 0) {
    return shown;
  }
  const asShown = `${verb} as Shown`;
  const asItCame = `${verb} with Hidden Characters`;
  const answer = await vscode.window.showWarningMessage(
    `The prompt has ${counted(hidden, 'invisible character')}.`,
    {
      modal: true,
      detail:
        'In the preview such characters are written out, as \\u{200B}. A model reads them, so they may contain instructions that you have not seen. Some languages need them.',
    },
    asShown,
    asItCame,
  );
  switch (answer) {
    case asShown:
      return shown;
    case asItCame:
      return original;
    default:
      return undefined;
  }
}

async function send(text: string): Promise<void> {
  // The chat automatically attaches the selection of the active editor, which may include the preview's header.
  for (const editor of vscode.window.visibleTextEditors) {
    if (editor.document.uri.scheme === VIEW_SCHEME) {
      editor.selection = new vscode.Selection(editor.selection.active, editor.selection.active);
    }
  }
  await openChatWith(text);
}

async function copy(text: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  confirmDone('Copied the prompt');
}

async function insert(text: string, editors: WritableEditors): Promise<void> {
  const editor = await editors.showLast();
  if (!editor) {
    const inNewFile = 'Insert into a New File';
    const answer = await vscode.window.showInformationMessage(
      'No file is open to insert the prompt into.',
      inNewFile,
    );
    if (answer === inNewFile) {
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: text }));
    }
    return;
  }
  const name = oneLine(path.posix.basename(editor.document.uri.path), 60);
  if (await editor.edit((edit) => edit.replace(editor.selection, text))) {
    confirmDone(`Inserted the prompt into ${name}`);
  } else {
    void vscode.window.showErrorMessage(`'${name}' can't be changed. Open another file, and insert again.`);
  }
}
