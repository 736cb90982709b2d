import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { AgentGrants } from '../../host/gate/agentGrants.ts';
import type { GateSettings } from '../../host/config/gateSettings.ts';
import { isOffered } from '../../host/tools/hostTool.ts';
import type { HostTools } from '../../host/gate/hostTools.ts';
import type { HostServer, McpHost } from '../../host/servers/mcpHost.ts';
import type { AgentMode, AgentStanding } from '../chat/agentMode.ts';
import { inNotification, oneLine } from '../plainText.ts';
import { registerOn, reportFailure } from './onServer.ts';

export interface AgentModeCommandDependencies {
  readonly host: McpHost;
  readonly agentMode: AgentMode;
  readonly grants: AgentGrants;
  readonly tools: HostTools;
  readonly settings: GateSettings;
}

/** Makes a server available to the editor's chat, or takes it from there: from the tree or the palette. */
export function registerAgentModeCommands(dependencies: AgentModeCommandDependencies): Disposable {
  const { host, grants } = dependencies;
  const store = new DisposableStore();
  store.add(
    registerOn(host, 'mcpHost.grantAgentMode', {
      question: 'Select a server to make available to chat',
      accepts: ({ connection }) =>
        connection.state.kind === 'running' && !grants.isGranted(connection.definition.id),
      run: (server) =>
        reportFailure(server, 'could not be made available', () => grant(dependencies, server)),
    }),
  );
  store.add(
    registerOn(host, 'mcpHost.withdrawAgentMode', {
      question: 'Select a server to withdraw from chat',
      accepts: ({ connection }) => grants.isGranted(connection.definition.id),
      run: (server) =>
        reportFailure(server, 'could not be withdrawn', () =>
          grants.grant(server.connection.definition.id, false),
        ),
    }),
  );
  return store;
}

async function grant(dependencies: AgentModeCommandDependencies, server: HostServer): Promise<void> {
  const { agentMode, grants, tools, settings } = dependencies;
  const { id } = server.connection.definition;
  const obstacle = obstacleTo(oneLine(server.label, 60), agentMode.standingOf(id));
  if (obstacle !== undefined) {
    await tellObstacle(obstacle);
    return;
  }
  const offered = tools.of(id).filter(isOffered);
  const available = 'Make Available';
  const pressed = await vscode.window.showInformationMessage(
    `Make '${oneLine(server.label, 60)}' available to chat?`,
    { modal: true, detail: consequences(offered.length, settings) },
    available,
  );
  if (pressed === available) {
    await grants.grant(id, true);
    // Those that came after the words were shown are still new, and those that are held back stay so.
    await tools.acknowledge(
      id,
      offered.map(({ tool }) => tool.name),
    );
  }
}

type Remedy = { readonly setting: string } | { readonly file: string } | { readonly command: string };

/** What is in the way of a grant, and where that is changed. */
interface Obstacle {
  readonly text: string;
  readonly remedy?: Remedy;
}

function obstacleTo(label: string, standing: AgentStanding): Obstacle | undefined {
  switch (standing.kind) {
    case 'granted':
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
    case 'switchedOff':
      return {
        text: 'Your setting mcpHost.chat.gateway is off, so no server is available to chat. Turn it on first.',
        remedy: { setting: 'mcpHost.chat.gateway' },
      };
    case 'editorRunsIt': {
      const { place, file } = standing.twin;
      return {
        text: `The editor runs '${label}' itself, as ${place} says, so chat already has its tools. Remove it there to decide about it here.`,
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

/** What a grant means, in less than 600 characters: a longer modal loses its buttons. */
function consequences(count: number, { confirm }: GateSettings): string {
  const seen =
    count === 0
      ? 'Models in chat can then see its tools, when it has some, and ask to run them.'
      : `Models in chat can then see its ${count === 1 ? 'tool' : `${count} tools`} and ask to run ${count === 1 ? 'it' : 'them'}.`;
  const asked =
    confirm === 'always'
      ? 'You are asked for each call by the editor, by its own settings, and then by MCP Host, as mcpHost.tools.confirm says.'
      : 'The editor asks you for each call, by its own settings: what you allow there for a session or always, and its auto-approval, apply. MCP Host does not ask once more.';
  return [
    seen,
    asked,
    'Tools that you switch off or that have changed are never available. You can withdraw this at any time.',
  ].join('\n\n');
}
