import * as vscode from 'vscode';
import { DisposableStore } from '../../base/lifetime/disposable.ts';
import { Emitter } from '../../base/lifetime/event.ts';
import type { ServerConnection } from '../../host/connection/serverConnection.ts';
import { LACKS_TASKS, type HostTool } from '../../host/tools/hostTool.ts';
import type { HostTools } from '../../host/gate/hostTools.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import {
  findTools,
  isDeprecated,
  toolGroups,
  type RunnableTool,
  type ToolName,
} from '../../host/tools/toolList.ts';
import { inQuickInput } from '../messages/plainText.ts';
import type { RecentList } from '../workspace/recentList.ts';
import { emptyRow, isListing, watchLists } from '../quickInput/listing.ts';
import { showNothingOffered } from '../quickInput/nothingOffered.ts';
import { MAX_ROWS, pickRenewed } from '../quickInput/pickRenewed.ts';

/** A tool of one server. */
export interface ToolReference {
  readonly connection: ServerConnection;
  readonly toolName: string;
}

export interface PickToolDependencies {
  readonly host: McpHost;
  readonly tools: Pick<HostTools, 'of' | 'onDidChange'>;
  readonly recent: RecentList<ToolName>;
}

interface PickableTool extends RunnableTool {
  readonly connection: ServerConnection;
}

/** An item without a tool is a heading, or says why there are none. */
interface ToolItem extends vscode.QuickPickItem {
  readonly tool?: PickableTool;
}

/** Lets you pick a tool of a running server; undefined when there is none, or none was picked. */
export async function pickTool(dependencies: PickToolDependencies): Promise<ToolReference | undefined> {
  const { host, tools, recent } = dependencies;
  let all = listedBy(dependencies);
  if (all.length === 0 && !isListing(host, 'tools')) {
    await showNothingOffered(host, 'tools', 'run a tool');
    return undefined;
  }
  let groups = groupsOf(all, recent.all);
  const store = new DisposableStore();
  const changed = store.add(new Emitter<void>());
  let isOld = false;
  const renew = (): void => {
    isOld = true;
    changed.fire();
  };
  store.add(tools.onDidChange(renew));
  store.add(watchLists(host, 'tools', renew));
  try {
    const picked = await pickRenewed({
      title: 'Run Tool',
      placeholder: 'Select a tool to run',
      rows: (typed): readonly ToolItem[] => {
        if (isOld) {
          isOld = false;
          all = listedBy(dependencies);
          groups = groupsOf(all, recent.all);
        }
        const rows =
          typed.trim() === '' ? groups.slice(0, MAX_ROWS) : findTools(all, typed, MAX_ROWS).map(itemOf);
        return rows.length > 0 ? rows : [emptyRow(host, 'tools', all.length > 0)];
      },
      keyOf,
      onDidChange: changed.event,
      isPickable: ({ tool }) => tool !== undefined,
      isBusy: () => isListing(host, 'tools'),
    });
    const tool = picked?.row.tool;
    return tool && { connection: tool.connection, toolName: tool.name };
  } finally {
    store.dispose();
  }
}

function groupsOf(all: readonly PickableTool[], recent: readonly ToolName[]): readonly ToolItem[] {
  return toolGroups(all, recent).flatMap(({ title, tools }) => [heading(title), ...tools.map(itemOf)]);
}

function listedBy({ host, tools }: PickToolDependencies): readonly PickableTool[] {
  return host.servers.flatMap(({ connection, label }) => {
    connection.catalogue?.look('tools');
    const { id } = connection.definition;
    const standings = new Map(tools.of(id).map((one) => [one.tool.name, one]));
    return (connection.catalogue?.tools ?? []).map((tool) => ({
      connection,
      serverId: id,
      server: label,
      name: tool.name,
      title: tool.title,
      description: tool.description,
      isDeprecated: isDeprecated(tool),
      obstacle: obstacleOf(standings.get(tool.name)),
    }));
  });
}

/** Why a tool cannot run now. Picking it shows what to do. */
function obstacleOf(listed: HostTool | undefined): string | undefined {
  if (listed?.standing.kind === 'changed') {
    return 'held back: it has changed since you approved it';
  }
  return listed?.lacksTasks ? LACKS_TASKS : undefined;
}

function keyOf({ tool, label }: ToolItem): string {
  return tool ? JSON.stringify([tool.serverId, tool.name]) : label;
}

function heading(label: string): ToolItem {
  return { label: inQuickInput(label, 100), kind: vscode.QuickPickItemKind.Separator };
}

function itemOf(tool: PickableTool): ToolItem {
  const { server, name, title, description, obstacle } = tool;
  const parts = [
    ...(title !== undefined && title !== name ? [name] : []),
    server,
    ...(tool.isDeprecated ? ['deprecated'] : []),
    ...(obstacle === undefined ? [] : [obstacle]),
  ];
  return {
    label: inQuickInput(title ?? name, 100),
    description: inQuickInput(parts.join(' · '), 160),
    ...(description !== undefined && { detail: inQuickInput(description, 200) }),
    ...((tool.isDeprecated || obstacle !== undefined) && { iconPath: new vscode.ThemeIcon('circle-slash') }),
    // The search has been done; the editor would do it again, and in another way.
    alwaysShow: true,
    tool,
  };
}
