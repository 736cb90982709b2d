import * as vscode from 'vscode';
import { changeFile } from '../../host/config/edit/changeFile.ts';
import { oneEdit } from '../../host/config/edit/oneEdit.ts';
import { isInUserSettings, type DefinitionOrigin } from '../../host/config/serverDefinition.ts';
import { inNotification } from '../messages/plainText.ts';
import { placeText } from '../messages/words.ts';
import { isTakenUp, TAKEN_UP_MS } from './isTakenUp.ts';
import { openUserSettings } from './openUserSettings.ts';
import { definitionDocument, openDocument } from './saveTargets.ts';
import type { Edited, TextChange, UserSettingsFile } from './userSettingsFile.ts';
import { until } from '../../base/lifetime/until.ts';

/**
 * Changes the text of a file with definitions, as one edit that one undo takes back, and saves it. A file that had
 * unsaved changes is changed and not saved: you save those. A message says if the file is not saved, or if the editor
 * still uses its old settings.
 *
 * @param change returns the new text, after doing what must come before. If it throws, nothing is changed.
 * @throws Error that says why the file cannot be changed.
 * @returns whether the file is saved.
 */
export async function editDefinitions(
  origin: DefinitionOrigin,
  userSettings: UserSettingsFile,
  change: TextChange,
): Promise<boolean> {
  const { text, isSaved } = await edit(origin, userSettings, change);
  if (!isSaved) {
    const message = `The change is in ${placeText(origin)}, which has unsaved changes. Save the file to apply it.`;
    void vscode.window.showWarningMessage(inNotification(message));
  } else if (!(await isTakenUp(origin, text))) {
    void offerReload(origin);
  }
  return isSaved;
}

async function edit(
  origin: DefinitionOrigin,
  userSettings: UserSettingsFile,
  change: TextChange,
): Promise<Edited> {
  if (isInUserSettings(origin)) {
    return editUserSettings(userSettings, change);
  }
  const uri = vscode.Uri.parse(origin.place);
  return origin.scope === 'user' && !openDocument(uri)
    ? { text: await changeFile(uri.fsPath, change), isSaved: true }
    : editFile(origin, change);
}

/** Without showing the settings, if that is possible here. `change` is called once for each text. */
async function editUserSettings(userSettings: UserSettingsFile, change: TextChange): Promise<Edited> {
  let last: { readonly before: string; readonly after: string } | undefined;
  const changeOnce = async (before: string): Promise<string> => {
    last = last?.before === before ? last : { before, after: await change(before) };
    return last.after;
  };
  return (await userSettings.edit(changeOnce)) ?? (await editShown(userSettings, changeOnce));
}

/**
 * Some editors know the user's settings by two URIs and use one of them, while an extension's edits and saves reach
 * the other. So both use the text editor that the editor itself has opened.
 */
async function editShown(userSettings: UserSettingsFile, change: TextChange): Promise<Edited> {
  const { editor, close } = await openUserSettings();
  const { document } = editor;
  try {
    await userSettings.remember(document.uri);
    const wasClean = !document.isDirty;
    const before = document.getText();
    const text = await change(before);
    const { range, content } = rangeOf(document, before, text);
    if (!(await editor.edit((builder) => builder.replace(range, content)))) {
      throw new Error('The user settings could not be changed: they may be read-only.');
    }
    if (wasClean) {
      await vscode.commands.executeCommand('workbench.action.files.save');
      await until(vscode.workspace.onDidSaveTextDocument, () => !document.isDirty, TAKEN_UP_MS);
    }
    return { text, isSaved: wasClean && !document.isDirty };
  } finally {
    await close();
  }
}

async function editFile(origin: DefinitionOrigin, change: TextChange): Promise<Edited> {
  const document = await definitionDocument(origin);
  const wasClean = !document?.isDirty;
  const before = document?.getText() ?? '';
  const text = await change(before);
  const uri = document?.uri ?? vscode.Uri.parse(origin.place);
  const edit = new vscode.WorkspaceEdit();
  if (document) {
    const { range, content } = rangeOf(document, before, text);
    edit.replace(uri, range, content);
  } else {
    edit.createFile(uri, { ignoreIfExists: true });
    edit.insert(uri, new vscode.Position(0, 0), text);
  }
  if (!(await vscode.workspace.applyEdit(edit))) {
    throw new Error(`${placeText(origin)} could not be changed: the file may be read-only.`);
  }
  const changed = await vscode.workspace.openTextDocument(uri);
  const isSaved = wasClean && (await changed.save());
  if (!isSaved) {
    await vscode.window.showTextDocument(changed);
  }
  return { text, isSaved };
}

function rangeOf(
  document: vscode.TextDocument,
  before: string,
  after: string,
): { readonly range: vscode.Range; readonly content: string } {
  if (document.getText() !== before) {
    throw new Error('The file has just changed. Try again.');
  }
  const { offset, length, content } = oneEdit(before, after);
  return {
    range: new vscode.Range(document.positionAt(offset), document.positionAt(offset + length)),
    content,
  };
}

async function offerReload(origin: DefinitionOrigin): Promise<void> {
  const reload = 'Reload Window';
  const message = `The change is saved in ${placeText(origin)}, but this window still uses the old settings.`;
  if ((await vscode.window.showWarningMessage(inNotification(message), reload)) === reload) {
    await vscode.commands.executeCommand('workbench.action.reloadWindow');
  }
}
