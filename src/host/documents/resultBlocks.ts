import { isDeepStrictEqual } from 'node:util';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { isRecord } from '../../base/values/record.ts';
import { textAt } from '../schemas/jsonSchema.ts';

/** Blocks that are shown one by one. */
export const MAX_BLOCKS = 1_000;

/** What a result has to show (server/tools): its blocks, and structured content, which no block repeats. */
export function blocksOf(result: CallToolResult): {
  readonly blocks: readonly unknown[];
  readonly structured: unknown;
} {
  const content: readonly unknown[] = Array.isArray(result.content) ? result.content : [];
  const structured: unknown = result.structuredContent;
  return {
    blocks: structured === undefined ? content : content.filter((block) => !repeats(block, structured)),
    structured,
  };
}

/** True for a text block that repeats the structured content, as the specification advises. */
function repeats(block: unknown, structured: unknown): boolean {
  const value = parseContainer(textOf(block) ?? '');
  try {
    return value !== undefined && isDeepStrictEqual(value, structured);
  } catch {
    // Nested too deeply to be compared: both are shown.
    return false;
  }
}

/** The text of a block that has one. */
export function textOf(block: unknown): string | undefined {
  return isRecord(block) && block['type'] === 'text' ? textAt(block, 'text') : undefined;
}

/** The object or array that a text is; undefined for anything else. */
export function parseContainer(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) {
    return undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
