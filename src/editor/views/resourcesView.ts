import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { Gathered } from '../../base/gathered.ts';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import type { McpHost } from '../../host/servers/mcpHost.ts';
import { inNotification } from '../plainText.ts';
import { addressIn } from '../resources/resourceArgument.ts';
import type { ResourceUris } from '../resources/resourceUris.ts';
import { resourceItem } from './resourceItems.ts';
import type { MoreRow, ResourceNode } from './resourceNodes.ts';
import { ResourceRows } from './resourceRows.ts';
import { watchWhileVisible } from './watchWhileVisible.ts';

const VIEW = 'mcpHost.resources';

/** Milliseconds for which changes are gathered before the tree is drawn again. */
const SETTLE_MS = 50;

/** The view `mcpHost.resources`: what each running server offers to read, by the paths of its URIs. */
export class ResourcesView implements vscode.TreeDataProvider<ResourceNode>, Disposable {
  readonly #host: McpHost;
  readonly #uris: ResourceUris;
  readonly #rows: ResourceRows;
  readonly #store = new DisposableStore();
  readonly #onDidChange = new vscode.EventEmitter<ResourceNode[] | undefined>();
  readonly onDidChangeTreeData = this.#onDidChange.event;
  readonly #view: vscode.TreeView<ResourceNode>;
  readonly #updating = new Gathered(SETTLE_MS, () => this.#update());

  constructor(host: McpHost, uris: ResourceUris) {
    this.#host = host;
    this.#uris = uris;
    this.#rows = new ResourceRows(host);
    this.#view = this.#store.add(
      vscode.window.createTreeView(VIEW, { treeDataProvider: this, showCollapseAll: true }),
    );
    this.#store.add(watchWhileVisible(this.#view, host.audience));
    this.#store.add(this.#onDidChange);
    this.#store.add(this.#view.onDidExpandElement(({ element }) => this.#rows.setOpen(element, true)));
    this.#store.add(this.#view.onDidCollapseElement(({ element }) => this.#rows.setOpen(element, false)));
    this.#store.add(host.onDidChangeServers(() => this.#serversChanged()));
    this.#store.add(host.onDidChangeServer(() => this.#serversChanged()));
    this.#register('mcpHost.filterResources', () => this.#askForFilter());
    this.#register('mcpHost.clearResourceFilter', () => this.#setFilter(''));
    this.#register('mcpHost.refreshResources', () => this.#refresh());
    this.#register('mcpHost.revealResource', (argument) => this.#revealResource(argument));
    this.#register('mcpHost.showServerResources', (id) => this.#revealServer(id as ServerId));
    this.#register('mcpHost.showMoreResources', (node) => this.#showMore(node as MoreRow));
    this.#updating.soon();
  }

  dispose(): void {
    this.#updating.dispose();
    this.#store.dispose();
  }

  async getChildren(node?: ResourceNode): Promise<ResourceNode[]> {
    if (node?.kind === 'server') {
      node.server.connection.catalogue?.look('resources');
    }
    return [...(node ? await this.#rows.children(node) : await this.#rows.servers())];
  }

  getTreeItem(node: ResourceNode): vscode.TreeItem {
    return resourceItem(node, this.#rows.isOpen(node), this.#uris);
  }

  getParent(node: ResourceNode): ResourceNode | undefined {
    return node.parent;
  }

  #register(command: string, run: (argument: unknown) => unknown): void {
    this.#store.add(vscode.commands.registerCommand(command, run));
  }

  #serversChanged(): void {
    void this.#showMessage();
    this.#updating.soon();
  }

  #update(): void {
    const changed = this.#rows.update();
    if (changed === 'all') {
      this.#onDidChange.fire(undefined);
    } else if (changed.length > 0) {
      this.#onDidChange.fire([...changed]);
    }
    void this.#showMessage();
  }

  async #askForFilter(): Promise<void> {
    const typed = await vscode.window.showInputBox({
      title: 'Filter Resources',
      prompt: 'Words of the URI, the title or the name',
      placeHolder: 'readme docs',
      value: this.#rows.filter,
    });
    if (typed !== undefined) {
      await this.#setFilter(typed);
      await vscode.commands.executeCommand(`${VIEW}.focus`);
    }
  }

  async #setFilter(filter: string): Promise<void> {
    this.#rows.filter = filter;
    await vscode.commands.executeCommand('setContext', 'mcpHost.hasResourceFilter', this.#rows.filter !== '');
    this.#onDidChange.fire(undefined);
    await this.#showMessage();
  }

  /** Beside a message the editor shows no text for an empty view. */
  async #showMessage(): Promise<void> {
    const { filter } = this.#rows;
    const message = filter ? await this.#filterMessage() : this.#listingMessage();
    if (filter === this.#rows.filter && (this.#view.message ?? '') !== message) {
      this.#view.message = message;
    }
  }

  async #filterMessage(): Promise<string> {
    const { filter } = this.#rows;
    const { matching, total } = await this.#rows.counts();
    return matching > 0 ? `Filter: '${filter}' · ${matching} of ${total}` : '';
  }

  /** Before the first list has come, nobody knows that nothing is listed. */
  #listingMessage(): string {
    const lists = this.#rows.isEmpty
      ? this.#host.servers.flatMap(({ connection }) => connection.catalogue?.listing('resources') ?? [])
      : [];
    if (lists.length === 0) {
      return '';
    }
    // A list that cannot be read is heard of in no other way.
    void Promise.race(lists).then(() => this.#updating.soon());
    return 'Listing resources…';
  }

  async #refresh(): Promise<void> {
    const catalogues = this.#host.servers.flatMap(({ connection }) => connection.catalogue ?? []);
    await vscode.window.withProgress({ location: { viewId: VIEW } }, () =>
      Promise.all(catalogues.map((catalogue) => catalogue.refresh('resources'))),
    );
  }

  async #revealResource(argument: unknown): Promise<void> {
    const address = addressIn(argument, this.#uris);
    if (!address) {
      return;
    }
    // What the tree has not heard of yet may be the very thing.
    this.#update();
    if (this.#rows.filter && !(await this.#rows.rowOf(address))) {
      await this.#setFilter('');
    }
    const row = await this.#rows.rowOf(address);
    if (row) {
      this.#onDidChange.fire(undefined); // there may be another page to show
      await this.#view.reveal(row, { select: true, focus: true });
    } else {
      const label = this.#host.server(address.serverId)?.label ?? '';
      void vscode.window.showInformationMessage(
        inNotification(`Server '${label}' does not list ${address.uri}.`),
      );
    }
  }

  async #revealServer(id: ServerId): Promise<void> {
    this.#update();
    const row = (await this.#rows.servers()).find(({ serverId }) => serverId === id);
    if (row) {
      await this.#view.reveal(row, { select: true, focus: true, expand: true });
    } else {
      await vscode.commands.executeCommand(`${VIEW}.focus`);
    }
  }

  #showMore(node: MoreRow): void {
    this.#rows.showMore(node);
    this.#onDidChange.fire(node.parent ? [node.parent] : undefined);
  }
}
