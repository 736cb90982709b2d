import type { DefinitionOrigin } from '../../host/config/serverDefinition.ts';
import { messageOf } from '../../host/errors/hostError.ts';
import * as vscode from 'vscode';

/** A failure of one server in one sentence: which server, and what failed. */
export function failureText(label: string, what: string, error: unknown): string {
  return `Server '${label}' ${what}: ${messageOf(error)}`;
}

/** The place of a definition, as messages call it. */
export function placeText({ scope, format, place, folder }: DefinitionOrigin): string {
  if (scope === 'user') {
    return 'your user settings';
  }
  if (scope === 'extension') {
    return 'the MCP Host extension';
  }
  const uri = vscode.Uri.parse(place);
  if (scope === 'workspace') {
    return uri.scheme === 'untitled' || uri.path.endsWith('/workspace.json')
      ? 'the settings of this untitled workspace'
      : vscode.workspace.asRelativePath(uri, true);
  }
  return `${folder?.name ?? ''}/${format === 'mcpJson' ? '.mcp.json' : '.vscode/settings.json'}`;
}
