import type { Resource, ResourceTemplateType } from '@modelcontextprotocol/client';
import type { ServerId } from '../../../host/config/serverDefinition.ts';
import type { HostServer, McpHost } from '../../../host/servers/mcpHost.ts';
import type { ResourceAddress } from '../../../host/resources/resourceAddress.ts';
import type { MalformedItem } from '../../../host/results/soundPage.ts';
import { matcher, resourceTree, type ResourceTree } from '../../../host/resources/resourceTree.ts';
import {
  foldedIds,
  idOf,
  malformedNode,
  nodeOf,
  templateNode,
  type MoreNode,
  type ResourceNode,
  type ListedResourceNode,
  type ListedServerNode,
  type TemplatesNode,
} from '../../nodes/resourceNode.ts';
import { PAGE } from '../row.ts';

/** The number of matches of a filter up to which all rows are open. */
const MAX_EXPANDED = 200;

/** What one server lists, for as long as the list is the same. */
interface Listing {
  readonly resources: readonly Resource[];
  readonly templates: readonly ResourceTemplateType[];
  readonly malformed: readonly MalformedItem[];
  readonly row: ListedServerNode;
  /** Made on first use, and again for another filter. */
  tree: Promise<ResourceTree> | undefined;
}

/** Which children of a row are shown: from one index up to the other. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** What must be drawn again: some servers, everything, or nothing. */
export type Changed = readonly ListedServerNode[] | 'all';

/** How many resources and templates match the filter, and how many there are. */
export interface Counts {
  readonly matching: number;
  readonly total: number;
}

/** The nodes of the tree of resources: which there are, which of them are shown, and which are open. */
export class ResourceNodes {
  readonly #host: Pick<McpHost, 'servers'>;
  #listings: ReadonlyMap<ServerId, Listing> = new Map();
  #filter = '';
  #matching = 0;
  readonly #spans = new Map<string, Span>();
  /** What you opened or closed; for a filter it is forgotten with the filter. */
  #isOpen = new Map<string, boolean>();
  #isOpenUnfiltered = this.#isOpen;

  constructor(host: Pick<McpHost, 'servers'>) {
    this.#host = host;
  }

  /** Whether no server lists anything, filtered or not. */
  get isEmpty(): boolean {
    return this.#listings.size === 0;
  }

  get filter(): string {
    return this.#filter;
  }

  set filter(filter: string) {
    this.#filter = filter.trim();
    this.#isOpen = this.#filter ? new Map<string, boolean>() : this.#isOpenUnfiltered;
    for (const listing of this.#listings.values()) {
      listing.tree = undefined;
    }
  }

