import { wordsOf } from '../../base/wordRank.ts';

/** A tool as it stands in a list to pick from. */
export interface ListedTool {
  readonly server: string;
  readonly name: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
}

/**
 * The tools that contain every word of the query, those with it in their name first; at most `limit`,
 * because an editor's list of 100,000 rows is slow.
 */
export function searchTools<T extends ListedTool>(
  tools: readonly T[],
  query: string,
  limit: number,
): readonly T[] {
  const words = wordsOf(query);
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
