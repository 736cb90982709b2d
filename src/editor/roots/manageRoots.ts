import * as vscode from 'vscode';
import { DisposableStore } from '../../base/lifetime/disposable.ts';
import type { HostServer, McpHost } from '../../host/servers/mcpHost.ts';
import { rootsSummary } from '../../host/roots/rootsSummary.ts';
import type { RootCandidate, RootsView } from '../../host/roots/rootsView.ts';
import { pathOf } from '../../host/folders/sharedRoot.ts';
import { runCommand } from '../commands/commands.ts';
import { inQuickInput } from '../messages/plainText.ts';
import { addSubfolder, removeSubfolder, setShared, stopSharing } from './shareRoots.ts';
import { inputButton } from '../quickInput/quickInputs.ts';

const addButton = inputButton('new-folder', 'Share a Subfolder…');
const removeButton = inputButton('trash', 'Remove Subfolder');
const againButton = inputButton('check', 'Share Again');

/** A folder of one server. */
interface RootItem extends vscode.QuickPickItem {
  readonly server: HostServer;
  readonly candidate: RootCandidate;
}

/** How you left the list; `checked` holds the keys of what was checked. */
type Outcome =
  | { readonly kind: 'accepted'; readonly checked: ReadonlySet<string> }
  | {
      readonly kind: 'pressed';
      readonly checked: ReadonlySet<string>;
      readonly button: vscode.QuickInputButton;
      readonly item: RootItem;
    }
  | { readonly kind: 'left' };

/** "Manage Folders": the folders of all servers in one list, one server first. Changes are applied at once. */
export async function manageRoots(host: McpHost, first?: HostServer): Promise<void> {
  let checked: ReadonlySet<string> | undefined;
  for (;;) {
    const items = inOrder(host, first).flatMap((server) => itemsOf(host, server));
    if (items.length === 0) {
      await sayEmpty(host);
      return;
    }
    const before = chosenKeys(items);
    const outcome = await pick(items, checked ?? before);
    switch (outcome.kind) {
      case 'left':
        return;
      case 'accepted':
        await apply(host, items.filter(isRoot), outcome.checked);
        return;
      case 'pressed': {
        await press(host, outcome);
        const after = chosenKeys(host.servers.flatMap((server) => itemsOf(host, server)));
        checked = merged(before, outcome.checked, after);
      }
    }
  }
}

function inOrder({ servers }: McpHost, first: HostServer | undefined): readonly HostServer[] {
  const id = first?.connection.definition.id;
  const isFirst = ({ connection }: HostServer): boolean => connection.definition.id === id;
  return [...servers.filter(isFirst), ...servers.filter((server) => !isFirst(server))];
}

async function sayEmpty({ servers }: McpHost): Promise<void> {
  if (servers.length > 0) {
    void vscode.window.showInformationMessage('The workspace has no folder that can be shared.');
    return;
  }
  const add = 'Add Server…';
  const text = 'There is no MCP server yet to share folders with.';
  if ((await vscode.window.showInformationMessage(text, add)) === add) {
    await runCommand('addServer');
  }
}

function itemsOf(host: McpHost, server: HostServer): readonly (vscode.QuickPickItem | RootItem)[] {
  const view = host.rootsOf(server.connection.definition);
  // What can never be shared would have a checkbox that does nothing.
  const candidates = view.candidates.filter(({ problem }) => problem?.kind !== 'refused');
  if (candidates.length === 0) {
    return [];
  }
  return [
    {
      label: inQuickInput(headingOf(server, view), 80),
      kind: vscode.QuickPickItemKind.Separator,
    },
    ...candidates.map((candidate) => rootItem(server, candidate)),
  ];
}

/** The checkboxes show what is shared; the heading shows when it was not you who decided. */
function headingOf({ label }: HostServer, view: RootsView): string {
  return view.basis === 'person' ? label : `${label}: ${rootsSummary(view)}`;
}