  /** Reads what the servers list. Call when that may have changed. */
  update(): Changed {
    const before = this.#listings;
    const after = this.#host.servers.flatMap((server) => {
      const listing = this.#listingOf(server);
      return listing ? [listing] : [];
    });
    this.#listings = new Map(after.map((listing) => [listing.row.serverId, listing]));
    const ids = [...this.#listings.keys()];
    const isSameSet =
      ids.length === before.size && [...before.keys()].every((id, place) => id === ids[place]);
    const changed = after.filter((listing) => before.get(listing.row.serverId) !== listing);
    const isSameRow = changed.every(({ row }) => before.get(row.serverId)?.row === row);
    return !isSameSet || !isSameRow || (this.#filter && changed.length > 0)
      ? 'all'
      : changed.map(({ row }) => row);
  }

  /** The nodes of servers that have something to show. */
  async servers(): Promise<readonly ListedServerNode[]> {
    if (!this.#filter) {
      return [...this.#listings.values()].map(({ row }) => row);
    }
    const rows: ListedServerNode[] = [];
    let all = 0;
    for (const listing of this.#listings.values()) {
      const matching = (await this.#treeOf(listing)).matching + this.#templatesOf(listing).length;
      all += matching;
      if (matching > 0) {
        const { row } = listing;
        rows.push({ ...row, id: row.id + this.#suffix, matching });
      }
    }
    this.#matching = all;
    return rows;
  }

  async children(node: ResourceNode): Promise<readonly ResourceNode[]> {
    const listing = this.#listings.get(node.serverId);
    if (!listing) {
      return [];
    }
    switch (node.kind) {
      case 'server': {
        const { top } = await this.#treeOf(listing);
        const entries = await top.entries();
        return [
          ...this.#templatesNode(listing, node),
          ...this.#page(entries, node, (one) => this.#nodeOf(one, node)),
          // A filter finds only what can be used.
          ...(this.#filter ? [] : listing.malformed.slice(0, PAGE).map((one) => malformedNode(one, node))),
        ];
      }
      case 'folder':
        return this.#page(await node.folder.level.entries(), node, (one) => this.#nodeOf(one, node));
      case 'templates':
        return this.#page(this.#templatesOf(listing), node, (one) => templateNode(one, node, this.#suffix));
      case 'resource':
      case 'template':
      case 'malformed':
      case 'more':
        return [];
    }
  }

  /** The row of a resource, after showing the pages that it and its folders are on; undefined if it is not listed. */
  async nodeOf({ serverId, uri }: ResourceAddress): Promise<ListedResourceNode | undefined> {
    const listing = this.#listings.get(serverId);
    const server = (await this.servers()).find((row) => row.serverId === serverId);
    const steps = listing && (await (await this.#treeOf(listing)).top.pathTo(uri));
    let row: ResourceNode | undefined = server;
    for (const { entry, index } of steps ?? []) {
      if (row) {
        this.#showAlso(row, index);
        row = this.#nodeOf(entry, row);
      }
    }
    return row?.kind === 'resource' ? row : undefined;
  }

  showMore({ parent, side }: MoreNode): void {
    if (parent) {
      const { from, to } = this.#spanOf(parent);
      const span = side === 'before' ? { from: Math.max(0, from - PAGE), to } : { from, to: to + PAGE };
      this.#spans.set(parent.id, span);
    }
  }

  /** Remembers what you opened or closed. */
  setOpen(node: ResourceNode, isOpen: boolean): void {
    const ids = node.kind === 'folder' && !this.#filter ? foldedIds(node) : [node.id];
    ids.forEach((id) => this.#isOpen.set(id, isOpen));
  }

  /** Whether a row is open. */
  isOpen(node: ResourceNode): boolean {
    const isByItself = node.kind === 'server' || (this.#filter !== '' && this.#matching <= MAX_EXPANDED);
    return this.#isOpen.get(node.id) ?? isByItself;
  }

  async counts(): Promise<Counts> {
    const counts = { matching: 0, total: 0 };
    for (const listing of this.#listings.values()) {
      const { matching, total } = await this.#treeOf(listing);
      counts.matching += matching + this.#templatesOf(listing).length;
      counts.total += total + listing.templates.length;
    }
    return counts;
  }

  /** A filter has its own ids of rows, so that the editor opens and closes them again. */
  get #suffix(): string {
    return this.#filter ? `\n${this.#filter}` : '';
  }

  #listingOf(server: HostServer): Listing | undefined {
    const { state, catalogue, definition } = server.connection;
    const { resources = [], resourceTemplates: templates = [] } = catalogue ?? {};
    const malformed = catalogue?.malformed('resources') ?? [];
    if (state.kind !== 'running' || resources.length + templates.length + malformed.length === 0) {
      return undefined;
    }
    const { id } = definition;
    const known = this.#listings.get(id);
    const isSameRow =
      known?.row.server.connection === server.connection && known.row.server.label === server.label;
    const isSame =
      known?.resources === resources && known.templates === templates && known.malformed === malformed;
    if (isSameRow && isSame) {
      return known;
    }
    // The editor knows a node by its identity: it stays the same for as long as its content does.
    const row: ListedServerNode = isSameRow
      ? known.row
      : {
          kind: 'server',
          id: idOf(id, 'server'),
          serverId: id,
          parent: undefined,
          server,
          matching: undefined,
        };
    return { resources, templates, malformed, row, tree: undefined };
  }

  #treeOf(listing: Listing): Promise<ResourceTree> {
    listing.tree ??= resourceTree(listing.resources, this.#filter);
    return listing.tree;
  }

  #templatesOf({ templates }: Listing): readonly ResourceTemplateType[] {
    const matches = matcher(this.#filter);
    return templates.filter(({ uriTemplate, title, name }) => matches(uriTemplate, title, name));
  }

  #templatesNode(listing: Listing, parent: ListedServerNode): readonly TemplatesNode[] {
    const { serverId } = parent;
    const count = this.#templatesOf(listing).length;
    const id = idOf(serverId, 'templates') + this.#suffix;
    return count > 0 ? [{ kind: 'templates', id, serverId, parent, count }] : [];
  }

  #nodeOf(entry: Parameters<typeof nodeOf>[0], parent: ResourceNode): ReturnType<typeof nodeOf> {
    return nodeOf(entry, parent, this.#suffix);
  }

  #spanOf({ id }: ResourceNode): Span {
    return this.#spans.get(id) ?? { from: 0, to: PAGE };
  }

  /** Shows the page with a child, unless it is shown: all pages up to it could be too many. */
  #showAlso(parent: ResourceNode, index: number): void {
    const { from, to } = this.#spanOf(parent);
    if (index < from || index >= to) {
      const start = Math.floor(index / PAGE) * PAGE;
      this.#spans.set(parent.id, { from: start, to: start + PAGE });
    }
  }

  #page<T>(
    items: readonly T[],
    parent: ResourceNode,
    toRow: (item: T) => ResourceNode,
  ): readonly ResourceNode[] {
    const span = this.#spanOf(parent);
    // The list may be shorter now.
    const { from, to } = span.from < items.length ? span : { from: 0, to: PAGE };
    return [
      ...moreNode(parent, 'before', from),
      ...items.slice(from, to).map(toRow),
      ...moreNode(parent, 'after', items.length - to),
    ];
  }
}

function moreNode(parent: ResourceNode, side: MoreNode['side'], hidden: number): readonly MoreNode[] {
  const { id, serverId } = parent;
  return hidden > 0 ? [{ kind: 'more', id: `${id}\n${side}`, serverId, parent, side, hidden }] : [];
}
