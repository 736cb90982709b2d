import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/lifetime/disposable.ts';
import type { ListKind } from '../../host/connection/lists/serverList.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';

/** Whether a server has yet to list what it offers. */
export function isListing({ servers }: Pick<McpHost, 'servers'>, kind: ListKind): boolean {
  return servers.some(
    ({ connection: { state, catalogue } }) =>
      state.kind === 'starting' || catalogue?.listing(kind) !== undefined,
  );
}

/** Calls back whenever servers may offer something else, and when a list that is being read has come or failed. */
export function watchLists(host: McpHost, kind: ListKind, changed: () => void): Disposable {
  const store = new DisposableStore();
  const told = (): void => {
    if (!store.isDisposed) {
      changed();
    }
  };
  const watch = (): void => {
    told();
    for (const { connection } of host.servers) {
      void connection.catalogue?.listing(kind)?.then(told);
    }
  };
  store.add(host.onDidChangeServer(watch));
  store.add(host.onDidChangeServers(watch));
  watch();
  return store;
}

/** The one row of a list that has no others: why that is. It can't be picked. */
export function emptyRow(
  host: Pick<McpHost, 'servers'>,
  kind: 'tools' | 'prompts' | 'resources',
  offersAny: boolean,
): vscode.QuickPickItem {
  const none = isListing(host, kind) ? `Listing ${kind}…` : `No server offers ${kind}`;
  return {
    label: offersAny ? `No ${kind.slice(0, -1)} matches all these words` : none,
    iconPath: new vscode.ThemeIcon('info'),
    alwaysShow: true,
  };
}
