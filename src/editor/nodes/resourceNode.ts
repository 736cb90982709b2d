import type { Resource, ResourceTemplateType } from '@modelcontextprotocol/client';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import type { HostServer } from '../../host/servers/mcpHost.ts';
import type { MalformedItem } from '../../host/results/soundPage.ts';
import type { ResourceAddress } from '../../host/resources/resourceAddress.ts';
import type { TreeNode } from './treeNode.ts';
import type { ResourceEntry, ResourceFolder } from '../../host/resources/resourceTree.ts';

interface Below extends TreeNode {
  readonly serverId: ServerId;
  readonly parent: ResourceNode | undefined;
}

export interface ListedServerNode extends Below {
  readonly kind: 'server';
  readonly server: HostServer;
  /** How many of its resources and templates match the filter, if there is one. */
  readonly matching: number | undefined;
}

export interface FolderNode extends Below {
  readonly kind: 'folder';
  readonly folder: ResourceFolder;
}

export interface ListedResourceNode extends Below {
  readonly kind: 'resource';
  readonly address: ResourceAddress;
  readonly mimeType: string | undefined;
  readonly resource: Resource;
  readonly label: string;
  /** The part of its URI after its folder's. */
  readonly segment: string;
}

export interface TemplatesNode extends Below {
  readonly kind: 'templates';
  readonly count: number;
}

export interface TemplateNode extends Below {
  readonly kind: 'template';
  readonly template: ResourceTemplateType;
}

/** A resource or template that the server lists but that cannot be used. */
export interface MalformedNode extends Below {
  readonly kind: 'malformed';
  readonly item: MalformedItem;
}

/** Shows more children of its parent, before or after those that are shown. */
export interface MoreNode extends Below {
  readonly kind: 'more';
  readonly side: 'before' | 'after';
  readonly hidden: number;
}

/** What the tree of resources consists of. */
export type ResourceNode =
  | ListedServerNode
  | FolderNode
  | ListedResourceNode
  | TemplatesNode
  | TemplateNode
  | MalformedNode
  | MoreNode;

export function idOf(serverId: ServerId, kind: ResourceNode['kind'], what = ''): string {
  return [serverId, kind, what].join('\n');
}

/** The node of a folder or a resource; `suffix` ends its id. */
export function nodeOf(
  entry: ResourceEntry,
  parent: ResourceNode,
  suffix: string,
): FolderNode | ListedResourceNode {
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

export function templateNode(
  template: ResourceTemplateType,
  parent: ResourceNode,
  suffix: string,
): TemplateNode {
  const { serverId } = parent;
  const id = idOf(serverId, 'template', `${template.uriTemplate}\n${template.name}`) + suffix;
  return { kind: 'template', id, serverId, parent, template };
}

export function malformedNode(item: MalformedItem, parent: ResourceNode): MalformedNode {
  const { serverId } = parent;
  const id = idOf(serverId, 'malformed', `${item.place}\n${item.name ?? ''}`);
  return { kind: 'malformed', id, serverId, parent, item };
}

/** The number of folders that are remembered as open for a row that combines several. */
const MAX_FOLDED = 64;

/** The ids of all folders that a row combines, its own included. */
export function foldedIds({ serverId, folder, id }: FolderNode): readonly string[] {
  const start = folder.prefix.length - folder.segments.length;
  const ids = [id];
  for (let slash = folder.prefix.indexOf('/', start); slash >= 0 && ids.length < MAX_FOLDED;) {
    // A slash in the authority gives an id that no row has.
    ids.push(idOf(serverId, 'folder', folder.prefix.slice(0, slash + 1)));
    slash = folder.prefix.indexOf('/', slash + 1);
  }
  return ids;
}
