import type { Resource, ResourceTemplateType } from '@modelcontextprotocol/client';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import type { HostServer, McpHost } from '../../host/servers/mcpHost.ts';
import type { ResourceAddress } from '../../host/resources/resourceAddress.ts';
import type { MalformedItem } from '../../host/results/listFaults.ts';
import { matcher, resourceTree, type ResourceTree } from '../../host/resources/resourceTree.ts';
import {
  foldedIds,
  idOf,
  malformedRow,
  rowOf,
  templateRow,
  type MoreRow,
  type ResourceNode,
  type ResourceRow,
  type ServerRow,
  type TemplatesRow,
} from './resourceNodes.ts';
import { PAGE } from './serverNodes.ts';

/** Up to so many matches of a filter are all shown at once. */
const MAX_EXPANDED = 200;

/** What one server lists, as long as it lists the same. */
interface Listing {
  readonly resources: readonly Resource[];
  readonly templates: readonly ResourceTemplateType[];
  readonly malformed: readonly MalformedItem[];
  readonly row: ServerRow;
  /** Made when it is first asked for, and anew for another filter. */
  tree: Promise<ResourceTree> | undefined;
}

/** Which of the children of a row are shown: from the first number on, up to the second. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** What has to be drawn again: some servers, everything, or nothing. */
export type Changed = readonly ServerRow[] | 'all';

/** How many resources and templates match the filter, and how many there are. */
export interface Counts {
  readonly matching: number;
  readonly total: number;
}

/** The rows of the tree of resources: which there are, how many of them are shown, and which are open. */
export class ResourceRows {
  readonly #host: Pick<McpHost, 'servers'>;
  #listings: ReadonlyMap<ServerId, Listing> = new Map();
  #filter = '';
  #matching = 0;
  readonly #spans = new Map<string, Span>();
  /** What the person opened or closed; what the filter shows is forgotten with it. */
  #isOpen = new Map<string, boolean>();
  #isOpenUnfiltered = this.#isOpen;

  constructor(host: Pick<McpHost, 'servers'>) {
    this.#host = host;
  }

  /** Whether no server lists anything, with the filter or without. */
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

  /** Looks at the servers again. Call when they may have changed. */
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

  /** The servers that have something to show. */
  async servers(): Promise<readonly ServerRow[]> {
    if (!this.#filter) {
      return [...this.#listings.values()].map(({ row }) => row);
    }
    const rows: ServerRow[] = [];
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
          ...this.#templatesRow(listing, node),
          ...this.#page(entries, node, (one) => this.#rowOf(one, node)),
          // A filter is for what one looks for to use it.
          ...(this.#filter ? [] : listing.malformed.slice(0, PAGE).map((one) => malformedRow(one, node))),
        ];
      }
      case 'folder':
        return this.#page(await node.folder.level.entries(), node, (one) => this.#rowOf(one, node));
      case 'templates':
        return this.#page(this.#templatesOf(listing), node, (one) => templateRow(one, node, this.#suffix));
      case 'resource':
      case 'template':
      case 'malformed':
      case 'more':
        return [];
    }
  }

  /** The row of a resource, with the pages shown that it and its folders stand on; undefined if it is not listed. */
  async rowOf({ serverId, uri }: ResourceAddress): Promise<ResourceRow | undefined> {
    const listing = this.#listings.get(serverId);
    const server = (await this.servers()).find((row) => row.serverId === serverId);
    const steps = listing && (await (await this.#treeOf(listing)).top.pathTo(uri));
    let row: ResourceNode | undefined = server;
    for (const { entry, index } of steps ?? []) {
      if (row) {
        this.#showAlso(row, index);
        row = this.#rowOf(entry, row);
      }
    }
    return row?.kind === 'resource' ? row : undefined;
  }

  showMore({ parent, side }: MoreRow): void {
    if (parent) {
      const { from, to } = this.#spanOf(parent);
      const span = side === 'before' ? { from: Math.max(0, from - PAGE), to } : { from, to: to + PAGE };
      this.#spans.set(parent.id, span);
    }
  }

  /** Remembers what the person opened or closed. */
  setOpen(node: ResourceNode, isOpen: boolean): void {
    const ids = node.kind === 'folder' && !this.#filter ? foldedIds(node) : [node.id];
    ids.forEach((id) => this.#isOpen.set(id, isOpen));
  }

  /** Whether a row is open when it is first shown. */
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

  /** Rows that a filter shows are others, so that the editor opens and closes them anew. */
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
    // The editor knows a row by its identity: it stays, as long as it is about the same.
    const row: ServerRow = isSameRow
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

  #templatesRow(listing: Listing, parent: ServerRow): readonly TemplatesRow[] {
    const { serverId } = parent;
    const count = this.#templatesOf(listing).length;
    const id = idOf(serverId, 'templates') + this.#suffix;
    return count > 0 ? [{ kind: 'templates', id, serverId, parent, count }] : [];
  }

  #rowOf(entry: Parameters<typeof rowOf>[0], parent: ResourceNode): ReturnType<typeof rowOf> {
    return rowOf(entry, parent, this.#suffix);
  }

  #spanOf({ id }: ResourceNode): Span {
    return this.#spans.get(id) ?? { from: 0, to: PAGE };
  }

  /** Shows the page with that child, unless it is shown already: all pages up to it could be too many. */
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
    // The list may have become shorter.
    const { from, to } = span.from < items.length ? span : { from: 0, to: PAGE };
    return [
      ...moreRow(parent, 'before', from),
      ...items.slice(from, to).map(toRow),
      ...moreRow(parent, 'after', items.length - to),
    ];
  }
}

function moreRow(parent: ResourceNode, side: MoreRow['side'], hidden: number): readonly MoreRow[] {
  const { id, serverId } = parent;
  return hidden > 0 ? [{ kind: 'more', id: `${id}\n${side}`, serverId, parent, side, hidden }] : [];
}
