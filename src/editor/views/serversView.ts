import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { waitingServers, type QuestionQueue } from '../../host/approval/questionQueue.ts';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import type { HostServer, McpHost } from '../../host/mcpHost.ts';
import { childNodes, PAGE, topNodes, type PagedKind, type ServerNode } from './serverNodes.ts';
import { treeItem } from './serverRows.ts';

/** Milliseconds for which changes are gathered before the tree is drawn again. */
const SETTLE_MS = 50;

/** Shares a folder with a server, or shares it no more; resolves when that is done, or left. */
export type ToggleRoot = (server: HostServer, uri: string, isShared: boolean) => Promise<void>;

/** The view `mcpHost.servers`: each server with its state, and under it what it offers and sees. */
export class ServersView implements vscode.TreeDataProvider<ServerNode>, Disposable {
  readonly #host: McpHost;
  readonly #questions: QuestionQueue;
  readonly #store = new DisposableStore();
  readonly #onDidChange = new vscode.EventEmitter<ServerNode[] | undefined>();
  readonly onDidChangeTreeData = this.#onDidChange.event;
  /** How many children are shown, by `pageKey`. */
  readonly #shown = new Map<string, number>();
  readonly #view: vscode.TreeView<ServerNode>;
  /** The rows of servers as the editor knows them: one of them can be drawn again without the others. */
  readonly #rows = new Map<ServerId, ServerNode>();
  /** The servers to draw again; `undefined` among them stands for the whole tree. */
  readonly #changed = new Set<ServerId | undefined>();
  #timer: NodeJS.Timeout | undefined;

  constructor(host: McpHost, questions: QuestionQueue, toggleRoot: ToggleRoot) {
    this.#host = host;
    this.#questions = questions;
    this.#view = this.#store.add(
      vscode.window.createTreeView('mcpHost.servers', {
        treeDataProvider: this,
        showCollapseAll: true,
        manageCheckboxStateManually: true,
      }),
    );
    this.#store.add(
      this.#view.onDidChangeCheckboxState(({ items }) => void this.#checked(items, toggleRoot)),
    );
    this.#store.add(this.#onDidChange);
    this.#store.add(host.onDidChangeServers(() => this.#refreshSoon()));
    this.#store.add(host.onDidChangeServer(({ definition }) => this.#refreshSoon(definition.id)));
    this.#store.add(questions.onDidChange(() => this.#showBadge()));
    this.#store.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.#refreshSoon()));
    this.#store.add(
      vscode.commands.registerCommand('mcpHost.showMore', (id: ServerId, what: PagedKind) =>
        this.#showMore(id, what),
      ),
    );
    this.#refreshSoon();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#store.dispose();
  }

  getChildren(node?: ServerNode): ServerNode[] {
    if (!node) {
      return topNodes(this.#host).map((top) => this.#rowOf(top));
    }
    const id = 'server' in node ? node.server.connection.definition.id : '';
    return childNodes(this.#host, node, this.#shown.get(pageKey(id, node.kind)) ?? PAGE);
  }

  /** The row that the editor knows already, where it still stands for the same server. */
  #rowOf(node: ServerNode): ServerNode {
    if (node.kind !== 'server') {
      return node;
    }
    const { connection, label } = node.server;
    const { id } = connection.definition;
    const known = this.#rows.get(id);
    if (known?.kind === 'server' && known.server.connection === connection && known.server.label === label) {
      return known;
    }
    this.#rows.set(id, node);
    return node;
  }

  getTreeItem(node: ServerNode): vscode.TreeItem {
    return treeItem(node);
  }

  /** The editor has moved the boxes already: in the end they show what holds. */
  async #checked(
    items: readonly (readonly [ServerNode, vscode.TreeItemCheckboxState])[],
    toggleRoot: ToggleRoot,
  ): Promise<void> {
    for (const [node, state] of items) {
      if (node.kind === 'root') {
        const isShared = state === vscode.TreeItemCheckboxState.Checked;
        await toggleRoot(node.server, node.candidate.root.uri, isShared);
        this.#refreshSoon(node.server.connection.definition.id);
      }
    }
  }

  #showMore(id: ServerId, what: PagedKind): void {
    const key = pageKey(id, what);
    this.#shown.set(key, (this.#shown.get(key) ?? PAGE) + PAGE);
    this.#refreshSoon(id);
  }

  /** While the whole tree is drawn again, the editor loses what is pressed in it: a server is drawn alone. */
  #refreshSoon(id?: ServerId): void {
    this.#changed.add(id);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const rows = [...this.#changed].flatMap((changed) => this.#rows.get(changed ?? '') ?? []);
      this.#onDidChange.fire(rows.length === this.#changed.size ? rows : undefined);
      this.#changed.clear();
      this.#showBadge();
    }, SETTLE_MS);
  }

  #showBadge(): void {
    const waiting = waitingServers(this.#questions.questions);
    this.#view.badge =
      waiting > 0
        ? {
            value: waiting,
            tooltip: waiting === 1 ? '1 server waits for you' : `${waiting} servers wait for you`,
          }
        : undefined;
  }
}

function pageKey(id: string, kind: ServerNode['kind']): string {
  return `${id} ${kind}`;
}
