import type { Resource } from '@modelcontextprotocol/client';
import { Slices, sortedInSlices } from '../../base/time/slices.ts';

/** Resources whose URIs have the same beginning, up to and including a `/` or, at the top, a scheme's `:`. */
export interface ResourceFolder {
  readonly kind: 'folder';
  /** The common beginning of the URIs of all resources in it. */
  readonly prefix: string;
  /** What it adds to its parent folder: several segments where each would be the only child. */
  readonly segments: string;
  readonly count: number;
  readonly level: ResourceLevel;
}

/** One resource in its folder. */
interface ResourceLeaf {
  readonly kind: 'resource';
  readonly resource: Resource;
  /** What its URI adds to its folder's: may be empty, and has its query and fragment. */
  readonly segment: string;
  readonly label: string;
}

export type ResourceEntry = ResourceFolder | ResourceLeaf;

/** A step on the way to a resource: an entry, and its place among its siblings. */
interface ResourceStep {
  readonly entry: ResourceEntry;
  readonly index: number;
}

/**
 * The contents of one folder, computed when first needed, in slices of time. URIs are identifiers
 * (server/resources): they are cut at their slashes, and otherwise unchanged.
 */
class ResourceLevel {
  readonly #resources: readonly Resource[];
  readonly #prefix: string;
  #entries: Promise<readonly ResourceEntry[]> | undefined;

  constructor(resources: readonly Resource[], prefix: string) {
    this.#resources = resources;
    this.#prefix = prefix;
  }

  /** Folders first, each by their names, numbers by their value. */
  entries(): Promise<readonly ResourceEntry[]> {
    this.#entries ??= entriesOf(this.#resources, this.#prefix);
    return this.#entries;
  }

  /** The path from here to a resource, which is the last step; undefined if it is not there. */
  async pathTo(uri: string): Promise<readonly ResourceStep[] | undefined> {
    const entries = await this.entries();
    const end = endOfFolder(uri, this.#prefix.length);
    const begin = end === undefined ? undefined : uri.slice(0, end);
    const index = entries.findIndex((entry) =>
      entry.kind === 'folder'
        ? begin !== undefined && entry.prefix.startsWith(begin) && uri.startsWith(entry.prefix)
        : entry.resource.uri === uri,
    );
    const entry = entries[index];
    if (entry?.kind !== 'folder') {
      return entry && [{ entry, index }];
    }
    const rest = await entry.level.pathTo(uri);
    return rest && [{ entry, index }, ...rest];
  }
}

/** The resources of one server that match a filter, as a tree. */
export interface ResourceTree {
  readonly top: ResourceLevel;
  /** How many match, and how many there are. */
  readonly matching: number;
  readonly total: number;
}

/** Makes the tree, in slices of time. Of resources with the same URI the first counts. */
export async function resourceTree(resources: readonly Resource[], filter = ''): Promise<ResourceTree> {
  const slices = new Slices();
  const matches = matcher(filter);
  const unique = new Set<string>();
  const matching: Resource[] = [];
  for (const resource of resources) {
    const { uri, title, name } = resource;
    if (!unique.has(uri)) {
      unique.add(uri);
      if (matches(uri, title, name)) {
        matching.push(resource);
      }
    }
    if (slices.isUsedUp) {
      await slices.rest();
    }
  }
  return { top: new ResourceLevel(matching, ''), matching: matching.length, total: unique.size };
}

/** Whether every word of the filter is in one of the texts, ignoring case. */
export function matcher(filter: string): (...texts: readonly (string | undefined)[]) => boolean {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return (...texts) => {
    if (words.length === 0) {
      return true;
    }
    const all = texts.join('\n').toLowerCase();
    return words.every((word) => all.includes(word));
  };
}

/** The label of a resource in a list: its title, otherwise its name, unless that only repeats the URI. */
export function labelOfResource({ title, name, uri }: Resource, segment = uri): string {
  return [title, name, segment].find((text) => text?.trim() && text !== uri) ?? (uri || '(no URI)');
}

async function entriesOf(resources: readonly Resource[], prefix: string): Promise<readonly ResourceEntry[]> {
  const slices = new Slices();
  const groups = new Map<string, Resource[]>();
  const leaves: ResourceLeaf[] = [];
  for (const resource of resources) {
    const { uri } = resource;
    const end = endOfFolder(uri, prefix.length);
    if (end === undefined) {
      const segment = uri.slice(prefix.length);
      leaves.push({ kind: 'resource', resource, segment, label: labelOfResource(resource, segment) });
    } else {
      const begin = uri.slice(0, end);
      const group = groups.get(begin);
      if (group) {
        group.push(resource);
      } else {
        groups.set(begin, [resource]);
      }
    }
    if (slices.isUsedUp) {
      await slices.rest();
    }
  }
  const folders: ResourceFolder[] = [];
  for (const [begin, group] of groups) {
    folders.push(await folderOf(group, begin, prefix.length, slices));
  }
  return [
    ...(await sortedInSlices(folders, (a, b) => compareNames(a.segments, b.segments), slices)),
    ...(await sortedInSlices(leaves, compareLeaves, slices)),
  ];
}

/** Where the folder of a URI below its first `start` characters ends; undefined if it is in none. */
function endOfFolder(uri: string, start: number): number | undefined {
  // Only the whole URI has a scheme and an authority.
  const [top, authority] = start === 0 ? (/^[a-z][a-z0-9+.-]*:(\/\/[^/?#]*)?/i.exec(uri) ?? []) : [];
  if (top !== undefined) {
    // An authority can be followed by a query or by nothing: then there is no path.
    const end = authority === undefined ? top.length : top.length + 1;
    return uri.length > top.length && (authority === undefined || uri[top.length] === '/') ? end : undefined;
  }
  const slash = uri.indexOf('/', start);
  // A slash in the query or the fragment is not a separator.
  return slash < 0 || /[?#]/.test(uri.slice(start, slash)) ? undefined : slash + 1;
}

/** The deepest folder that contains all these resources. */
async function folderOf(
  resources: readonly Resource[],
  begin: string,
  start: number,
  slices: Slices,
): Promise<ResourceFolder> {
  const path = /^[^?#]*/.exec(resources[0]?.uri ?? begin)?.[0] ?? begin;
  let common = path.length;
  for (const { uri } of resources) {
    common = commonLength(path, uri, begin.length, common);
    if (slices.isUsedUp) {
      await slices.rest();
    }
  }
  const end = path.lastIndexOf('/', common - 1) + 1;
  const prefix = path.slice(0, Math.max(begin.length, end));
  const level = new ResourceLevel(resources, prefix);
  return { kind: 'folder', prefix, segments: prefix.slice(start), count: resources.length, level };
}

/** How far two texts are equal that are equal up to `from`; at most `to`. */
function commonLength(a: string, b: string, from: number, to: number): number {
  let length = from;
  while (length < to && a.charCodeAt(length) === b.charCodeAt(length)) {
    length += 1;
  }
  return length;
}

const { compare: compareNames } = new Intl.Collator(undefined, { numeric: true });

function compareLeaves(a: ResourceLeaf, b: ResourceLeaf): number {
  return compareNames(a.label, b.label) || compareNames(a.segment, b.segment);
}
