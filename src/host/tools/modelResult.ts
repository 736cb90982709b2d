import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import { isDeepStrictEqual } from 'node:util';
import { tokensOfText } from './tokenEstimate.ts';
import { unreadableIn } from '../results/unreadableContent.ts';

/** Keeps a text for the person, and says where it is; undefined when it cannot be kept. */
type KeepWhole = (text: string) => Promise<string | undefined>;

export interface ModelResultOptions {
  /** About how many tokens of text the model gets. */
  readonly maxTokens: number;
  readonly keepWhole?: KeepWhole;
}

/**
 * A tool's result as a model gets it: all that is text, once, and within bounds; pictures and sound as they
 * are; an embedded resource as a block of its own, which the client makes a reference of; a link as a line of
 * text, for a client might fetch what it leads to by itself. What a server writes is data: nothing of it is
 * followed, and nothing becomes Markdown.
 *
 * `structuredContent` becomes text, too: clients differ in which of the two they give to the model, and the
 * editor drops the text where there is both.
 */
export async function modelResult(
  { content, structuredContent, isError }: CallToolResult,
  { maxTokens, keepWhole }: ModelResultOptions,
): Promise<CallToolResult> {
  const blocks = [...content.map(asRead), ...missing(structuredContent, content)];
  const within = cut(blocks, maxTokens);
  const last = within.cutText === undefined ? [] : [await cutLine(within.cutText, maxTokens, keepWhole)];
  return { content: [...within.blocks, ...last], ...(isError && { isError }) };
}

function asRead(block: ContentBlock): ContentBlock {
  if (block.type === 'text' && unreadableIn(block)) {
    return text(block.text);
  }
  if (block.type !== 'resource_link') {
    return block;
  }
  const { name, title, uri, mimeType } = block;
  const kind = mimeType === undefined ? '' : `, ${mimeType}`;
  return text(`Resource (not read): ${title ?? name}${kind}: ${uri}`);
}

/** The structured content, unless one of the texts is exactly it. */
function missing(structured: unknown, content: readonly ContentBlock[]): readonly ContentBlock[] {
  return structured === undefined ||
    content.some((block) => block.type === 'text' && isDeepStrictEqual(parsed(block.text), structured))
    ? []
    : [text(JSON.stringify(structured))];
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** The blocks with as much text as fits; `cutText` is the whole text when that is not all. */
function cut(
  blocks: readonly ContentBlock[],
  maxTokens: number,
): { readonly blocks: readonly ContentBlock[]; readonly cutText?: string } {
  const kept: ContentBlock[] = [];
  let left = maxTokens;
  let isCut = false;
  for (const block of blocks) {
    const whole = textIn(block);
    if (whole === undefined) {
      kept.push(block);
      continue;
    }
    const part = beginning(whole, left);
    isCut ||= part.length < whole.length;
    // What comes after a cut would read as if nothing were missing.
    left = isCut ? 0 : left - tokensOfText(part);
    if (part !== '' || whole === '') {
      kept.push(withText(block, part));
    }
  }
  return isCut
    ? { blocks: kept, cutText: blocks.flatMap((block) => textIn(block) ?? []).join('\n\n') }
    : { blocks: kept };
}

async function cutLine(
  whole: string,
  maxTokens: number,
  keepWhole: KeepWhole | undefined,
): Promise<ContentBlock> {
  const place = await keepWhole?.(whole);
  const where = place === undefined ? '' : ` The person finds the whole in ${place}.`;
  return text(
    `[This result was cut after about ${maxTokens} tokens: it has ${whole.length} characters, about ` +
      `${tokensOfText(whole)} tokens.${where}]`,
  );
}

/** The longest beginning of about so many tokens, which ends between two characters. */
function beginning(whole: string, tokens: number): string {
  // No character is less than a quarter of a token.
  if (whole.length <= tokens || tokensOfText(whole) <= tokens) {
    return whole;
  }
  let [fits, tooLong] = [0, Math.min(whole.length, tokens * 4 + 1)];
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (tokensOfText(whole.slice(0, middle)) <= tokens) {
      fits = middle;
    } else {
      tooLong = middle;
    }
  }
  const isInPair =
    /[\uD800-\uDBFF]/.test(whole.charAt(fits - 1)) && /[\uDC00-\uDFFF]/.test(whole.charAt(fits));
  return whole.slice(0, isInPair ? fits - 1 : fits);
}

function textIn(block: ContentBlock): string | undefined {
  return block.type === 'text'
    ? block.text
    : block.type === 'resource' && 'text' in block.resource
      ? block.resource.text
      : undefined;
}

function withText(block: ContentBlock, part: string): ContentBlock {
  return block.type === 'text'
    ? { ...block, text: part }
    : block.type === 'resource' && 'text' in block.resource
      ? { ...block, resource: { ...block.resource, text: part } }
      : block;
}

function text(value: string): ContentBlock {
  return { type: 'text', text: value };
}
