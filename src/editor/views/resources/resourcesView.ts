import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../../base/lifetime/disposable.ts';
import { Gathered } from '../../../base/time/gathered.ts';
import type { ServerId } from '../../../host/config/serverDefinition.ts';
import type { McpHost } from '../../../host/servers/mcpHost.ts';
import { registerCommands } from '../../commands/commands.ts';
import { inNotification } from '../../messages/plainText.ts';
import { addressIn } from '../../resources/resourceArgument.ts';
import type { ResourceUris } from '../../resources/resourceUris.ts';
import type { MoreNode, ResourceNode } from '../../nodes/resourceNode.ts';
import { ResourceNodes } from './resourceNodes.ts';
import type { ContextKeys } from '../../workspace/contextKeys.ts';
import { Tree } from '../tree.ts';
import { resourceRow } from './resourceRows.ts';

/** Milliseconds for which changes are gathered before the tree is drawn again. */
const SETTLE_MS = 50;

/** The view `mcpHost.resources`: what each running server lists, by the paths of its URIs. */
export class ResourcesView implements Disposable {
  readonly #host: McpHost;
  readonly #uris: ResourceUris;
  readonly #contextKeys: ContextKeys;
  readonly #tree: Tree<ResourceNode>;
  readonly #nodes: ResourceNodes;
  readonly #store = new DisposableStore();
  readonly #updating = new Gathered(SETTLE_MS, () => this.#update());

  constructor(host: McpHost, uris: ResourceUris, contextKeys: ContextKeys) {
    this.#contextKeys = contextKeys;
    this.#host = host;
    this.#uris = uris;
    this.#nodes = new ResourceNodes(host);
    this.#tree = this.#store.add(
      new Tree<ResourceNode>('resources', {
        children: (node) => this.#children(node),
        rowOf: (node) => resourceRow(node, this.#nodes.isOpen(node), uris),
        parentOf: ({ parent }) => parent,
        onDidOpen: (node, isOpen) => this.#nodes.setOpen(node, isOpen),
        watchers: host.listWatchers,
        options: { showCollapseAll: true },
      }),
    );
    this.#store.add(host.onDidChangeServers(() => this.#serversChanged()));
    this.#store.add(host.onDidChangeServer(() => this.#serversChanged()));
    this.#store.add(
      registerCommands({
        filterResources: () => this.#askForFilter(),
        clearResourceFilter: () => this.#setFilter(''),
        refreshResources: () => this.#refresh(),
        revealResource: (argument) => this.#revealResource(argument),
        showServerResources: (id) => this.#revealServer(id),
        showMoreResources: (row) => this.#showMore(row),
      }),
    );
    this.#updating.soon();
  }

  dispose(): void {
    this.#updating.dispose();
    this.#store.dispose();
  }

  async #children(node?: ResourceNode): Promise<ResourceNode[]> {
    if (node?.kind === 'server') {
      node.server.connection.catalogue?.look('resources');
    }
    return [...(node ? await this.#nodes.children(node) : await this.#nodes.servers())];
  }

  #serversChanged(): void {
    void this.#showMessage();
    this.#updating.soon();
  }

  #update(): void {
    this.#tree.draw(this.#nodes.update());
    void this.#showMessage();
  }

  async #askForFilter(): Promise<void> {
    const typed = await vscode.window.showInputBox({
      title: 'Filter Resources',
      prompt: 'Enter words of the URI, the title or the name',
      placeHolder: 'readme docs',
      value: this.#nodes.filter,
    });
    if (typed !== undefined) {
      await this.#setFilter(typed);
      await this.#tree.focus();
    }
  }

  async #setFilter(filter: string): Promise<void> {
    this.#nodes.filter = filter;
    this.#contextKeys.set('mcpHost.hasResourceFilter', this.#nodes.filter !== '');
    this.#tree.draw('all');
    await this.#showMessage();
  }

  async #showMessage(): Promise<void> {
    const { filter } = this.#nodes;
    const message = filter ? await this.#filterMessage() : this.#listingMessage();
    if (filter === this.#nodes.filter) {
      this.#tree.setMessage(message);
    }
  }

  async #filterMessage(): Promise<string> {
    const { filter } = this.#nodes;
    const { matching, total } = await this.#nodes.counts();
    return matching > 0 ? `Filter: '${filter}' · ${matching} of ${total}` : '';
  }

  /** Before the first list has come, an empty view does not mean that nothing is listed. */
  #listingMessage(): string {
    const lists = this.#nodes.isEmpty
      ? this.#host.servers.flatMap(({ connection }) => connection.catalogue?.listing('resources') ?? [])
      : [];
    if (lists.length === 0) {
      return '';
    }
    // No event reports a list that cannot be read.
    void Promise.race(lists).then(() => this.#updating.soon());
    return 'Listing resources…';
  }

  async #refresh(): Promise<void> {
    const catalogues = this.#host.servers.flatMap(({ connection }) => connection.catalogue ?? []);
    await vscode.window.withProgress({ location: { viewId: 'mcpHost.resources' } }, () =>
      Promise.all(catalogues.map((catalogue) => catalogue.refresh('resources'))),
    );
  }

  async #revealResource(argument: unknown): Promise<void> {
    const address = addressIn(argument, this.#uris);
    if (!address) {
      return;
    }
    // The tree may not know the resource yet.
    this.#update();
    if (this.#nodes.filter && !(await this.#nodes.nodeOf(address))) {
      await this.#setFilter('');
    }
    const row = await this.#nodes.nodeOf(address);
    if (row) {
      this.#tree.draw('all'); // there may be another page to show
      await this.#tree.view.reveal(row, { select: true, focus: true });
    } else {
      const label = this.#host.server(address.serverId)?.label ?? '';
      void vscode.window.showInformationMessage(
        inNotification(`Server '${label}' doesn't list ${address.uri}.`),
      );
    }
  }

  async #revealServer(id: ServerId): Promise<void> {
    this.#update();
    const row = (await this.#nodes.servers()).find(({ serverId }) => serverId === id);
    if (row) {
      await this.#tree.view.reveal(row, { select: true, focus: true, expand: true });
    } else {
      await this.#tree.focus();
    }
  }

  #showMore(node: MoreNode): void {
    this.#nodes.showMore(node);
    this.#tree.draw(node.parent ? [node.parent] : 'all');
  }
}
