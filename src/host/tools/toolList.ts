import type { Tool } from '@modelcontextprotocol/client';
import { hasTexts, isRecord } from '../../base/values/record.ts';
import { queryWords } from '../../base/text/wordRank.ts';
import type { ServerId } from '../config/serverDefinition.ts';

/** Characters of a description that are searched. */
const MAX_READ = 500;

/** `[Deprecated]`, `(deprecated)` or `Deprecated: …`, as titles and descriptions begin or end. */
const MARKED = /^\W*deprecated\b|[[(]\s*deprecated\b/i;
/** In the middle of a description only in capitals: a tool can be about deprecated things. */
const SHOUTED = /\bDEPRECATED\b/;

/** What is searched of a tool or prompt in a list to pick from. */
export interface Searchable {
  readonly server: string;
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
}

/** A tool in the list of tools to run. */
export interface RunnableTool extends Searchable {
  readonly serverId: ServerId;
  readonly isDeprecated: boolean;
  /** Why it can't run now, in a few words. */
  readonly obstacle: string | undefined;
}

/** A tool that was run. */
export type ToolName = Pick<RunnableTool, 'serverId' | 'name'>;

/** Whether a stored value is the name of a tool. */
export function isToolName(value: unknown): value is ToolName {
  return hasTexts(value, 'serverId', 'name');
}

/** Tools under a heading. */
export interface ToolGroup<T> {
  readonly title: string;
  readonly tools: readonly T[];
}

/** How many recently used tools have a group of their own. */
const MAX_RECENT = 5;

/** The tools in groups: recently used, then by server, then those that you rarely need. */
export function toolGroups<T extends RunnableTool>(
  tools: readonly T[],
  recent: readonly ToolName[],
): readonly ToolGroup<T>[] {
  const used = recent
    .flatMap(
      (one) => tools.find(({ serverId, name }) => serverId === one.serverId && name === one.name) ?? [],
    )
    .filter(({ obstacle }) => obstacle === undefined)
    .slice(0, MAX_RECENT);
  const others = tools.filter((tool) => !used.includes(tool));
  const usual = others.filter((tool) => rankOf(tool) === 0);
  const servers = [...new Map(usual.map(({ serverId, server }) => [serverId, server]))];
  return [
    { title: 'last used', tools: used },
    ...servers.map(([id, server]) => ({
      title: server,
      tools: usual.filter(({ serverId }) => serverId === id),
    })),
    { title: 'deprecated', tools: others.filter((tool) => rankOf(tool) === 1) },
    { title: 'not available', tools: others.filter((tool) => rankOf(tool) === 2) },
  ].filter((group) => group.tools.length > 0);
}

/** The tools that match a query, best first; deprecated ones and those that can't run come last. */
export function findTools<T extends RunnableTool>(
  tools: readonly T[],
  query: string,
  limit: number,
): readonly T[] {
  return searchTools(tools, query, Infinity)
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .slice(0, limit);
}

function rankOf({ isDeprecated, obstacle }: RunnableTool): 0 | 1 | 2 {
  if (obstacle !== undefined) {
    return 2;
  }
  return isDeprecated ? 1 : 0;
}

/**
 * The tools that contain every word of the query, first those with it in their name; at most `limit`,
 * because an editor's list of 100,000 rows is slow.
 */
export function searchTools<T extends Searchable>(
  tools: readonly T[],
  query: string,
  limit: number,
): readonly T[] {
  const words = queryWords(query);
  if (words.length === 0) {
    return tools.slice(0, limit);
  }
  const inName: T[] = [];
  const elsewhere: T[] = [];
  for (const tool of tools) {
    const name = `${tool.name} ${tool.title ?? ''}`.toLowerCase();
    if (words.every((word) => name.includes(word))) {
      inName.push(tool);
    } else {
      const all = `${name} ${tool.server} ${tool.description ?? ''}`.toLowerCase();
      if (words.every((word) => all.includes(word))) {
        elsewhere.push(tool);
      }
    }
  }
  return [...inName, ...elsewhere].slice(0, limit);
}

/**
 * Whether a server says that its tool is deprecated. The protocol has no field for that: servers use a text, or an
 * annotation of their own.
 */
export function isDeprecated({ title, description, annotations, _meta }: Tool): boolean {
  const texts = [title, annotations?.title, description?.slice(0, MAX_READ)];
  const fields: readonly unknown[] = [annotations, _meta];
  return (
    texts.some((text) => text !== undefined && (MARKED.test(text) || SHOUTED.test(text))) ||
    fields.some((one) => isRecord(one) && one['deprecated'] === true)
  );
}
