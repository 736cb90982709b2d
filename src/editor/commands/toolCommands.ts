import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { HostTools } from '../../host/gate/hostTools.ts';
import { messageOf } from '../../host/errors/hostError.ts';
import type { HostServer, McpHost } from '../../host/servers/mcpHost.ts';
import { inNotification, oneLine } from '../plainText.ts';
import type { ServerToggles } from '../views/serversView.ts';
import { registerOn } from './onServer.ts';

/** What the person decides about what models may use of servers: from the tree, or from the palette. */
export function registerToolCommands(host: McpHost, tools: HostTools): Disposable {
  const store = new DisposableStore();
  const isTrusted = ({ connection }: HostServer): boolean => tools.isTrusted(connection.definition.id);
  store.add(
    registerOn(host, 'mcpHost.trustClaims', {
      question: 'Whose claims do you trust?',
      accepts: (server) => server.connection.state.kind === 'running' && !isTrusted(server),
      run: (server) => trust(server, tools),
    }),
  );
  store.add(
    registerOn(host, 'mcpHost.distrustClaims', {
      question: 'Whose claims do you trust no more?',
      accepts: isTrusted,
      run: (server) => kept(server, () => tools.trust(server.connection.definition.id, false)),
    }),
  );
  const offersNew = ({ connection }: HostServer): boolean => tools.offersNew(connection.definition.id);
  store.add(
    registerOn(host, 'mcpHost.offerNewTools', {
      question: 'New tools of which server?',
      accepts: (server) => server.connection.state.kind === 'running' && !offersNew(server),
      run: (server) => offerNew(server, tools),
    }),
  );
  store.add(
    registerOn(host, 'mcpHost.holdNewTools', {
      question: 'New tools of which server?',
      accepts: offersNew,
      run: (server) => kept(server, () => tools.offerNew(server.connection.definition.id, false)),
    }),
  );
  return store;
}

/** What the checkboxes of the tree of servers do; that of chat asks and explains by its own command. */
export function serverToggles(tools: HostTools, root: ServerToggles['root']): ServerToggles {
  return {
    root,
    expose: (server, isExposed, tool) =>
      kept(server, () => tools.expose(server.connection.definition.id, isExposed, tool)),
    agentMode: async ({ connection }, isGranted) => {
      const command = isGranted ? 'mcpHost.grantAgentMode' : 'mcpHost.withdrawAgentMode';
      await vscode.commands.executeCommand(command, connection.definition.id);
    },
  };
}

async function trust(server: HostServer, tools: HostTools): Promise<void> {
  const yes = 'Trust Its Claims';
  const answer = await vscode.window.showWarningMessage(
    `Do you trust what '${oneLine(server.label, 60)}' claims of its tools?`,
    {
      modal: true,
      detail:
        'A server says of each of its tools whether it only reads, or may destroy something. Nobody checks that.\n\n' +
        'If you trust it, tools that it calls read-only run for models and other extensions without asking you, and what it claims is handed on to chat.\n\n' +
        'This holds until you take it back, or until its command, address or settings change.',
    },
    yes,
  );
  if (answer === yes) {
    await kept(server, () => tools.trust(server.connection.definition.id, true));
  }
}

async function offerNew(server: HostServer, tools: HostTools): Promise<void> {
  const yes = 'Offer New Tools';
  const answer = await vscode.window.showWarningMessage(
    `Offer new tools of '${oneLine(server.label, 60)}' without a review?`,
    {
      modal: true,
      detail:
        'A tool that the server adds is then shown to models at once, with all that its description says. Its first call asks you.\n\n' +
        'Tools that change are still held back until you review them. This holds until you take it back.',
    },
    yes,
  );
  if (answer === yes) {
    await kept(server, () => tools.offerNew(server.connection.definition.id, true));
  }
}

/** Keeps what the person chose; why that cannot be is said. */
async function kept({ label }: HostServer, keep: () => Promise<void>): Promise<void> {
  try {
    await keep();
  } catch (error) {
    void vscode.window.showErrorMessage(
      inNotification(`Your choice for server '${label}' could not be kept: ${messageOf(error)}`),
    );
  }
}
