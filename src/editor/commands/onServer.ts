import * as vscode from 'vscode';
import { CancellationError } from '../../base/cancellation.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import type { HostServer, McpHost } from '../../host/servers/mcpHost.ts';
import { inQuickInput } from '../plainText.ts';
import { tellFailure } from '../tellFailure.ts';
import type { ServerNode } from '../views/serverNodes.ts';
import { stateWord } from '../views/serverWord.ts';
import { failureText, placeText } from '../words.ts';

/** A command about one server. */
export interface ServerCommand {
  /** What the quick pick asks when the command comes without a server. */
  readonly question: string;
  readonly accepts: (server: HostServer) => boolean;
  readonly run: (server: HostServer) => Promise<void> | void;
}

/** Registers a command that is called for a row of the tree, for a server's id, or for one that is picked. */
export function registerOn(
  host: McpHost,
  command: string,
  { question, accepts, run }: ServerCommand,
): Disposable {
  return vscode.commands.registerCommand(command, async (argument?: ServerNode | ServerId) => {
    const server = serverOf(host, argument) ?? (await pickServer(host, question, accepts));
    if (server) {
      await run(server);
    }
  });
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

/** A server as a row of a quick pick. */
export function itemOf(server: HostServer): ServerItem {
  const { state, definition } = server.connection;
  return {
    label: inQuickInput(server.label),
    description: stateWord(state),
    detail: inQuickInput(placeText(definition.origin)),
    server,
  };
}

/** Lets the person pick a server; undefined when there is none, or none was picked. */
export async function pickServer(
  host: McpHost,
  question: string,
  accepts: (server: HostServer) => boolean,
): Promise<HostServer | undefined> {
  const items = host.servers.filter(accepts).map(itemOf);
  if (items.length === 0) {
    void vscode.window.showInformationMessage('There is no MCP server for which this can be done now.');
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(items, { title: 'MCP Host', placeHolder: question });
  return picked?.server;
}

/** Runs what the person asked for; a failure is told with the way to the log. */
export async function reportFailure(
  server: HostServer,
  what: string,
  run: () => Promise<void>,
): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof CancellationError)) {
      await tellFailure(server.connection.definition.id, failureText(server.label, what, error));
    }
  }
}
