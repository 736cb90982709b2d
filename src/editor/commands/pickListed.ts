import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { Catalogue } from '../../host/connection/catalogue.ts';
import type { ServerConnection } from '../../host/connection/serverConnection.ts';
import type { McpHost } from '../../host/mcpHost.ts';
import { searchTools, type ListedTool } from '../../host/tools/toolSearch.ts';
import { inQuickInput } from '../plainText.ts';

/** Rows handed to the editor at once; they are renewed as one types. */
const MAX_ROWS = 200;

/** Something that a running server offers under a name. */
export interface Listed extends ListedTool {
  readonly connection: ServerConnection;
}

export interface PickListedOptions {
  readonly title: string;
  readonly placeholder: string;
  /** What one server offers. */
  readonly offered: (catalogue: Catalogue) => readonly {
    readonly name: string;
    readonly title?: string | undefined;
    readonly description?: string | undefined;
  }[];
  /** What it is called when there is none, such as `tools`. */
  readonly plural: string;
  /** What one does with it, such as `run a tool`. */
  readonly use: string;
}

interface ListedItem extends vscode.QuickPickItem {
  readonly listed: Listed;
}

/**
 * Lets the person pick among what all running servers offer, ranked as one types; undefined when there is
 * nothing, or nothing was picked.
 */
export async function pickListed(host: McpHost, options: PickListedOptions): Promise<Listed | undefined> {
  const all = host.servers.flatMap(({ connection, label }) =>
    (connection.catalogue ? options.offered(connection.catalogue) : []).map(
      ({ name, title, description }): Listed => ({ connection, server: label, name, title, description }),
    ),
  );
  if (all.length === 0) {
    const show = 'Show Servers';
    if ((await vscode.window.showInformationMessage(emptyState(host, options), show)) === show) {
      await vscode.commands.executeCommand('mcpHost.servers.focus');
    }
    return undefined;
  }
  return pick(all, options);
}

function emptyState({ servers }: McpHost, { plural, use }: PickListedOptions): string {
  if (servers.length === 0) {
    return `There is no MCP server yet. Add one in the MCP Host view, then ${use}.`;
  }
  return servers.some(({ connection }) => connection.state.kind === 'running')
    ? `The running servers offer no ${plural}.`
    : `No MCP server is running. Start one in the MCP Host view, then ${use}.`;
}

async function pick(
  all: readonly Listed[],
  { title, placeholder }: PickListedOptions,
): Promise<Listed | undefined> {
  const store = new DisposableStore();
  const input = store.add(vscode.window.createQuickPick<ListedItem>());
  input.title = title;
  input.placeholder = placeholder;
  const renew = (): void => {
    input.items = searchTools(all, input.value, MAX_ROWS).map(itemOf);
  };
  renew();
  const { promise, resolve } = Promise.withResolvers<Listed | undefined>();
  store.add(input.onDidChangeValue(renew));
  store.add(input.onDidAccept(() => resolve(input.selectedItems[0]?.listed)));
  store.add(input.onDidHide(() => resolve(undefined)));
  input.show();
  try {
    return await promise;
  } finally {
    store.dispose();
  }
}

function itemOf(listed: Listed): ListedItem {
  const { server, name, title, description } = listed;
  const isTitled = title !== undefined && title !== name;
  return {
    label: inQuickInput(title ?? name, 100),
    description: inQuickInput(isTitled ? `${name} · ${server}` : server, 160),
    ...(description !== undefined && { detail: inQuickInput(description, 200) }),
    // The search has been done; the editor would do it anew, and another way.
    alwaysShow: true,
    listed,
  };
}
