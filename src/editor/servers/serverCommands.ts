import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import { isActive } from '../../host/state/connectionState.ts';
import type { HostServer, McpHost } from '../../host/servers/mcpHost.ts';
import { registerCommands } from '../commands/commands.ts';
import { onServer, reportFailure, serverItem, serverOf } from '../commands/onServer.ts';
import { openDefinition } from '../documents/openDefinition.ts';
import type { Review } from '../review/review.ts';
import { copyAsked, installProgram, openAsked, reportStartFailure } from './remedyCommands.ts';
import { withStartProgress } from './withStartProgress.ts';

/** Registers start, stop, restart, log, definition and review: from the tree, the palette, or by a server's id. */
export function registerServerCommands(host: McpHost, review: Review): Disposable {
  const start = async (server: HostServer): Promise<void> => {
    const { id } = server.connection.definition;
    if (!vscode.workspace.isTrusted) {
      await vscode.commands.executeCommand('workbench.trust.manage');
      return;
    }
    await withStartProgress(host, server, () => host.start(id));
    review.review(id);
  };
  return registerCommands({
    startServer: onServer(host, {
      placeholder: 'Select a server to start',
      accepts: ({ connection: { state } }) => !isActive(state) || state.kind === 'backingOff',
      run: (server) => reportStartFailure(server, () => start(server)),
    }),
    stopServer: onServer(host, {
      placeholder: 'Select a server to stop',
      accepts: ({ connection }) => isActive(connection.state),
      run: (server) =>
        reportFailure(server, 'could not stop', () => host.stop(server.connection.definition.id)),
    }),
    restartServer: onServer(host, {
      placeholder: 'Select a server to restart',
      run: (server) =>
        reportStartFailure(server, async () => {
          await host.stop(server.connection.definition.id);
          await start(server);
        }),
    }),
    showLog: onServer(host, {
      placeholder: 'Select a server to show its log',
      run: ({ connection }) => connection.logger.show?.(),
    }),
    installProgram: installProgram(host),
    openAsked: (id) => openAsked(host, id),
    copyAsked: (id, what) => copyAsked(host, id, what),
    openConfiguration: async (argument) => {
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
    },
    useDefinition: async (row) => {
      if (row?.kind === 'shadowed') {
        await host.useDefinition(row.shadowed);
      }
    },
    reviewQuestions: (argument) => review.review(serverOf(host, argument)?.connection.definition.id),
  });
}

async function pickDefinition(host: McpHost): Promise<HostServer | 'user' | undefined> {
  const user = {
    label: 'User Settings',
    detail: 'mcpHost.servers in your own settings',
    server: 'user' as const,
  };
  const picked = await vscode.window.showQuickPick([...host.servers.map(serverItem), user], {
    title: 'MCP Host',
    placeHolder: 'Select a definition to open',
  });
  return picked?.server;
}
