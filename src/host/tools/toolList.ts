import { hasTexts } from '../../base/record.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import { searchTools, type ListedTool } from './toolSearch.ts';

/** A tool as it stands in the list to run one from. */
export interface RunnableTool extends ListedTool {
  readonly serverId: ServerId;
  readonly isDeprecated: boolean;
  /** Why it does not run as it is, in a few words. */
  readonly obstacle: string | undefined;
}

/** A tool that was run. */
export type ToolName = Pick<RunnableTool, 'serverId' | 'name'>;

/** Whether something kept is the name of a tool. */
export function isToolName(value: unknown): value is ToolName {
  return hasTexts(value, 'serverId', 'name');
}

/** Tools under a heading. */
export interface ToolGroup<T> {
  readonly title: string;
  readonly tools: readonly T[];
}

/** Tools that were used last, in a group of their own. */
const MAX_RECENT = 5;

/** The tools in the order in which one looks for them: last used, by server, and then what one rarely wants. */
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

/** The tools that match a query, best first; deprecated ones, and those that do not run, after the others. */
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
