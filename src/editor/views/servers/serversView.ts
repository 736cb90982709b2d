import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../../base/lifetime/disposable.ts';
import { Gathered } from '../../../base/time/gathered.ts';
import type { ServerId } from '../../../host/config/serverDefinition.ts';
import { waitingServers } from '../../../host/questions/question.ts';
import type { QuestionQueue } from '../../../host/questions/questionQueue.ts';
import type { HostServer } from '../../../host/servers/mcpHost.ts';
import { registerCommands } from '../../commands/commands.ts';
import type { FoundServers } from '../../definitions/foundServers.ts';
import { PAGE, type Row } from '../row.ts';
import { Tree } from '../tree.ts';
import { check } from './checkedRows.ts';
import { DrawnServers } from './drawnServers.ts';
import type { OpenRows } from './openRows.ts';
import {
  idBelow,
  missingPartNodes,
  onlyNode,
  serverNode,
  startNodes,
  topNodes,
  treeNodes,
  type TreeSources,
} from './serverNodes.ts';
import type { NodeOf, ServerNode } from '../../nodes/serverNode.ts';
import { rowOf } from './serverRows.ts';
import { toolTooltip } from './offeredRows.ts';
import type { ServerToggles } from '../../gate/serverToggles.ts';

/** Milliseconds for which changes are gathered before the tree is drawn again. */
const SETTLE_MS = 50;

/** How often the row of a new server is looked for. */
const REVEAL_TRIES = 100;

/** Milliseconds after which the row of a server that will be tried again counts down. */
const SECOND = 1_000;

/** Milliseconds between two checks of a server that is starting: a row that is drawn more often loses presses. */
const STARTING_MS = 5_000;

/** The view of servers: each with its state, and below it what it offers and sees. */
export class ServersView implements Disposable {
  readonly #sources: TreeSources;
  readonly #questions: QuestionQueue;
  readonly #store = new DisposableStore();
  readonly #tree: Tree<ServerNode>;
  readonly #open: OpenRows;
  readonly #found: FoundServers;
  readonly #drawn: DrawnServers;
  /** How many children are shown, by the id of their parent. */
  readonly #shown = new Map<string, number>();
  /** Nodes as the editor knows them, by their id: the row of one can be drawn again without the others. */
  readonly #nodes = new Map<string, ServerNode>();
  /** The ids of the rows of tools that run. */
  #running: ReadonlySet<string> = new Set();
  /** The ids of the rows to draw again; `undefined` means the whole tree. */
  readonly #changed = new Set<string | undefined>();
  readonly #drawing = this.#store.add(new Gathered(SETTLE_MS, () => this.#draw()));
  readonly #counting = this.#store.add(new Gathered(SECOND, () => this.#countDown()));
  readonly #waiting = this.#store.add(new Gathered(STARTING_MS, () => this.#countUp()));

