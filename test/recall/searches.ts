import MiniSearch from 'minisearch';
import { ToolSearch } from '../../src/host/tools/search/toolSearch.ts';
import { parameterTexts } from '../../src/host/tools/search/parameterTexts.ts';
import type { RecallRequest } from './requests.ts';
import type { RecallTool } from './recallSet.ts';

/** How many tools a search may return. */
const FIRST = 5;

/** The ids of the tools that a search finds, best first. */
export type Search = (query: string) => Promise<readonly string[]>;

/** The search of this extension, BM25 as a library has it, and the number of words that a text contains. */
export async function searchesOver(
  tools: readonly RecallTool[],
): Promise<Readonly<Record<'ours' | 'substring' | 'bm25', Search>>> {
  const texts = tools.map(plainText);
  const ours = await ToolSearch.over(
    tools.map((tool) => ({
      id: tool.id,
      serverTitles: [tool.server, tool.serverTitle],
      name: tool.name,
      titles: [tool.title, tool.annotations?.title].filter((title) => title !== undefined),
      description: tool.description,
      inputSchema: tool.inputSchema,
    })),
  );
  const bm25 = new MiniSearch({ fields: ['text'] });
  bm25.addAll(texts.map((text, id) => ({ id, text })));
  return {
    ours: async (query) => (await ours.find(query, FIRST)).map(({ id }) => id),
    bm25: async (query) =>
      bm25
        .search(query)
        .slice(0, FIRST)
        .flatMap(({ id }) => tools[id as number]?.id ?? []),
    substring: async (query) => {
      const words = query.toLowerCase().split(/\s+/).filter(Boolean);
      return texts
        .map((text, index) => ({ index, count: words.filter((word) => text.includes(word)).length }))
        .filter(({ count }) => count > 0)
        .toSorted((one, other) => other.count - one.count)
        .slice(0, FIRST)
        .flatMap(({ index }) => tools[index]?.id ?? []);
    },
  };
}

/** Whether one of the right tools is among those found. */
export async function isFound(search: Search, query: string, { tools }: RecallRequest): Promise<boolean> {
  const found = await search(query);
  return tools.some((tool) => found.includes(tool));
}

/** For how many requests the right tool is found. */
export async function recallOf(
  search: Search,
  requests: readonly RecallRequest[],
  by: 'typed' | 'query',
): Promise<number> {
  const found = await Promise.all(requests.map((request) => isFound(search, request[by], request)));
  return found.filter(Boolean).length;
}

/** Everything that is searched of a tool, as one text. */
function plainText(tool: RecallTool): string {
  const { server, serverTitle, name, title = '', annotations, description = '', inputSchema } = tool;
  const parameters = parameterTexts(inputSchema, Infinity);
  return [
    server,
    serverTitle,
    name,
    title,
    annotations?.title,
    description,
    parameters.names,
    parameters.texts,
  ]
    .join(' ')
    .toLowerCase();
}
