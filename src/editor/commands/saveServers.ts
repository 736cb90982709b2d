import * as vscode from 'vscode';
import { oneEdit } from '../../host/config/edit/oneEdit.ts';
import { definitionOf, type ServerDraft } from '../../host/config/edit/serverDraft.ts';
import { withServer } from '../../host/config/edit/withServer.ts';
import type { ServerDefinition } from '../../host/config/serverDefinition.ts';
import type { InputStore } from '../inputs/inputStore.ts';
import { openDefinition } from './openDefinition.ts';
import { documentOf, type SaveTarget } from './saveTargets.ts';

export interface SaveDependencies {
  readonly inputs: InputStore;
  /** Records the person's approval of exactly this launch, before it stands in any file. */
  readonly approve: (definition: ServerDefinition) => Promise<void>;
}

/**
 * Writes confirmed servers into a file, as one edit that one undo takes back, and keeps the values of their
 * inputs. The file is saved, unless it held unsaved changes: those are the person's to save.
 *
 * @throws Error that says why the file cannot take them; nothing is written then.
 * @returns whether the file is saved.
 */
export async function saveServers(
  drafts: readonly ServerDraft[],
  { where, origin }: SaveTarget,
  { inputs, approve }: SaveDependencies,
): Promise<boolean> {
  const document = await documentOf(origin);
  const before = document?.getText() ?? '';
  const after = drafts.reduce((text, draft) => withServer(text, where, draft), before);
  for (const draft of drafts) {
    for (const [id, value] of draft.values) {
      const declared = draft.inputs.find((input) => input.id === id);
      const isPassword = declared?.type === 'promptString' && declared.password;
      await inputs.store({ place: origin.place, id }, isPassword, value);
    }
    await approve(definitionOf(draft, origin));
  }
  const wasClean = !document?.isDirty;
  const written = document ? await edit(document, before, after) : await create(origin.place, after);
  const isSaved = wasClean && (await written.save());
  await openDefinition(origin, drafts[0]?.name);
  return isSaved;
}

export async function edit(
  document: vscode.TextDocument,
  before: string,
  after: string,
): Promise<vscode.TextDocument> {
  const { offset, length, content } = oneEdit(before, after);
  const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
  const change = new vscode.WorkspaceEdit();
  change.replace(document.uri, range, content);
  if (!(await vscode.workspace.applyEdit(change))) {
    // The editor refuses it for a document that it has opened anew meanwhile; its text is the same.
    const uri = document.uri.toString();
    const shown =
      vscode.window.visibleTextEditors.find((editor) => editor.document.uri.toString() === uri) ??
      (await vscode.window.showTextDocument(document));
    if (!(await shown.edit((builder) => builder.replace(range, content)))) {
      throw new Error('The editor did not take the change: the file may be read-only.');
    }
  }
  return vscode.workspace.openTextDocument(document.uri);
}

async function create(place: string, text: string): Promise<vscode.TextDocument> {
  const uri = vscode.Uri.parse(place);
  const change = new vscode.WorkspaceEdit();
  change.createFile(uri, { ignoreIfExists: true });
  change.insert(uri, new vscode.Position(0, 0), text);
  if (!(await vscode.workspace.applyEdit(change))) {
    throw new Error('The editor could not create the file.');
  }
  return vscode.workspace.openTextDocument(uri);
}