function rootItem(server: HostServer, candidate: RootCandidate): RootItem {
  const { root, within, problem } = candidate;
  const place = root.uri.startsWith('file:') ? pathOf(root) : '';
  return {
    label: inQuickInput(root.name, 80),
    // Includes the server's name because a filter hides the heading.
    description: inQuickInput(`${server.label} · ${place}`, 160),
    ...(problem && { detail: `$(warning) ${inQuickInput(problem.message, 200)}` }),
    buttons: [
      ...(problem?.kind === 'moved' ? [againButton] : []),
      ...(within ? [removeButton] : problem ? [] : [addButton]),
    ],
    server,
    candidate,
  };
}

async function pick(items: readonly vscode.QuickPickItem[], checked: ReadonlySet<string>): Promise<Outcome> {
  const store = new DisposableStore();
  const input = store.add(vscode.window.createQuickPick());
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const now = (): ReadonlySet<string> => new Set(input.selectedItems.filter(isRoot).map(keyOf));
  input.title = 'Manage Folders: The Folders That Each Server Sees';
  input.placeholder = 'Select what each server sees, and press Enter';
  input.canSelectMany = true;
  input.matchOnDescription = true;
  input.ignoreFocusOut = true;
  input.items = items;
  input.selectedItems = items.filter((item) => isRoot(item) && checked.has(keyOf(item)));
  store.add(input.onDidAccept(() => resolve({ kind: 'accepted', checked: now() })));
  store.add(
    input.onDidTriggerItemButton(({ button, item }) => {
      if (isRoot(item)) {
        resolve({ kind: 'pressed', checked: now(), button, item });
      }
    }),
  );
  store.add(input.onDidHide(() => resolve({ kind: 'left' })));
  input.show();
  try {
    return await promise;
  } finally {
    store.dispose();
  }
}

async function press(host: McpHost, { button, item }: Outcome & { readonly kind: 'pressed' }): Promise<void> {
  const { server, candidate } = item;
  if (button === addButton) {
    await addSubfolder(host, server, candidate.root);
  } else if (button === removeButton) {
    await removeSubfolder(host, server, candidate.root.uri);
  } else {
    await setShared(host, server, candidate.root.uri, true);
  }
}

/** What is checked after a button has changed the list: what you had checked, and what is new. */
function merged(
  before: ReadonlySet<string>,
  checked: ReadonlySet<string>,
  after: ReadonlySet<string>,
): ReadonlySet<string> {
  return new Set([...checked, ...[...after].filter((key) => !before.has(key))]);
}

/** Applies the changes to each server, added folders first, so that no server is without folders for a moment. */
async function apply(host: McpHost, items: readonly RootItem[], checked: ReadonlySet<string>): Promise<void> {
  const changed = items.filter((item) => checked.has(keyOf(item)) !== item.candidate.isChosen);
  for (const [id, ofServer] of Map.groupBy(changed, ({ server }) => server.connection.definition.id)) {
    const server = host.server(id);
    if (server) {
      const uris = (isShared: boolean): readonly string[] =>
        ofServer
          .filter((item) => checked.has(keyOf(item)) === isShared)
          .map(({ candidate }) => candidate.root.uri);
      for (const uri of uris(true)) {
        await setShared(host, server, uri, true);
      }
      if (uris(false).length > 0) {
        await stopSharing(host, server, uris(false));
      }
    }
  }
}

function chosenKeys(items: readonly vscode.QuickPickItem[]): ReadonlySet<string> {
  return new Set(
    items
      .filter(isRoot)
      .filter(({ candidate }) => candidate.isChosen)
      .map(keyOf),
  );
}

function isRoot(item: vscode.QuickPickItem): item is RootItem {
  return 'candidate' in item;
}

function keyOf({ server, candidate }: RootItem): string {
  return JSON.stringify([server.connection.definition.id, candidate.root.uri]);
}
