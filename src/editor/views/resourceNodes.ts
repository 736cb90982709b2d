import type { Resource, ResourceTemplateType } from '@modelcontextprotocol/client';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import type { HostServer } from '../../host/servers/mcpHost.ts';
import type { MalformedItem } from '../../host/results/listFaults.ts';
import type { ResourceAddress } from '../../host/resources/resourceAddress.ts';
import type { ResourceEntry, ResourceFolder } from '../../host/resources/resourceTree.ts';

interface Row {
  /** The same for the same thing in each tree: what is open stays open. */
  readonly id: string;
  readonly serverId: ServerId;
  readonly parent: ResourceNode | undefined;
}

export interface ServerRow extends Row {
  readonly kind: 'server';
  readonly server: HostServer;
  /** How many of its resources and templates match the filter, if there is one. */
  readonly matching: number | undefined;
}

export interface FolderRow extends Row {
  readonly kind: 'folder';
  readonly folder: ResourceFolder;
}

export interface ResourceRow extends Row {
  readonly kind: 'resource';
  readonly address: ResourceAddress;
  readonly mimeType: string | undefined;
  readonly resource: Resource;
  readonly label: string;
  /** What its URI adds to its folder's. */
  readonly segment: string;
}

export interface TemplatesRow extends Row {
  readonly kind: 'templates';
  readonly count: number;
}

export interface TemplateRow extends Row {
  readonly kind: 'template';
  readonly template: ResourceTemplateType;
}

/** A resource or a template that the server lists, and that cannot be used. */
export interface MalformedRow extends Row {
  readonly kind: 'malformed';
  readonly item: MalformedItem;
}

/** Stands for children of its parent that are not shown yet, before or after those that are. */
export interface MoreRow extends Row {
  readonly kind: 'more';
  readonly side: 'before' | 'after';
  readonly hidden: number;
}

/** What the tree of resources consists of. */
export type ResourceNode =
  ServerRow | FolderRow | ResourceRow | TemplatesRow | TemplateRow | MalformedRow | MoreRow;

export function idOf(serverId: ServerId, kind: ResourceNode['kind'], what = ''): string {
  return [serverId, kind, what].join('\n');
}

/** The row of a folder or a resource; `suffix` ends its id. */
export function rowOf(entry: ResourceEntry, parent: ResourceNode, suffix: string): FolderRow | ResourceRow {
  const { serverId } = parent;
  if (entry.kind === 'folder') {
    const id = idOf(serverId, 'folder', entry.prefix) + suffix;
    return { kind: 'folder', id, serverId, parent, folder: entry };
  }
  const { resource, label, segment } = entry;
  const { uri, mimeType } = resource;
  const id = idOf(serverId, 'resource', uri) + suffix;
  return {
    kind: 'resource',
    id,
    serverId,
    parent,
    address: { serverId, uri },
    mimeType,
    resource,
    label,
    segment,
  };
}

export function templateRow(
  template: ResourceTemplateType,
  parent: ResourceNode,
  suffix: string,
): TemplateRow {
  const { serverId } = parent;
  const id = idOf(serverId, 'template', `${template.uriTemplate}\n${template.name}`) + suffix;
  return { kind: 'template', id, serverId, parent, template };
}

export function malformedRow(item: MalformedItem, parent: ResourceNode): MalformedRow {
  const { serverId } = parent;
  const id = idOf(serverId, 'malformed', `${item.place}\n${item.name ?? ''}`);
  return { kind: 'malformed', id, serverId, parent, item };
}

/** So many folders of a row that stands for several are remembered as open. */
const MAX_FOLDED = 64;

/** The ids of all folders that a row stands for: those it was folded from, and its own. */
export function foldedIds({ serverId, folder, id }: FolderRow): readonly string[] {
  const start = folder.prefix.length - folder.segments.length;
  const ids = [id];
  for (let slash = folder.prefix.indexOf('/', start); slash >= 0 && ids.length < MAX_FOLDED;) {
    // A slash of the authority gives an id that no row has.
    ids.push(idOf(serverId, 'folder', folder.prefix.slice(0, slash + 1)));
    slash = folder.prefix.indexOf('/', slash + 1);
  }
  return ids;
}
