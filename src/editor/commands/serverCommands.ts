import * as vscode from 'vscode';
import { CancellationError } from '../../base/cancellation.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import { isActive } from '../../host/connection/connectionState.ts';
import type { HostServer, McpHost } from '../../host/mcpHost.ts';
import { inQuickInput } from '../plainText.ts';
import type { Review } from '../review/review.ts';
import { tellFailure } from '../tellFailure.ts';
import type { ServerNode } from '../views/serverNodes.ts';
import { failureText, placeText, stateText } from '../words.ts';
import { openDefinition } from './openDefinition.ts';

/** Start, stop, restart, log, definition and review: from the tree, the palette, or by a server's id. */
export function registerServerCommands(host: McpHost, review: Review): Disposable {
  const store = new DisposableStore();

  const start = async ({ connection }: HostServer): Promise<void> => {
    const { id } = connection.definition;
    if (!vscode.workspace.isTrusted) {
      await vscode.commands.executeCommand('workbench.trust.manage');
      return;
    }
    await host.start(id);
    review.review(id);
  };

  store.add(
    registerOn(host, 'mcpHost.startServer', {
      question: 'Which server shall start?',
      accepts: (server) =>
        !isActive(server.connection.state) || server.connection.state.kind === 'backingOff',
      run: (server) => reportFailure(server, 'could not start', () => start(server)),
    }),
  );
  store.add(
    registerOn(host, 'mcpHost.stopServer', {
      question: 'Which server shall stop?',
      accepts: ({ connection }) => isActive(connection.state),
      run: (server) =>
        reportFailure(server, 'could not stop', () => host.stop(server.connection.definition.id)),
    }),
  );
  store.add(
    registerOn(host, 'mcpHost.restartServer', {
      question: 'Which server shall restart?',
      accepts: () => true,
      run: (server) =>
        reportFailure(server, 'could not start', async () => {
          await host.stop(server.connection.definition.id);
          await start(server);
        }),
    }),
  );
  store.add(
    registerOn(host, 'mcpHost.showLog', {
      question: "Which server's log?",
      accepts: () => true,
      run: ({ connection }) => {
        connection.logger.show?.();
      },
    }),
  );
  store.add(
    vscode.commands.registerCommand('mcpHost.openConfiguration', async (argument?: ServerNode | ServerId) => {
      if (typeof argument === 'object' && (argument.kind === 'problem' || argument.kind === 'unreadable')) {
        const { origin, name } = argument.kind === 'problem' ? argument.problem : argument.problems[0];
        return openDefinition(origin, name);
      }
      if (typeof argument === 'object' && argument.kind === 'shadowed') {
        const { origin, name } = argument.shadowed.definition;
        return openDefinition(origin, name);
      }
      const server =
        argument === 'user' ? 'user' : (serverOf(host, argument) ?? (await pickDefinition(host)));
      if (server === 'user') {
        return openDefinition({ scope: 'user' });
      }
      return server && openDefinition(server.connection.definition.origin, server.connection.definition.name);
    }),
  );
  store.add(
    vscode.commands.registerCommand('mcpHost.useDefinition', async (node?: ServerNode) => {
      if (node?.kind === 'shadowed') {
        await host.useDefinition(node.shadowed);
      }
    }),
  );
  store.add(
    vscode.commands.registerCommand('mcpHost.reviewQuestions', (argument?: ServerNode | ServerId) =>
      review.review(serverOf(host, argument)?.connection.definition.id),
    ),
  );
  return store;
}

interface ServerCommand {
  /** What the quick pick asks when the command comes without a server. */
  readonly question: string;
  readonly accepts: (server: HostServer) => boolean;
  readonly run: (server: HostServer) => Promise<void> | void;
}

function registerOn(host: McpHost, command: string, { question, accepts, run }: ServerCommand): Disposable {
  return vscode.commands.registerCommand(command, async (argument?: ServerNode | ServerId) => {
    const server = serverOf(host, argument) ?? (await pickServer(host, question, accepts));
    if (server) {
      await run(server);
    }
  });
}

/** The server that a command was called for: by a row of the tree, or by its id. */
function serverOf(host: McpHost, argument: ServerNode | ServerId | undefined): HostServer | undefined {
  if (typeof argument === 'string') {
    return host.server(argument);
  }
  return argument && 'server' in argument ? host.server(argument.server.connection.definition.id) : undefined;
}

interface ServerItem extends vscode.QuickPickItem {
  readonly server: HostServer;
}

function itemOf(server: HostServer): ServerItem {
  const { state, definition } = server.connection;
  return {
    label: inQuickInput(server.label),
    description: stateText(state),
    detail: inQuickInput(placeText(definition.origin)),
    server,
  };
}

async function pickServer(
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

async function pickDefinition(host: McpHost): Promise<HostServer | 'user' | undefined> {
  const user = {
    label: 'User Settings',
    detail: 'mcpHost.servers in your own settings',
    server: 'user' as const,
  };
  const picked = await vscode.window.showQuickPick([...host.servers.map(itemOf), user], {
    title: 'MCP Host',
    placeHolder: 'Which definition?',
  });
  return picked?.server;
}

/** Runs what the person asked for; a failure is told with the way to the log. */
async function reportFailure(server: HostServer, what: string, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof CancellationError)) {
      await tellFailure(server.connection.definition.id, failureText(server.label, what, error));
    }
  }
}
