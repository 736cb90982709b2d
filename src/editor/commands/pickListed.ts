import type * as vscode from 'vscode';
import type { Catalogue } from '../../host/connection/lists/catalogue.ts';
import type { ServerConnection } from '../../host/connection/serverConnection.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import { searchTools, type Searchable } from '../../host/tools/toolList.ts';
import { inQuickInput } from '../plainText.ts';
import { showNothingOffered } from './nothingOffered.ts';
import { MAX_ROWS, pickRenewed } from './pickRenewed.ts';

/** Something that a running server offers under a name. */
export interface Listed extends Searchable {
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
 * nothing, which is then said, or nothing was picked.
 */
export async function pickListed(host: McpHost, options: PickListedOptions): Promise<Listed | undefined> {
  const { title, placeholder, offered, plural, use } = options;
  const all = host.servers.flatMap(({ connection, label }) =>
    (connection.catalogue ? offered(connection.catalogue) : []).map(
      ({ name, title: shown, description }): Listed => ({
        connection,
        server: label,
        name,
        title: shown,
        description,
      }),
    ),
  );
  if (all.length === 0) {
    await showNothingOffered(host, plural, use);
    return undefined;
  }
  const rows = (typed: string): readonly ListedItem[] => searchTools(all, typed, MAX_ROWS).map(itemOf);
  return (await pickRenewed({ title, placeholder, rows, keyOf }))?.row.listed;
}

function keyOf({ listed: { connection, name } }: ListedItem): string {
  return JSON.stringify([connection.definition.id, name]);
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