  constructor(
    sources: TreeSources,
    questions: QuestionQueue,
    toggles: ServerToggles,
    open: OpenRows,
    found: FoundServers,
  ) {
    const { host, tools, agentMode, access, accounts, calls, parts } = sources;
    this.#sources = sources;
    this.#questions = questions;
    this.#open = open;
    this.#found = found;
    this.#drawn = new DrawnServers(sources);
    this.#tree = this.#store.add(
      new Tree<ServerNode>('servers', {
        children: (node) => (node ? this.#childrenOf(node) : this.#top()),
        rowOf: (node) => this.#rowOf(node),
        parentOf: (node) => this.#parentOf(node),
        // Of thousands of tools few are looked at.
        tooltipOf: (node) => (node.kind === 'tool' ? toolTooltip(node, sources) : undefined),
        onDidOpen: ({ id }, isOpen) => open.set(id, isOpen),
        watchers: host.listWatchers,
        options: { showCollapseAll: true, manageCheckboxStateManually: true },
      }),
    );
    const { view } = this.#tree;
    this.#store.add(view.onDidChangeCheckboxState(({ items }) => void this.#checked(items, toggles)));
    this.#store.add(host.onDidChangeServers(() => this.#drawSoon()));
    this.#store.add(found.onDidChange(() => this.#drawSoon()));
    this.#store.add(
      view.onDidChangeVisibility(({ visible }) => visible && host.servers.length === 0 && found.look()),
    );
    this.#store.add(host.onDidChangeServer(({ definition }) => this.#serverChanged(definition.id)));
    this.#store.add(tools.onDidChange((id) => this.#toolsChanged(id)));
    this.#store.add(agentMode.onDidChange(() => this.#serversChanged(() => true)));
    this.#store.add(access.onDidChange(() => this.#serversChanged(() => true)));
    this.#store.add(accounts.onDidChange((id) => this.#serverChanged(id)));
    this.#store.add(calls.onDidChange(() => this.#callsChanged()));
    this.#store.add(parts.onDidChange(() => this.#drawSoon()));
    this.#store.add(questions.onDidChange(() => this.#showBadge()));
    this.#store.add(
      registerCommands({
        showMore: (node) => this.#showMore(node),
        showPartsLog: () => parts.showLog(),
      }),
    );
    this.#drawSoon();
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Whether this is a row of the view itself, on which you have acted. */
  isRow(value: object): boolean {
    return this.#tree.isRow(value);
  }

  /** The row that is selected. */
  get selected(): ServerNode | undefined {
    return this.#tree.view.selection[0];
  }

  /** Reveals and selects the row of a server as soon as the editor has drawn it, and gives it the focus. */
  async reveal(id: ServerId, { preserveFocus = false } = {}): Promise<void> {
    await this.#select(
      () => {
        const server = this.#sources.host.server(id);
        return server && serverNode(server);
      },
      { focus: !preserveFocus },
    );
  }

  /** Shows a server's tools, with the first one selected and focused, so that its Run Tool is visible. */
  async showTools(id: ServerId): Promise<void> {
    // What has changed is drawn first, or the editor reveals a row that it is about to replace.
    this.#drawing.now();
    await this.#select(
      () => {
        const server = this.#sources.host.server(id);
        return server && (treeNodes(this.#sources, onlyNode('tools', server), 1)[0] ?? serverNode(server));
      },
      { focus: true },
    );
  }

  /** Selects a row as soon as the editor has drawn it, unless it is gone by then, or you select another. */
  async #select(find: () => ServerNode | undefined, { focus }: { readonly focus: boolean }): Promise<void> {
    const { view } = this.#tree;
    const [before] = view.selection;
    for (let tries = 0; tries < REVEAL_TRIES && !this.#store.isDisposed; tries += 1) {
      const node = find();
      const [selected] = view.selection;
      if (!node || (selected !== undefined && (selected !== before || selected === this.#known(node)))) {
        return;
      }
      // For a row that the editor does not know yet, it does nothing or throws.
      await view.reveal(this.#known(node), { select: true, focus }).then(undefined, () => {});
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS * 2));
    }
  }

  #top(): ServerNode[] {
    const connections = new Set(this.#sources.host.servers.map(({ connection }) => connection));
    for (const [id, node] of this.#nodes) {
      if (!('server' in node && connections.has(node.server.connection))) {
        this.#nodes.delete(id);
      }
    }
    const nodes = topNodes(this.#sources.host);
    if (nodes.length === 0) {
      this.#found.look();
    }
    const { found } = this.#found;
    return [
      ...missingPartNodes(this.#sources),
      ...(nodes.length === 0 && found ? startNodes(found) : nodes),
    ].map((node) => this.#known(node));
  }

  #childrenOf(node: ServerNode): ServerNode[] {
    if (node.kind === 'tools' || node.kind === 'prompts') {
      node.server.connection.catalogue?.look(node.kind);
    }
    if (node.kind === 'server') {
      // The node comes back once the server has tools.
      this.#nodes.delete(onlyNode('tools', node.server).id);
    }
    const shown = this.#shown.get(node.id) ?? PAGE;
    return treeNodes(this.#sources, node, shown).map((child) => this.#known(child));
  }

  /** The node that the editor already has, if it is still for the same thing. */
  #known(node: ServerNode): ServerNode {
    if (!isKept(node)) {
      return node;
    }
    const known = this.#nodes.get(node.id);
    const isOther = known?.kind === 'tool' && node.kind === 'tool' && known.listed !== node.listed;
    if (known && 'server' in known && !isOther) {
      const { connection, label } = known.server;
      if (connection === node.server.connection && label === node.server.label) {
        return known;
      }
    }
    this.#nodes.set(node.id, node);
    return node;
  }

  #parentOf(node: ServerNode): ServerNode | undefined {
    if (node.kind === 'server' || !('server' in node)) {
      return undefined;
    }
    return this.#known(node.kind === 'tool' ? onlyNode('tools', node.server) : serverNode(node.server));
  }

  #rowOf(node: ServerNode): Row {
    this.#drawn.note(node);
    if (node.kind === 'server' && node.server.connection.state.kind === 'backingOff') {
      this.#counting.soon();
    } else if (node.kind === 'server' && isStarting(node.server)) {
      this.#waiting.soon();
    }
    const row = rowOf(node, this.#sources);
    return row.children && this.#open.has(node.id) ? { ...row, children: 'open' } : row;
  }

  /** The editor has already changed the checkboxes. Drawing the rows again shows what holds. */
  async #checked(
    items: readonly (readonly [ServerNode, vscode.TreeItemCheckboxState])[],
    toggles: ServerToggles,
  ): Promise<void> {
    for (const [node, state] of items) {
      await check(node, state === vscode.TreeItemCheckboxState.Checked, toggles);
      if ('server' in node) {
        this.#drawSoon(redrawn(node));
      }
    }
  }

  #serverChanged(id: ServerId): void {
    if (!this.#drawn.isSame(id)) {
      this.#drawSoon(id);
    }
  }

  #serversChanged(isMeant: (server: HostServer) => boolean): void {
    for (const server of this.#sources.host.servers.filter(isMeant)) {
      this.#serverChanged(server.connection.definition.id);
    }
  }

  /** A checkbox changes only the list of tools; a change of a tool also changes the server's row. */
  #toolsChanged(id: ServerId): void {
    const server = this.#sources.host.server(id);
    const tools = server && onlyNode('tools', server).id;
    const isThere = tools !== undefined && this.#nodes.has(tools) && this.#sources.tools.of(id).length > 0;
    if (!server || !isThere || !this.#drawn.areMarksSame(server)) {
      this.#drawSoon(id);
    } else if (!this.#drawn.areToolsSame(id)) {
      this.#drawSoon(tools);
    }
  }

  /** Rows show in how many seconds their server is tried again, so they are drawn again after a second. */
  #countDown(): void {
    this.#serversChanged(({ connection }) => connection.state.kind === 'backingOff');
  }

  /** Rows show for how long their server has been starting. */
  #countUp(): void {
    this.#serversChanged(isStarting);
    if (this.#sources.host.servers.some(isStarting)) {
      this.#waiting.soon();
    }
  }

  /** Draws only the rows of tools that have begun or ended. */
  #callsChanged(): void {
    const running = new Set(
      this.#sources.calls.running.flatMap(({ isSent, method, serverId, target }) =>
        isSent && method === 'tools/call' ? [idBelow(serverId, 'tool', target)] : [],
      ),
    );
    for (const id of [...running, ...this.#running]) {
      if (running.has(id) !== this.#running.has(id) && this.#nodes.has(id)) {
        this.#drawSoon(id);
      }
    }
    this.#running = running;
  }

  #showMore({ server, what }: NodeOf<'more'>): void {
    const { id } = server.connection.definition;
    const parent = idBelow(id, what);
    this.#shown.set(parent, (this.#shown.get(parent) ?? PAGE) + PAGE);
    this.#drawSoon(id);
  }

  /** While the whole tree is drawn again, the editor loses what is pressed in it: a row is drawn alone. */
  #drawSoon(id?: string): void {
    this.#changed.add(id);
    this.#drawing.soon();
  }

  #draw(): void {
    if (this.#changed.size > 0) {
      const nodes = [...this.#changed].flatMap((changed) => this.#nodes.get(changed ?? '') ?? []);
      this.#tree.draw(nodes.length === this.#changed.size ? nodes : 'all');
      this.#changed.clear();
      this.#showBadge();
    }
  }

  #showBadge(): void {
    const waiting = waitingServers(this.#questions.questions);
    const servers = waiting === 1 ? '1 server is' : `${waiting} servers are`;
    this.#tree.view.badge =
      waiting > 0 ? { value: waiting, tooltip: `${servers} waiting for you` } : undefined;
  }
}

function isStarting({ connection }: HostServer): boolean {
  return connection.state.kind === 'starting';
}

/** The row to draw again, with those below it, after the checkbox of one. */
function redrawn(node: ServerNode & { readonly server: HostServer }): string {
  switch (node.kind) {
    case 'root':
      return node.server.connection.definition.id;
    case 'tool':
      return onlyNode('tools', node.server).id;
    default:
      return node.id;
  }
}

/** True for nodes whose rows are drawn again without the others. */
function isKept(node: ServerNode): node is NodeOf<'server' | 'tools' | 'tool'> {
  return ['server', 'tools', 'tool'].includes(node.kind);
}
