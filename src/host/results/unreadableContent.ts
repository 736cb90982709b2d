import type { TextContent } from '@modelcontextprotocol/client';
import { isRecord } from '../../base/values/record.ts';
import { cutTo } from '../../base/text/words.ts';
import { textAt } from '../schemas/jsonSchema.ts';
import { compactJson } from '../json/readableText.ts';

const ORIGINAL = 'mcp-host/original';
/** Characters of an unreadable block that its text has: a model may understand them. */
const MAX_SHOWN = 1_000;

/** A block of content that can't be read here, as the server sent it. */
export class UnreadableContent {
  readonly #block: unknown;
  readonly #fault: string | undefined;

  constructor(block: unknown, fault: string | undefined) {
    this.#block = block;
    this.#fault = fault;
  }

  get block(): unknown {
    return this.#block;
  }

  /** What is wrong with it, as a clause; undefined if its type is unknown. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** Its type, according to the server. */
  get type(): unknown {
    return isRecord(this.#block) ? this.#block['type'] : undefined;
  }

  /** Not part of JSON: the text of the block says enough. */
  toJSON(): undefined {
    return undefined;
  }

  get title(): string {
    const type = JSON.stringify(this.type) ?? 'none';
    const what = type.length > 100 ? `${type.slice(0, 100)}…` : type;
    return this.#fault === undefined
      ? `Content of the unknown type ${what}`
      : `Malformed content of the type ${what}`;
  }
}

/**
 * A text in place of a malformed block, or one of an unknown type, so that the rest of the result arrives. `unreadableIn`
 * returns the block itself.
 */
export function unreadableContent(block: unknown, fault?: string): TextContent {
  const unreadable = new UnreadableContent(block, fault);
  const isMedia = isRecord(block) && textAt(block, 'data') !== undefined;
  const json = isMedia ? '' : (compactJson(block) ?? '');
  const shown = cutTo(json, MAX_SHOWN);
  const reason = fault === undefined ? '' : ` (${fault})`;
  return {
    type: 'text',
    text: `${unreadable.title}${reason}${shown === '' ? '.' : `: ${shown}`}`,
    _meta: { [ORIGINAL]: unreadable },
  };
}

/** The block that a text replaces. Nothing that came as JSON is an instance: no server can forge it. */
export function unreadableIn(block: unknown): UnreadableContent | undefined {
  const meta = isRecord(block) ? block['_meta'] : undefined;
  const original = isRecord(meta) ? meta[ORIGINAL] : undefined;
  return original instanceof UnreadableContent ? original : undefined;
}
