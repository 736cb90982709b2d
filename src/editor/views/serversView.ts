import type { Prompt } from '@modelcontextprotocol/client';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import type { HostServer } from '../../host/servers/mcpHost.ts';
import {
  childNodes,
  missingPartNodes,
  PAGE,
  topNodes,
  type NodeOf,
  type PagedKind,
  type ServerNode,
  type TreeSources,
} from './serverNodes.ts';
import type { OpenRows } from './openRows.ts';
import { serverMarks } from './serverRow.ts';
import { idOf, toolRowId, treeItem } from './serverRows.ts';
import { StartingClock } from './startingClock.ts';
import { toolTooltip } from './toolRows.ts';
import { watchWhileVisible } from './watchWhileVisible.ts';
import { waitingServers } from '../../host/questions/question.ts';
import type { QuestionQueue } from '../../host/questions/questionQueue.ts';

/** Milliseconds for which changes are gathered before the tree is drawn again. */
const SETTLE_MS = 50;
/** How often the row of a new server is looked for. */
const REVEAL_TRIES = 100;

/** Milliseconds after which the row of a server that is about to be tried again counts down. */
const SECOND = 1_000;

/** What a click on a checkbox does; each resolves when that is done, or left. */
export interface ServerToggles {
  /** Shares a folder with a server, or shares it no more. */
  root(server: HostServer, uri: string, isShared: boolean): Promise<void>;
  /** Shows a tool to models, or no more; without a name all of the server's. */
  expose(server: HostServer, isExposed: boolean, tool?: string): Promise<void>;
  /** Makes a server available to chat, or withdraws it. */
  agentMode(server: HostServer, isGranted: boolean): Promise<void>;
}

/** The view `mcpHost.servers`: each server with its state, and under it what it offers and sees. */
export class ServersView implements vscode.TreeDataProvider<ServerNode>, Disposable {
  readonly #sources: TreeSources;
  readonly #questions: QuestionQueue;
  readonly #store = new DisposableStore();
  readonly #onDidChange = new vscode.EventEmitter<ServerNode[] | undefined>();
  readonly onDidChangeTreeData = this.#onDidChange.event;
  /** How many children are shown, by `pageKey`. */
  readonly #shown = new Map<string, number>();
  readonly #view: vscode.TreeView<ServerNode>;
  /** Rows as the editor knows them, by their id: one of them can be drawn again without the others. */
  readonly #rows = new Map<string, ServerNode>();
  /** What the row of a server said of its tools when it was drawn. */
  readonly #marks = new Map<ServerId, string>();
  /** Each server as it was drawn last, with what stands below it; see `#drawing`. */
  readonly #drawn = new Map<ServerId, Drawing>();
  /** What the row of a server's access to language models said when it was drawn. */
  readonly #accessDrawn = new Map<ServerId, string>();
  /** The ids of the rows of tools that run. */
  #running: ReadonlySet<string> = new Set();
  /** The ids of the rows to draw again; `undefined` among them stands for the whole tree. */
  readonly #changed = new Set<string | undefined>();
  #timer: NodeJS.Timeout | undefined;
  readonly #open: OpenRows;
  #countdown: NodeJS.Timeout | undefined;

