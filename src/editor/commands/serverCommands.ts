import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import { isActive } from '../../host/connection/state/connectionState.ts';
import type { HostServer, McpHost } from '../../host/servers/mcpHost.ts';
import type { Review } from '../review/review.ts';
import type { ServerNode } from '../views/serverNodes.ts';
import { itemOf, registerOn, reportFailure, serverOf } from './onServer.ts';
import { registerRemedyCommands, reportStartFailure } from './remedyCommands.ts';
import { withStartProgress } from './withStartProgress.ts';
import { openDefinition } from './openDefinition.ts';

/** Start, stop, restart, log, definition and review: from the tree, the palette, or by a server's id. */
export function registerServerCommands(host: McpHost, review: Review): Disposable {
  const store = new DisposableStore();

  const start = async (server: HostServer): Promise<void> => {
    const { id } = server.connection.definition;
    if (!vscode.workspace.isTrusted) {
      await vscode.commands.executeCommand('workbench.trust.manage');
      return;
    }
    await withStartProgress(host, server, () => host.start(id));
    review.review(id);
  };

  store.add(
    registerOn(host, 'mcpHost.startServer', {
      question: 'Select a server to start',
      accepts: (server) =>
        !isActive(server.connection.state) || server.connection.state.kind === 'backingOff',
      run: (server) => reportStartFailure(server, () => start(server)),
    }),
  );
  store.add(
    registerOn(host, 'mcpHost.stopServer', {
      question: 'Select a server to stop',
      accepts: ({ connection }) => isActive(connection.state),
      run: (server) =>
        reportFailure(server, 'could not stop', () => host.stop(server.connection.definition.id)),
    }),
  );
  store.add(
    registerOn(host, 'mcpHost.restartServer', {
      question: 'Select a server to restart',
      accepts: () => true,
      run: (server) =>
        reportStartFailure(server, async () => {
          await host.stop(server.connection.definition.id);
          await start(server);
        }),
    }),
  );
  store.add(
    registerOn(host, 'mcpHost.showLog', {
      question: 'Select a server to show its log',
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
  store.add(registerRemedyCommands(host));
  return store;
}

async function pickDefinition(host: McpHost): Promise<HostServer | 'user' | undefined> {
  const user = {
    label: 'User Settings',
    detail: 'mcpHost.servers in your own settings',
    server: 'user' as const,
  };
  const picked = await vscode.window.showQuickPick([...host.servers.map(itemOf), user], {
    title: 'MCP Host',
    placeHolder: 'Select a definition to open',
  });
  return picked?.server;
}
