import * as vscode from 'vscode';
import { isRecord } from '../../base/values/record.ts';
import { readText } from '../../host/config/edit/changeFile.ts';
import type { ServersFile } from '../../host/config/edit/serversFile.ts';
import { takenNames, type TakenNames } from '../../host/config/edit/withServer.ts';
import { isInUserSettings, type DefinitionOrigin } from '../../host/config/serverDefinition.ts';
import { messageOf } from '../../host/errors/hostError.ts';
import { copilotSource, settingsNow, userSettingsPlace } from '../workspace/configuration.ts';
import { placeText } from '../messages/words.ts';
import { openUserSettings } from './openUserSettings.ts';
import type { UserSettingsFile } from './userSettingsFile.ts';

/** A file where a server can be saved. */
export interface SaveTarget {
  readonly label: string;
  /** Who has the server then. */
  readonly detail: string;
  readonly where: ServersFile;
  readonly origin: DefinitionOrigin;
}

/** Where a server can be saved in this window: your own settings first. */
export function saveTargets(): readonly SaveTarget[] {
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  const user: SaveTarget = {
    label: 'User Settings',
    detail: 'For you, in every window',
    where: 'settings',
    origin: { scope: 'user', format: 'settings', place: userSettingsPlace },
  };
  const workspace: readonly SaveTarget[] =
    // The file of an untitled workspace is deleted with it.
    workspaceFile && workspaceFile.scheme !== 'untitled'
      ? [
          {
            label: 'Workspace',
            detail: `For everyone who opens ${nameOf(workspaceFile)}`,
            where: 'workspaceFile',
            origin: { scope: 'workspace', format: 'settings', place: workspaceFile.toString() },
          },
        ]
      : [];
  return [user, ...copilotTargets(), ...workspace, ...workspaceFolders.flatMap(targetsIn)];
}

function copilotTargets(): readonly SaveTarget[] {
  const { isOn, refusal, origin } = copilotSource();
  const detail = 'For you, in every window and in each session of Copilot';
  return isOn && refusal === undefined
    ? [{ label: placeText(origin), detail, where: 'mcpJson', origin }]
    : [];
}

function targetsIn({ uri, name }: vscode.WorkspaceFolder): readonly SaveTarget[] {
  const folder = { uri: uri.toString(), name };
  const place = (...path: string[]): string => vscode.Uri.joinPath(uri, ...path).toString();
  return [
    {
      label: `${name}/.vscode/settings.json`,
      detail: 'For everyone who opens this folder; the server sees only this folder',
      where: 'settings',
      origin: { scope: 'folder', format: 'settings', place: place('.vscode', 'settings.json'), folder },
    },
    {
      label: `${name}/.mcp.json`,
      detail: 'The same, in a file that other tools read, too',
      where: 'mcpJson',
      origin: { scope: 'folder', format: 'mcpJson', place: place('.mcp.json'), folder },
    },
  ];
}

function nameOf(uri: vscode.Uri): string {
  return uri.path.split('/').at(-1) ?? '';
}

/**
 * The names that are taken in a place, to propose free ones. For the user settings they are what the editor has
 * applied, so that no file opens; a name that is taken after all is found when the file is changed.
 */
export async function namesTaken(target: SaveTarget): Promise<TakenNames> {
  if (!isInUserSettings(target.origin)) {
    return takenNames(await fileText(target), target.where);
  }
  const { servers, inputs } = settingsNow(target.origin);
  const ids = Array.isArray(inputs) ? inputs.filter(isRecord).map(({ id }) => String(id)) : [];
  return { servers: new Set(isRecord(servers) ? Object.keys(servers) : []), inputs: new Set(ids) };
}

/** The text of a file, with unsaved changes unless it is that of the user settings; empty when there is no such file. */
export async function fileText(
  { origin }: Pick<SaveTarget, 'origin'>,
  userSettings?: UserSettingsFile,
): Promise<string> {
  if (isInUserSettings(origin)) {
    const known = await userSettings?.text();
    if (known !== undefined) {
      return known;
    }
    const { editor, close } = await openUserSettings();
    const text = editor.document.getText();
    await close();
    return text;
  }
  if (origin.scope === 'user') {
    const uri = vscode.Uri.parse(origin.place);
    return openDocument(uri)?.getText() ?? readText(uri.fsPath).text;
  }
  const document = await definitionDocument(origin);
  return document?.getText() ?? '';
}

/**
 * The document of a file; undefined when there is none. The user settings are opened, because no stable API gives
 * their path.
 */
export async function definitionDocument(origin: DefinitionOrigin): Promise<vscode.TextDocument | undefined> {
  if (isInUserSettings(origin)) {
    return (await openUserSettings()).editor.document;
  }
  const uri = vscode.Uri.parse(origin.place);
  const open = openDocument(uri);
  if (open) {
    return open;
  }
  try {
    await vscode.workspace.fs.stat(uri);
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') {
      return undefined;
    }
    throw new Error(messageOf(error), { cause: error });
  }
  return vscode.workspace.openTextDocument(uri);
}

/** The document that has a file open, with its unsaved changes. */
export function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
}