  constructor(sources: TreeSources, questions: QuestionQueue, toggles: ServerToggles, open: OpenRows) {
    const { host, tools, agentMode, access, calls, parts } = sources;
    this.#sources = sources;
    this.#questions = questions;
    this.#open = open;
    this.#view = this.#store.add(
      vscode.window.createTreeView('mcpHost.servers', {
        treeDataProvider: this,
        showCollapseAll: true,
        manageCheckboxStateManually: true,
      }),
    );
    this.#store.add(this.#view.onDidChangeCheckboxState(({ items }) => void this.#checked(items, toggles)));
    this.#store.add(this.#view.onDidExpandElement(({ element }) => open.set(idOf(element), true)));
    this.#store.add(this.#view.onDidCollapseElement(({ element }) => open.set(idOf(element), false)));
    this.#store.add(watchWhileVisible(this.#view, host.audience));
    this.#store.add(this.#onDidChange);
    this.#store.add(host.onDidChangeServers(() => this.#refreshSoon()));
    this.#store.add(host.onDidChangeServer(({ definition }) => this.#serverChanged(definition.id)));
    this.#store.add(new StartingClock(host, (id) => this.#serverChanged(id)));
    this.#store.add(tools.onDidChange((id) => this.#toolsChanged(id)));
    this.#store.add(agentMode.onDidChange(() => this.#agentModeChanged()));
    this.#store.add(access.onDidChange(() => this.#accessChanged()));
    this.#store.add(calls.onDidChange(() => this.#callsChanged()));
    this.#store.add(parts.onDidChange(() => this.#refreshSoon()));
    this.#store.add(vscode.commands.registerCommand('mcpHost.showPartsLog', () => parts.showLog()));
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
    clearTimeout(this.#countdown);
    this.#store.dispose();
  }

  /** The row that is selected. */
  get selected(): ServerNode | undefined {
    return this.#view.selection[0];
  }

  getChildren(node?: ServerNode): ServerNode[] {
    if (!node) {
      this.#forgetOthers();
      const tops = [...missingPartNodes(this.#sources), ...topNodes(this.#sources.host)];
      return tops.map((top) => this.#rowOf(top));
    }
    const id = 'server' in node ? node.server.connection.definition.id : '';
    if (node.kind === 'tools' || node.kind === 'prompts') {
      node.server.connection.catalogue?.look(node.kind);
    }
    const shown = this.#shown.get(pageKey(id, node.kind)) ?? PAGE;
    if (node.kind === 'server') {
      // It is there again once the server has tools.
      this.#rows.delete(idOf({ kind: 'tools', server: node.server }));
    }
    return childNodes(this.#sources, node, shown).map((child) => this.#rowOf(child));
  }

  /** Brings the row of a server into sight, and selects it, as soon as the editor has drawn it. */
  async reveal(id: ServerId): Promise<void> {
    await this.#select(() => {
      const server = this.#sources.host.server(id);
      return server && { kind: 'server', server };
    });
  }

  /** Shows a server's tools, with the first one selected and focused, so that its Run Tool is in sight. */
  async showTools(id: ServerId): Promise<void> {
    // What has changed is drawn first, or the editor reveals a row that it is about to replace.
    this.#refresh();
    await this.#select(() => {
      const server = this.#sources.host.server(id);
      return (
        server && (childNodes(this.#sources, { kind: 'tools', server }, 1)[0] ?? { kind: 'server', server })
      );
    });
  }

  /** Selects a row as soon as the editor has drawn it, unless it is gone by then, or you select another. */
  async #select(find: () => ServerNode | undefined): Promise<void> {
    const [before] = this.#view.selection;
    for (let tries = 0; tries < REVEAL_TRIES && !this.#store.isDisposed; tries += 1) {
      const node = find();
      const [selected] = this.#view.selection;
      if (!node || (selected !== undefined && (selected !== before || selected === this.#rowOf(node)))) {
        return;
      }
      // Of a row that the editor does not know yet it says nothing, or that there is none.
      await this.#view.reveal(this.#rowOf(node), { select: true, focus: true }).then(undefined, () => {});
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS * 2));
    }
  }

  /** Rows of servers that are gone are drawn no more. */
  #forgetOthers(): void {
    const connections = new Set(this.#sources.host.servers.map(({ connection }) => connection));
    for (const [id, row] of this.#rows) {
      if (!('server' in row && connections.has(row.server.connection))) {
        this.#rows.delete(id);
      }
    }
  }

  /** The row that the editor knows already, where it still stands for the same thing. */
  #rowOf(node: ServerNode): ServerNode {
    if (!isKept(node)) {
      return node;
    }
    const id = idOf(node);
    const known = this.#rows.get(id);
    if (node.kind === 'tool' && (known?.kind !== 'tool' || known.listed !== node.listed)) {
      this.#rows.set(id, node);
      return node;
    }
    const { connection, label } = node.server;
    if (
      known &&
      'server' in known &&
      known.server.connection === connection &&
      known.server.label === label
    ) {
      return known;
    }
    this.#rows.set(id, node);
    return node;
  }

