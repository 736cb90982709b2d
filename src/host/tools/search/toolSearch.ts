import MiniSearch from 'minisearch';
import { Slices } from '../../../base/time/slices.ts';
import { parameterTexts } from './parameterTexts.ts';
import { folded, searchWords, stemOf, wordsIn, type SearchWord } from './searchWords.ts';

/** What is searched of a tool. */
export interface SearchedTool {
  /** How you and the server itself call the server. */
  readonly serverTitles: readonly string[];
  readonly name: string;
  readonly titles: readonly string[];
  readonly description: string | undefined;
  readonly inputSchema: unknown;
}

/** Characters that are searched of one text: a server can send any number. */
const MAX_TEXT = 2_000;

/** How much a word counts where it is found. */
const weights = { name: 3, title: 2.5, server: 2, description: 1.5, parameters: 0.6, parameterTexts: 0.3 };
type Field = keyof typeof weights;
const fields = Object.keys(weights) as readonly Field[];

/** How much a word for the same counts, and the beginning of a word, and one with a typing error. */
const OTHER = 0.45;
const PREFIX = 0.4;
const FUZZY = 0.3;

/** Shorter words are found only whole. */
const MIN_PREFIX = 4;
const MIN_FUZZY = 6;

/** An index of tools, by the words of their names, titles, descriptions, parameters and servers. */
export class ToolSearch<T extends SearchedTool> {
  readonly #tools: readonly T[];
  readonly #index: MiniSearch;

  private constructor(tools: readonly T[], index: MiniSearch) {
    this.#tools = tools;
    this.#index = index;
  }

  /** Makes an index in slices, between which the process does everything else. */
  static async over<T extends SearchedTool>(tools: readonly T[]): Promise<ToolSearch<T>> {
    const index = new MiniSearch({
      fields: [...fields],
      tokenize: (text) => [...wordsIn(folded(text))],
      processTerm: stemOf,
      searchOptions: { boost: weights, processTerm: (term) => term, tokenize: (text) => [text] },
    });
    const slices = new Slices();
    for (const [id, tool] of tools.entries()) {
      index.add({ id, ...textsOf(tool) });
      if (slices.isUsedUp) {
        await slices.rest();
      }
    }
    return new ToolSearch(tools, index);
  }

  /**
   * The tools that match a task best, best first: for each word of the query the best of what it may mean counts.
   * Searches in slices.
   */
  async find(query: string, limit: number): Promise<readonly T[]> {
    const slices = new Slices();
    const scores = new Map<number, number>();
    for (const word of searchWords(query.slice(0, MAX_TEXT))) {
      for (const [id, score] of await this.#scoresOf(word, slices)) {
        scores.set(id, (scores.get(id) ?? 0) + score);
      }
    }
    return [...scores]
      .toSorted(([id, score], [otherId, other]) => other - score || id - otherId)
      .slice(0, limit)
      .flatMap(([id]) => this.#tools[id] ?? []);
  }

  async #scoresOf({ stem, others }: SearchWord, slices: Slices): Promise<ReadonlyMap<number, number>> {
    const best = new Map<number, number>();
    const take = async (term: string, weight: number, isTyped: boolean): Promise<void> => {
      const found = this.#index.search(term, {
        prefix: isTyped && term.length >= MIN_PREFIX,
        fuzzy: isTyped && term.length >= MIN_FUZZY ? 1 : false,
        weights: { prefix: PREFIX, fuzzy: FUZZY },
      });
      for (const { id, score } of found) {
        best.set(id as number, Math.max(best.get(id as number) ?? 0, score * weight));
      }
      if (slices.isUsedUp) {
        await slices.rest();
      }
    };
    if (stem !== undefined) {
      await take(stem, 1, true);
    }
    for (const other of others) {
      await take(other, OTHER, false);
    }
    return best;
  }
}

function textsOf(tool: SearchedTool): Record<Field, string> {
  const parameters = parameterTexts(tool.inputSchema, MAX_TEXT);
  return {
    name: tool.name.slice(0, MAX_TEXT),
    title: tool.titles.join(' ').slice(0, MAX_TEXT),
    server: tool.serverTitles.join(' ').slice(0, MAX_TEXT),
    description: (tool.description ?? '').slice(0, MAX_TEXT),
    parameters: parameters.names,
    parameterTexts: parameters.texts,
  };
}
