import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import type { AgentGrants } from '../../host/gate/agentGrants.ts';
import { isOffered } from '../../host/tools/hostTool.ts';
import type { HostTools } from '../../host/gate/hostTools.ts';
import type { HostServer, McpHost } from '../../host/servers/mcpHost.ts';
import type { AgentMode, AgentStanding } from './agentMode.ts';
import { inNotification, oneLine } from '../messages/plainText.ts';
import { registerCommands } from '../commands/commands.ts';
import { onServer, reportFailure } from '../commands/onServer.ts';

export interface AgentModeCommandDependencies {
  readonly host: McpHost;
  readonly agentMode: AgentMode;
  readonly grants: AgentGrants;
  readonly tools: HostTools;
}

/** Registers the commands that make a server available to the editor's chat, and withdraw it. */
export function registerAgentModeCommands(dependencies: AgentModeCommandDependencies): Disposable {
  const { host, grants } = dependencies;
  return registerCommands({
    grantAgentMode: onServer(host, {
      placeholder: 'Select a server to make available to chat',
      accepts: ({ connection }) =>
        connection.state.kind === 'running' && !grants.isGranted(connection.definition.id),
      run: (server) =>
        reportFailure(server, 'could not be made available', () => grant(dependencies, server)),
    }),
    withdrawAgentMode: onServer(host, {
      placeholder: 'Select a server to withdraw from chat',
      accepts: ({ connection }) => grants.isGranted(connection.definition.id),
      run: (server) =>
        reportFailure(server, 'could not be withdrawn', () =>
          grants.grant(server.connection.definition.id, false),
        ),
    }),
  });
}

async function grant(dependencies: AgentModeCommandDependencies, server: HostServer): Promise<void> {
  const { agentMode, grants, tools } = dependencies;
  const { id } = server.connection.definition;
  const obstacle = obstacleTo(oneLine(server.label, 60), await agentMode.readStandingOf(id));
  if (obstacle !== undefined) {
    await tellObstacle(obstacle);
    return;
  }
  const offered = tools.of(id).filter(isOffered);
  const available = 'Make Available';
  const pressed = await vscode.window.showInformationMessage(
    `Make '${oneLine(server.label, 60)}' available to chat?`,
    { modal: true, detail: consequences(offered.length, agentMode.whoAsks) },
    available,
  );
  if (pressed === available) {
    await grants.grant(id, true);
    // Tools that came after the dialog was shown are still new, and what is held back stays held back.
    await tools.acknowledge(
      id,
      offered.map(({ tool }) => tool.name),
    );
  }
}

type Remedy = { readonly setting: string } | { readonly file: string } | { readonly command: string };

/** Why a server can't be made available, and where to change that. */
interface Obstacle {
  readonly text: string;
  readonly remedy?: Remedy;
}

function obstacleTo(label: string, standing: AgentStanding): Obstacle | undefined {
  switch (standing.kind) {
    case 'granted':
    case 'grantedByTools':
    case 'notGranted':
      return undefined;
    case 'unavailable':
      return standing.isBySetting
        ? {
            text: "The editor's settings turn off MCP servers in chat. Turn them on first.",
            remedy: { setting: 'chat.mcp.access' },
          }
        : {
            text: `This editor has no chat that takes MCP servers. You can run the tools of '${label}' from the tree.`,
          };
    case 'editorRunsIt': {
      const { place, file } = standing.twin;
      return {
        text: `The editor runs '${label}' itself, because it is in ${place}, so chat already has its tools. Remove it there to decide about it here.`,
        remedy: file === undefined ? { command: 'workbench.mcp.listServer' } : { file },
      };
    }
  }
}

async function tellObstacle({ text, remedy }: Obstacle): Promise<void> {
  const message = inNotification(text);
  if (!remedy) {
    await vscode.window.showInformationMessage(message);
    return;
  }
  const open =
    'setting' in remedy ? 'Open Setting' : 'file' in remedy ? 'Open File' : "Show the Editor's Servers";
  if ((await vscode.window.showInformationMessage(message, open)) !== open) {
    return;
  }
  if ('file' in remedy) {
    await vscode.window.showTextDocument(vscode.Uri.parse(remedy.file));
  } else if ('setting' in remedy) {
    await vscode.commands.executeCommand('workbench.action.openSettings', remedy.setting);
  } else {
    await vscode.commands.executeCommand(remedy.command);
  }
}

/** What it means to make a server available, in less than 600 characters: a longer modal loses its buttons. */
function consequences(count: number, asking: string): string {
  const seen =
    count === 0
      ? 'Models in chat can then see its tools, when it has some, and ask to run them.'
      : `Models in chat can then see its ${count === 1 ? 'tool' : `${count} tools`} and ask to run ${count === 1 ? 'it' : 'them'}.`;
  return [
    seen,
    asking,
    'Tools that you switch off or that have changed are never available. You can withdraw the server at any time.',
  ].join('\n\n');
}