  /** The editor asks before it reveals a row. */
  getParent(node: ServerNode): ServerNode | undefined {
    switch (node.kind) {
      case 'server':
      case 'shadowed':
      case 'unreadable':
      case 'problem':
      case 'missingPart':
        return undefined;
      case 'tool':
        return this.#rowOf({ kind: 'tools', server: node.server });
      default:
        return this.#rowOf({ kind: 'server', server: node.server });
    }
  }

  getTreeItem(node: ServerNode): vscode.TreeItem {
    if (node.kind === 'server') {
      const { id } = node.server.connection.definition;
      this.#marks.set(id, serverMarks(node.server, this.#sources));
      this.#drawn.set(id, this.#drawing(node.server));
    }
    const item = treeItem(node, this.#sources);
    if (item.collapsibleState === vscode.TreeItemCollapsibleState.Collapsed && this.#open.has(idOf(node))) {
      item.collapsibleState = vscode.TreeItemCollapsibleState.Expanded;
    }
    if (node.kind === 'server' && node.server.connection.state.kind === 'backingOff') {
      this.#countDown();
    }
    if (node.kind === 'modelAccess') {
      this.#accessDrawn.set(node.server.connection.definition.id, JSON.stringify(item));
    }
    return item;
  }

  /** The editor asks when the mouse rests on a row: of thousands of tools few are looked at. */
  resolveTreeItem(item: vscode.TreeItem, node: ServerNode): vscode.TreeItem {
    if (node.kind === 'tool') {
      item.tooltip = toolTooltip(node);
    }
    return item;
  }

  /** The editor has moved the boxes already: in the end they show what holds. */
  async #checked(
    items: readonly (readonly [ServerNode, vscode.TreeItemCheckboxState])[],
    toggles: ServerToggles,
  ): Promise<void> {
    for (const [node, state] of items) {
      const isChecked = state === vscode.TreeItemCheckboxState.Checked;
      switch (node.kind) {
        case 'root':
          await toggles.root(node.server, node.candidate.root.uri, isChecked);
          this.#refreshSoon(node.server.connection.definition.id);
          break;
        case 'tools':
          await toggles.expose(node.server, isChecked);
          this.#refreshSoon(idOf(node));
          break;
        case 'tool':
          await toggles.expose(node.server, isChecked, node.tool.name);
          this.#refreshSoon(idOf({ kind: 'tools', server: node.server }));
          break;
        case 'agentMode':
          await toggles.agentMode(node.server, isChecked);
          this.#refreshSoon(idOf(node));
          break;
        default:
          break;
      }
    }
  }

  /** Much of what changes about a server is not seen in its rows: then they stay, and with them a press on one. */
  #serverChanged(id: ServerId): void {
    const server = this.#sources.host.server(id);
    const [before, now] = [this.#drawn.get(id), server && this.#drawing(server)];
    if (!before || !now || now.text !== before.text || now.prompts !== before.prompts) {
      this.#refreshSoon(id);
    }
  }

