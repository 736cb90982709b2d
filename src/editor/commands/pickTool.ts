import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { ServerConnection } from '../../host/connection/serverConnection.ts';
import type { McpHost } from '../../host/mcpHost.ts';
import { searchTools, type ListedTool } from '../../host/tools/toolSearch.ts';
import { inQuickInput } from '../plainText.ts';

/** Rows handed to the editor at once; they are renewed as one types. */
const MAX_ROWS = 200;

/** A tool of one server: what the tree hands over, too. */
export interface ToolReference {
  readonly connection: ServerConnection;
  readonly toolName: string;
}

interface Listed extends ListedTool {
  readonly connection: ServerConnection;
}

interface ToolItem extends vscode.QuickPickItem {
  readonly tool: Listed;
}

/** Lets the person pick a tool of a running server; undefined when there is none, or none was picked. */
export async function pickTool(host: McpHost): Promise<ToolReference | undefined> {
  const tools = host.servers.flatMap(({ connection, label }) =>
    (connection.catalogue?.tools ?? []).map(({ name, title, description }): Listed => ({
      connection,
      server: label,
      name,
      title,
      description,
    })),
  );
  if (tools.length === 0) {
    const show = 'Show Servers';
    if ((await vscode.window.showInformationMessage(emptyState(host), show)) === show) {
      await vscode.commands.executeCommand('mcpHost.servers.focus');
    }
    return undefined;
  }
  const tool = await pick(tools);
  return tool && { connection: tool.connection, toolName: tool.name };
}

function emptyState({ servers }: McpHost): string {
  if (servers.length === 0) {
    return 'There is no MCP server yet. Add one in the MCP Host view, then run a tool.';
  }
  return servers.some(({ connection }) => connection.state.kind === 'running')
    ? 'The running servers offer no tools.'
    : 'No MCP server is running. Start one in the MCP Host view, then run a tool.';
}

async function pick(tools: readonly Listed[]): Promise<Listed | undefined> {
  const store = new DisposableStore();
  const input = store.add(vscode.window.createQuickPick<ToolItem>());
  input.title = 'Run Tool';
  input.placeholder = 'The tool to run';
  const renew = (): void => {
    input.items = searchTools(tools, input.value, MAX_ROWS).map(itemOf);
  };
  renew();
  const { promise, resolve } = Promise.withResolvers<Listed | undefined>();
  store.add(input.onDidChangeValue(renew));
  store.add(input.onDidAccept(() => resolve(input.selectedItems[0]?.tool)));
  store.add(input.onDidHide(() => resolve(undefined)));
  input.show();
  try {
    return await promise;
  } finally {
    store.dispose();
  }
}

function itemOf(tool: Listed): ToolItem {
  const { server, name, title, description } = tool;
  const isTitled = title !== undefined && title !== name;
  return {
    label: inQuickInput(title ?? name, 100),
    description: inQuickInput(isTitled ? `${name} · ${server}` : server, 160),
    ...(description !== undefined && { detail: inQuickInput(description, 200) }),
    // The search has been done; the editor would do it anew, and another way.
    alwaysShow: true,
    tool,
  };
}
