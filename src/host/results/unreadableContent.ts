import type { TextContent } from '@modelcontextprotocol/client';
import { isRecord } from '../../base/record.ts';
import { textAt } from '../schemas/jsonSchema.ts';
import { compactJson } from '../json/readableText.ts';

const ORIGINAL = 'mcp-host/original';
/** Characters of what cannot be read that stand in its place: a model may make something of them. */
const MAX_SHOWN = 1_000;

/** A block of content that nothing here knows how to read, as the server sent it. */
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

  /** What is wrong with it, as a clause; undefined for content of an unknown type. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** What it claims to be. */
  get type(): unknown {
    return isRecord(this.#block) ? this.#block['type'] : undefined;
  }

  /** Wherever the block that carries this is written as JSON, its text says enough. */
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
 * What takes the place of a block of unknown type, or of a malformed one, so that the rest of the result
 * arrives: a text that says so, with the block itself for those who ask `unreadableIn`.
 */
export function unreadableContent(block: unknown, fault?: string): TextContent {
  const unreadable = new UnreadableContent(block, fault);
  const isMedia = isRecord(block) && textAt(block, 'data') !== undefined;
  const json = isMedia ? '' : (compactJson(block) ?? '');
  const shown = json.length > MAX_SHOWN ? `${json.slice(0, MAX_SHOWN)}…` : json;
  const reason = fault === undefined ? '' : ` (${fault})`;
  return {
    type: 'text',
    text: `${unreadable.title}${reason}${shown === '' ? '.' : `: ${shown}`}`,
    _meta: { [ORIGINAL]: unreadable },
  };
}

/** What a block stands in for. Nothing that came as JSON is an instance: no server can pretend. */
export function unreadableIn(block: unknown): UnreadableContent | undefined {
  const meta = isRecord(block) ? block['_meta'] : undefined;
  const original = isRecord(meta) ? meta[ORIGINAL] : undefined;
  return original instanceof UnreadableContent ? original : undefined;
}
