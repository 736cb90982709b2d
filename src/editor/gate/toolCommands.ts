import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import type { HostTools } from '../../host/gate/hostTools.ts';
import type { HostServer, McpHost } from '../../host/servers/mcpHost.ts';
import { oneLine } from '../messages/plainText.ts';
import { registerCommands, runCommand } from '../commands/commands.ts';
import { onServer } from '../commands/onServer.ts';
import { reportingError } from '../messages/notifications.ts';

/** What a click on a checkbox does; each resolves when that is done, or left. */
export interface ServerToggles {
  /** Shares a folder with a server, or stops sharing it. */
  root(server: HostServer, uri: string, isShared: boolean): Promise<void>;
  /** Shows a tool to models, or stops showing it; without a name all tools of the server. */
  expose(server: HostServer, isExposed: boolean, tool?: string): Promise<void>;
  /** Makes a server available to chat, or withdraws it. */
  agentMode(server: HostServer, isGranted: boolean): Promise<void>;
}

/** Registers the commands that decide what models may use. */
export function registerToolCommands(host: McpHost, tools: HostTools): Disposable {
  const isTrusted = ({ connection }: HostServer): boolean => tools.isTrusted(connection.definition.id);
  const offersNew = ({ connection }: HostServer): boolean => tools.offersNew(connection.definition.id);
  return registerCommands({
    trustClaims: onServer(host, {
      placeholder: 'Select a server to trust its tool labels',
      accepts: (server) => server.connection.state.kind === 'running' && !isTrusted(server),
      run: (server) => trust(server, tools),
    }),
    distrustClaims: onServer(host, {
      placeholder: 'Select a server to stop trusting',
      accepts: isTrusted,
      run: (server) => kept(server, () => tools.trust(server.connection.definition.id, false)),
    }),
    offerNewTools: onServer(host, {
      placeholder: 'Select a server to offer its new tools without a review',
      accepts: (server) => server.connection.state.kind === 'running' && !offersNew(server),
      run: (server) => offerNew(server, tools),
    }),
    holdNewTools: onServer(host, {
      placeholder: 'Select a server to hold back its new tools',
      accepts: offersNew,
      run: (server) => kept(server, () => tools.offerNew(server.connection.definition.id, false)),
    }),
  });
}

/** What the checkboxes of the tree of servers do. The one for chat runs a command that explains and asks. */
export function serverToggles(tools: HostTools, root: ServerToggles['root']): ServerToggles {
  return {
    root,
    expose: (server, isExposed, tool) =>
      kept(server, () => tools.expose(server.connection.definition.id, isExposed, tool)),
    agentMode: async ({ connection }, isGranted) => {
      await runCommand(isGranted ? 'grantAgentMode' : 'withdrawAgentMode', connection.definition.id);
    },
  };
}

async function trust(server: HostServer, tools: HostTools): Promise<void> {
  const yes = 'Trust Its Tool Labels';
  const answer = await vscode.window.showWarningMessage(
    `Do you trust what '${oneLine(server.label, 60)}' claims about its tools?`,
    {
      modal: true,
      detail:
        'A server claims for each of its tools whether it only reads or may destroy something. Nobody checks that.\n\n' +
        'If you trust it, tools that it calls read-only run for models and other extensions without asking you, and its claims are passed on to chat.\n\n' +
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
        'A tool that the server adds is then shown to models at once, with its whole description. Its first call asks you.\n\n' +
        'Tools that change are still held back until you review them. This holds until you take it back.',
    },
    yes,
  );
  if (answer === yes) {
    await kept(server, () => tools.offerNew(server.connection.definition.id, true));
  }
}

/** Keeps what you chose, or shows why that failed. */
async function kept({ label }: HostServer, keep: () => Promise<void>): Promise<void> {
  await reportingError(`Your choice for server '${label}' could not be kept`, keep);
}
