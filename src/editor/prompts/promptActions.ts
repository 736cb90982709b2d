import * as path from 'node:path';
import * as vscode from 'vscode';
import { counted } from '../../base/words.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { PromptText } from '../../host/documents/promptText.ts';
import { openChatWith } from '../chat/chatCommands.ts';
import { VIEW_SCHEME } from '../documents/viewDocuments.ts';
import { oneLine } from '../plainText.ts';
import type { PromptPreviews } from './promptPreviews.ts';
import { WritableEditors } from './writableEditors.ts';

/** Milliseconds for which a quiet confirmation stays in the status bar. */
const CONFIRMATION_MS = 5_000;

/** Registers what can be done with a prompt that is shown: each acts on the text of its preview only. */
export function registerPromptActions(previews: PromptPreviews): vscode.Disposable {
  const store = new DisposableStore();
  const editors = store.add(new WritableEditors());
  const register = (id: string, verb: string, act: (text: string) => Promise<void>): void => {
    store.add(
      vscode.commands.registerCommand(id, async (uri?: vscode.Uri) => {
        const prompt = previews.promptIn(uri instanceof vscode.Uri ? uri : undefined);
        if (!prompt) {
          void vscode.window.showInformationMessage(
            'There is no prompt to look at here any more. Use the prompt again.',
          );
          return;
        }
        const text = await chooseText(prompt, verb);
        if (text !== undefined) {
          await act(text);
        }
      }),
    );
  };
  register('mcpHost.sendPrompt', 'Send', send);
  register('mcpHost.copyPrompt', 'Copy', copy);
  register('mcpHost.insertPrompt', 'Insert', (text) => insert(text, editors));
  return store;
}

/** The text to act on: where some of it cannot be seen, the person says whether that goes along. */
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
    `The prompt has ${counted(hidden, 'character')} that cannot be seen.`,
    {
      modal: true,
      detail:
        'In the preview such characters are written out, as \\u{200B}. A model reads them, so they may tell it what you have not read; some languages need them.',
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
  // The chat attaches by itself what is selected in front: the header of the preview, too.
  for (const editor of vscode.window.visibleTextEditors) {
    if (editor.document.uri.scheme === VIEW_SCHEME) {
      editor.selection = new vscode.Selection(editor.selection.active, editor.selection.active);
    }
  }
  await openChatWith(text);
}

async function copy(text: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  confirm('Copied the prompt');
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
    confirm(`Inserted the prompt into ${name}`);
  } else {
    void vscode.window.showErrorMessage(`'${name}' cannot be changed. Open another file, then insert again.`);
  }
}

function confirm(text: string): void {
  vscode.window.setStatusBarMessage(`$(check) ${text.replaceAll('$(', '$ (')}`, CONFIRMATION_MS);
}
