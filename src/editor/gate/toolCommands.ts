import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import type { ServerId } from '../../host/config/serverDefinition.ts';
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
  /** Uses a server in chat, or removes it from chat. */
  agentMode(server: HostServer, isGranted: boolean): Promise<void>;
}

/** What you can choose for the tools of a server, and take back. */
interface ToolChoice {
  readonly question: (label: string) => string;
  readonly detail: string;
  readonly yes: string;
  readonly keep: (tools: HostTools, id: ServerId, isChosen: boolean) => Promise<void>;
}

const trust: ToolChoice = {
  question: (label) => `Do you trust what '${label}' claims about its tools?`,
  detail:
    'Tools that it labels read-only then run for models and other extensions without asking you. Its labels are not verified.',
  yes: 'Trust Its Tool Labels',
  keep: (tools, id, isTrusted) => tools.trust(id, isTrusted),
};

const newTools: ToolChoice = {
  question: (label) => `Show new tools of '${label}' to models without a review?`,
  detail:
    'Models then see a new tool at once, with its whole description. Its first call asks you; changed tools still wait for your review.',
  yes: 'Show New Tools',
  keep: (tools, id, areShown) => tools.offerNew(id, areShown),
};

/**
 * Registers the commands that decide what models may use. The two of a pair do the same: the editor gives a command one
 * title, so that the row has one to choose and one to take back.
 */
export function registerToolCommands(host: McpHost, tools: HostTools): Disposable {
  const choosing = (choice: ToolChoice, isChosen: boolean): ReturnType<typeof onServer> =>
    onServer(host, {
      placeholder: 'Select a server',
      accepts: ({ connection }) => connection.state.kind === 'running',
      run: async (server) => {
        if (!isChosen || (await isConfirmed(choice, server))) {
          await kept(server, () => choice.keep(tools, server.connection.definition.id, isChosen));
        }
      },
    });
  return registerCommands({
    trustClaims: choosing(trust, true),
    distrustClaims: choosing(trust, false),
    offerNewTools: choosing(newTools, true),
    holdNewTools: choosing(newTools, false),
  });
}

/** What the checkboxes of the tree of servers do. The one for chat runs a command that explains and asks. */
export function serverToggles(tools: HostTools, root: ServerToggles['root']): ServerToggles {
  return {
    root,
    expose: (server, isExposed, tool) =>
      kept(server, () => tools.expose(server.connection.definition.id, isExposed, tool)),
    agentMode: async ({ connection }, isGranted) => {
      await runCommand(isGranted ? 'useInChat' : 'removeFromChat', connection.definition.id);
    },
  };
}

async function isConfirmed({ question, detail, yes }: ToolChoice, { label }: HostServer): Promise<boolean> {
  const words = question(oneLine(label, 60));
  return (await vscode.window.showWarningMessage(words, { modal: true, detail }, yes)) === yes;
}

/** Keeps what you chose, or shows why that failed. */
async function kept({ label }: HostServer, keep: () => Promise<void>): Promise<void> {
  await reportingError(`Your choice for server '${label}' could not be kept`, keep);
}