  /** What the rows of a server say but for those of its tools and of its model access, whose changes are told apart. */
  #drawing(server: HostServer): Drawing {
    const row: ServerNode = { kind: 'server', server };
    const below = childNodes(this.#sources, row, 0).filter(({ kind }) => kind !== 'modelAccess');
    const roots = below.find(({ kind }) => kind === 'roots');
    const rows = [row, ...below, ...(roots ? childNodes(this.#sources, roots, 0) : [])];
    return {
      text: JSON.stringify(rows.map((one) => treeItem(one, this.#sources))),
      prompts: server.connection.catalogue?.prompts,
    };
  }

  /** A box that is ticked concerns the list of tools only; a change of theirs the server, too. */
  #toolsChanged(id: ServerId): void {
    const server = this.#sources.host.server(id);
    const isMarkedAnew = server && serverMarks(server, this.#sources) !== this.#marks.get(id);
    const tools = server && idOf({ kind: 'tools', server });
    const isThere = tools !== undefined && this.#rows.has(tools) && this.#sources.tools.of(id).length > 0;
    this.#refreshSoon(isMarkedAnew || !isThere ? id : tools);
  }

  #agentModeChanged(): void {
    for (const { connection } of this.#sources.host.servers) {
      this.#serverChanged(connection.definition.id);
    }
  }

  /** Rows that are drawn say in how many seconds their server is tried again: they are drawn again in a second. */
  #countDown(): void {
    this.#countdown ??= setTimeout(() => {
      this.#countdown = undefined;
      for (const { connection } of this.#sources.host.servers) {
        if (connection.state.kind === 'backingOff') {
          this.#serverChanged(connection.definition.id);
        }
      }
    }, SECOND);
  }

  /** A server may ask often, and not each time its row says something else. */
  #accessChanged(): void {
    for (const server of this.#sources.host.servers) {
      const node: ServerNode = { kind: 'modelAccess', server };
      const drawn = this.#accessDrawn.get(server.connection.definition.id);
      if (this.#rows.has(idOf(node)) && JSON.stringify(treeItem(node, this.#sources)) !== drawn) {
        this.#refreshSoon(idOf(node));
      }
    }
  }

  /** Only the rows of tools that have begun or ended are drawn again. */
  #callsChanged(): void {
    const running = new Set(
      this.#sources.calls.running.flatMap(({ isSent, method, serverId, target }) =>
        isSent && method === 'tools/call' ? [toolRowId(serverId, target)] : [],
      ),
    );
    for (const id of [...running, ...this.#running]) {
      if (running.has(id) !== this.#running.has(id) && this.#rows.has(id)) {
        this.#refreshSoon(id);
      }
    }
    this.#running = running;
  }

  #showMore(id: ServerId, what: PagedKind): void {
    const key = pageKey(id, what);
    this.#shown.set(key, (this.#shown.get(key) ?? PAGE) + PAGE);
    this.#refreshSoon(id);
  }

  /** While the whole tree is drawn again, the editor loses what is pressed in it: a row is drawn alone. */
  #refreshSoon(id?: string): void {
    this.#changed.add(id);
    this.#timer ??= setTimeout(() => this.#refresh(), SETTLE_MS);
  }

  #refresh(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#changed.size > 0) {
      const rows = [...this.#changed].flatMap((changed) => this.#rows.get(changed ?? '') ?? []);
      this.#onDidChange.fire(rows.length === this.#changed.size ? rows : undefined);
      this.#changed.clear();
      this.#showBadge();
    }
  }

  #showBadge(): void {
    const waiting = waitingServers(this.#questions.questions);
    this.#view.badge =
      waiting > 0
        ? {
            value: waiting,
            tooltip: waiting === 1 ? '1 server is waiting for you' : `${waiting} servers are waiting for you`,
          }
        : undefined;
  }
}

/** What was drawn of a server. */
interface Drawing {
  readonly text: string;
  /** The list that its rows of prompts are made of. */
  readonly prompts: readonly Prompt[] | undefined;
}

/** True for what is drawn again by itself. */
function isKept(node: ServerNode): node is NodeOf<'server' | 'tools' | 'tool' | 'agentMode' | 'modelAccess'> {
  return ['server', 'tools', 'tool', 'agentMode', 'modelAccess'].includes(node.kind);
}

function pageKey(id: string, kind: ServerNode['kind']): string {
  return `${id} ${kind}`;
}
