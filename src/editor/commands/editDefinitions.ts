import * as vscode from 'vscode';
import type { DefinitionOrigin } from '../../host/config/serverDefinition.ts';
import { inNotification } from '../plainText.ts';
import { placeText } from '../words.ts';
import { edit } from './saveServers.ts';
import { documentOf } from './saveTargets.ts';

/**
 * Changes the text of the file that definitions stand in, as one edit that one undo takes back, and saves it.
 * A file that had unsaved changes is changed and not saved: those are the user's to save.
 *
 * @param change gives the new text, and does what must come before it; what it throws is thrown, and nothing is
 * changed then.
 * @throws Error that says why the file cannot be changed.
 * @returns whether the file is saved.
 */
export async function editDefinitions(
  origin: DefinitionOrigin,
  change: (text: string) => string | Promise<string>,
): Promise<boolean> {
  const document = await documentOf(origin);
  if (!document) {
    throw new Error(`There is no file ${placeText(origin)} any longer.`);
  }
  const wasClean = !document.isDirty;
  const before = document.getText();
  const written = await edit(document, before, await change(before));
  const isSaved = wasClean && (await written.save());
  if (!isSaved) {
    const message = `The change is in ${placeText(origin)}, which had unsaved changes: save the file to use it.`;
    void vscode.window.showWarningMessage(inNotification(message));
  }
  return isSaved;
}
