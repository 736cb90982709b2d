import type { DefinitionOrigin } from '../host/config/serverDefinition.ts';
import type { ConnectionState } from '../host/connection/connectionState.ts';
import type { ServerConnection } from '../host/connection/serverConnection.ts';
import { messageOf } from '../host/hostError.ts';
import * as vscode from 'vscode';

/** A server's state in a few words, as the tree and a screen reader say it. */
export function stateText(state: ConnectionState): string {
  switch (state.kind) {
    case 'disabled':
      return 'disabled';
    case 'restricted':
      return 'workspace not trusted';
    case 'awaitingApproval':
      return 'waiting for your decision';
    case 'denied':
      return 'not allowed';
    case 'stopped':
      return 'stopped';
    case 'starting':
      return 'starting…';
    case 'authorizing':
      return 'signing in…';
    case 'running':
      return `running · ${state.revision}`;
    case 'backingOff':
      return `failed, try ${state.attempt} follows`;
    case 'failed':
      return 'failed';
    case 'stopping':
      return 'stopping…';
  }
}

/** How long a start has been waiting for its server, in steps of five seconds. */
export function startingText({ since, runner }: NonNullable<ServerConnection['startWait']>): string {
  const seconds = Math.floor((Date.now() - since) / 5_000) * 5;
  if (seconds < 5) {
    return 'starting…';
  }
  const waited = `starting for ${seconds} s`;
  return runner === undefined ? waited : `${waited} · ${runner} may be downloading`;
}

/** A failure of one server in one sentence: which server, what failed, and what to do. */
export function failureText(label: string, what: string, error: unknown): string {
  return `Server '${label}' ${what}: ${messageOf(error)}`;
}

/** Where a definition stands, as the person calls it. */
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
