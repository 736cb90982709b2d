import { recordingAt } from '../../host/added/addedDefinitions.ts';
import { homedir } from 'node:os';
import path from 'node:path';
import { isInUserSettings, type DefinitionOrigin } from '../../host/config/serverDefinition.ts';
import { messageOf } from '../../host/errors/hostError.ts';
import { isInside } from '../../host/folders/rootUri.ts';
import * as vscode from 'vscode';

/** A failure of one server in one sentence: which server, and what failed. */
export function failureText(label: string, what: string, error: unknown): string {
  return `Server '${label}' ${what}: ${messageOf(error)}`;
}

/** The path of a file of yours, from your home directory if it is there. */
function shownPath(uri: string): string {
  const { fsPath } = vscode.Uri.parse(uri);
  const below = path.relative(homedir(), fsPath);
  return isInside(fsPath, homedir()) ? path.join('~', below) : fsPath;
}

/** The place of a definition, as messages call it. */
export function placeText(origin: DefinitionOrigin): string {
  const { scope, format, place, folder } = origin;
  if (isInUserSettings(origin)) {
    return 'your user settings';
  }
  if (scope === 'user') {
    return shownPath(place);
  }
  if (scope === 'extension') {
    return recordingAt(place) ?? 'the MCP Host extension';
  }
  const uri = vscode.Uri.parse(place);
  if (scope === 'workspace') {
    return uri.scheme === 'untitled' || uri.path.endsWith('/workspace.json')
      ? 'the settings of this untitled workspace'
      : vscode.workspace.asRelativePath(uri, true);
  }
  return `${folder?.name ?? ''}/${format === 'mcpJson' ? '.mcp.json' : '.vscode/settings.json'}`;
}
