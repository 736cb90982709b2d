import * as vscode from 'vscode';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import type { HostServer, McpHost } from '../../host/servers/mcpHost.ts';
import { inQuickInput } from '../messages/plainText.ts';
import { tellingFailure } from './tellFailure.ts';
import { failureText, placeText } from '../messages/words.ts';
import type { ServerNode } from '../nodes/serverNode.ts';
import { stateWords } from '../../host/connection/stateWords.ts';

/** A command about one server. */
export interface ServerCommand {
  /** The placeholder of the quick pick that comes up when the command is not called for a server. */
  readonly placeholder: string;
  /** The servers that the quick pick offers; all without it. */
  readonly accepts?: (server: HostServer) => boolean;
  readonly run: (server: HostServer) => Promise<unknown> | void;
}

/** Runs on the server that a row or an id names, or on one that is picked. */
export function onServer(
  host: McpHost,
  { placeholder, accepts, run }: ServerCommand,
): (argument?: ServerNode | ServerId) => Promise<void> {
  return async (argument) => {
    const server = serverOf(host, argument) ?? (await pickServer(host, placeholder, accepts));
    if (server) {
      await run(server);
    }
  };
}

/** The server that a command was called for: by a row of the tree, or by its id. */
export function serverOf(host: McpHost, argument: ServerNode | ServerId | undefined): HostServer | undefined {
  if (typeof argument === 'string') {
    return host.server(argument);
  }
  return argument && 'server' in argument ? host.server(argument.server.connection.definition.id) : undefined;
}

interface ServerItem extends vscode.QuickPickItem {
  readonly server: HostServer;
}

/** A server in a quick pick. */
export function serverItem(server: HostServer): ServerItem {
  const { state, definition } = server.connection;
  return {
    label: inQuickInput(server.label),
    description: stateWords(state).word,
    detail: inQuickInput(placeText(definition.origin)),
    server,
  };
}

/** Undefined after a message if the server is not there, or if none was picked. */
export async function pickServer(
  host: McpHost,
  placeHolder: string,
  accepts: (server: HostServer) => boolean = () => true,
): Promise<HostServer | undefined> {
  const items = host.servers.filter(accepts).map(serverItem);
  if (items.length === 0) {
    void vscode.window.showInformationMessage('No MCP server is available for this command.');
    return undefined;
  }
  return (await vscode.window.showQuickPick(items, { title: 'MCP Host', placeHolder }))?.server;
}

/** Runs what you asked for; a failure is shown, with the way to the log. */
export function reportFailure(server: HostServer, what: string, run: () => Promise<void>): Promise<void> {
  return tellingFailure(run, (error) => ({
    id: server.connection.definition.id,
    text: failureText(server.label, what, error),
  }));
}
