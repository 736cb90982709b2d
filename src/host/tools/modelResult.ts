import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import { isDeepStrictEqual } from 'node:util';
import { linkText } from './resourceLinks.ts';
import { tokensOfText } from './tokenEstimate.ts';
import { visibleText } from '../../base/text/visibleText.ts';
import { claimsKind, decodeContent } from '../results/mediaContent.ts';
import { unreadableIn } from '../results/unreadableContent.ts';

/**
 * A result whose images and sounds are what they claim to be: each that is not is replaced
 * by a text that says what is wrong, because a caller may pass it to a model unchecked.
 */
export function withCheckedMedia(result: CallToolResult): CallToolResult {
  const content = result.content.map(checkedBlock);
  return content.some((block, index) => block !== result.content[index]) ? { ...result, content } : result;
}

function checkedBlock(block: ContentBlock): ContentBlock {
  if (block.type !== 'image' && block.type !== 'audio') {
    return block;
  }
  const what = block.type === 'image' ? 'An image' : 'A sound';
  if (!claimsKind(block.mimeType, block.type)) {
    const type = visibleText(block.mimeType.slice(0, 100));
    return text(`${what} was left out: its type '${type}' is not one of ${block.type}.`);
  }
  const decoded = decodeContent(block.data, block.mimeType, block.type);
  return decoded.kind === 'problem' ? text(`${what} was left out. ${decoded.message}`) : block;
}

/** Keeps a text for you, and says where it is; undefined when it can't be kept. */
type KeepWhole = (text: string) => Promise<string | undefined>;

export interface ModelResultOptions {
  /** About how many tokens of text the model gets. */
  readonly maxTokens: number;
  readonly keepWhole?: KeepWhole;
}

/**
 * A tool's result as a model gets it: all text, once and within bounds; images and sounds
 * unchanged; an embedded resource as its own block, which the client turns into a reference; a link as a line of
 * text, because a client might fetch its target automatically. What a server writes is data: nothing in it is
 * followed, and nothing becomes Markdown.
 *
 * `structuredContent` also becomes text: clients differ in which of the two they give to the model, and the
 * editor drops the text where there are both.
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
  return block.type === 'resource_link' ? text(linkText(block)) : block;
}

/** The structured content, unless one of the texts equals it. */
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
    // Text after a cut would read as if nothing were missing.
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
  const where = place === undefined ? '' : ` The user finds the whole result in ${place}.`;
  return text(
    `[This result was cut after about ${maxTokens} tokens: it has ${whole.length} characters, about ` +
      `${tokensOfText(whole)} tokens.${where}]`,
  );
}

/** The longest beginning of about that many tokens that does not split a character. */
function beginning(whole: string, tokens: number): string {
  // A character is at least a quarter of a token.
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
