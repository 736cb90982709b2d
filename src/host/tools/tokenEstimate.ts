import type { Tool } from '@modelcontextprotocol/client';
import type { HostTool } from './hostTool.ts';

/** The last character of the Latin blocks, where a token holds several characters. */
const END_OF_LATIN = 0x02_4f;
/** In most texts there is none of these, which an expression finds out much faster than a loop. */
const BEYOND_LATIN = /[^\0-\u024f]/;
/** The first character of the scripts in which a character is about a word: Chinese, Japanese, Korean, and emoji. */
const START_OF_CJK = 0x2e_80;

/**
 * About how many tokens a text costs a model: four Latin characters are one token, two of another alphabet,
 * and one of Chinese, Japanese or Korean. Tokenizers differ by a third either way.
 */
export function tokensOfText(text: string): number {
  if (!BEYOND_LATIN.test(text)) {
    return Math.ceil(text.length / 4);
  }
  let quarters = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    quarters += code <= END_OF_LATIN ? 1 : code < START_OF_CJK ? 2 : 4;
  }
  return Math.ceil(quarters / 4);
}

/** As `tokensOfText`, of a value written as JSON. */
function tokensOfJson(value: unknown): number {
  return tokensOfText(JSON.stringify(value) ?? '');
}

/** By the schema's object, which stays the same when the tool is offered differently. */
const ofSchemas = new WeakMap<object, number>();

/** About how many tokens a tool costs a model: its name, its description and its input schema. */
function tokensOfTool({ name, description = '', inputSchema }: Tool): number {
  let ofSchema = ofSchemas.get(inputSchema);
  if (ofSchema === undefined) {
    ofSchema = tokensOfJson(inputSchema);
    ofSchemas.set(inputSchema, ofSchema);
  }
  return tokensOfText(name) + tokensOfText(description) + ofSchema;
}

/** Does the costly part of `tokensOfTool` in advance. */
export function warmTokens(tool: Tool): void {
  tokensOfTool(tool);
}

/** About how many tokens tools cost a model together. */
export function tokensOfTools(tools: readonly HostTool[]): number {
  return tools.reduce((sum, { offered }) => sum + tokensOfTool(offered), 0);
}
