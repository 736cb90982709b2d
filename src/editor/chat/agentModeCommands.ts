import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import type { AgentGrants } from '../../host/gate/agentGrants.ts';
import { isOffered } from '../../host/tools/hostTool.ts';
import type { HostTools } from '../../host/gate/hostTools.ts';
import type { HostServer, McpHost } from '../../host/servers/mcpHost.ts';
import { servedLabel, type AgentMode, type AgentStanding } from './agentMode.ts';
import { isInChat, twiceNote } from './agentModeState.ts';
import { openSetting } from '../commands/commandList.ts';
import { inNotification, oneLine } from '../messages/plainText.ts';
import { registerCommands } from '../commands/commands.ts';
import { onServer, reportFailure } from '../commands/onServer.ts';

export interface AgentModeCommandDependencies {
  readonly host: McpHost;
  readonly agentMode: AgentMode;
  readonly grants: AgentGrants;
  readonly tools: HostTools;
}

/** Registers the commands that use a server in the editor's chat, and remove it. */
export function registerAgentModeCommands(dependencies: AgentModeCommandDependencies): Disposable {
  const { host, grants, agentMode } = dependencies;
  return registerCommands({
    useInChat: onServer(host, {
      placeholder: 'Select a server to use in chat',
      accepts: (server) => server.connection.state.kind === 'running' && !isInChat(agentMode.stateOf(server)),
      run: (server) => reportFailure(server, 'could not be used in chat', () => grant(dependencies, server)),
    }),
    removeFromChat: onServer(host, {
      placeholder: 'Select a server to remove from chat',
      accepts: ({ connection }) => grants.isGranted(connection.definition.id),
      run: (server) =>
        reportFailure(server, 'could not be removed from chat', () =>
          grants.grant(server.connection.definition.id, false),
        ),
    }),
  });
}

async function grant(dependencies: AgentModeCommandDependencies, server: HostServer): Promise<void> {
  const { agentMode, grants, tools } = dependencies;
  const { definition } = server.connection;
  const { id } = definition;
  const standing = await agentMode.readStandingOf(id);
  if (standing.kind === 'unavailable' || standing.kind === 'forbidden') {
    await tellLeftOut(oneLine(server.label, 60), standing);
    return;
  }
  const { twin } = standing;
  const note = twiceNote(definition, twin && { ...twin, place: oneLine(twin.place, 40) });
  const show = twin?.file === undefined ? "Show the Editor's Servers" : 'Open File';
  const offered = tools.of(id).filter(isOffered);
  const use = 'Use in Chat';
  const pressed = await vscode.window.showInformationMessage(
    `Use '${oneLine(server.label, 60)}' in chat?`,
    { modal: true, detail: consequences(offered.length, agentMode.whoAsks, note) },
    use,
    ...(twin ? [show] : []),
  );
  if (pressed === show) {
    await (twin?.file === undefined
      ? vscode.commands.executeCommand('workbench.mcp.listServer')
      : vscode.window.showTextDocument(vscode.Uri.parse(twin.file)));
  } else if (pressed === use) {
    await grants.grant(id, true, { besideTwin: twin !== undefined });
    // Tools that came after the dialog was shown are still new, and what is held back stays held back.
    await tools.acknowledge(
      id,
      offered.map(({ tool }) => tool.name),
    );
  }
}

async function tellLeftOut(
  label: string,
  standing: AgentStanding & { readonly kind: 'unavailable' | 'forbidden' },
): Promise<void> {
  const { setting } = standing.kind === 'forbidden' ? standing.reason : standing;
  const text =
    standing.kind === 'forbidden'
      ? `Chat can't get '${servedLabel(label)}': ${standing.reason.message}.`
      : setting === undefined
        ? `This editor has no chat that takes MCP servers. You can run the tools of '${label}' from the tree.`
        : "The editor's settings turn off MCP servers in chat. Turn them on first.";
  const open = setting === undefined ? [] : [openSetting(setting)];
  const pressed = await vscode.window.showInformationMessage(inNotification(text), ...open);
  if (pressed) {
    await vscode.commands.executeCommand(pressed.command, ...(pressed.arguments ?? []));
  }
}

/** What it means to use a server in chat, in less than 600 characters: a longer modal loses its buttons. */
function consequences(count: number, asking: string, note: string | undefined): string {
  const seen =
    count === 0
      ? 'Models in chat can then see its tools, when it has some, and ask to run them.'
      : `Models in chat can then see its ${count === 1 ? 'tool' : `${count} tools`} and ask to run ${count === 1 ? 'it' : 'them'}.`;
  return [`${seen} ${asking}`, ...(note === undefined ? [] : [note])].join('\n\n');
}
