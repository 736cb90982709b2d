import type { CallToolResult } from '@modelcontextprotocol/client';
import { printJson } from '../json/readableText.ts';
import { unreadableIn } from '../results/unreadableContent.ts';

/** The whole of a tool's result as indented JSON, each block as the server sent it. */
export function resultJson(result: CallToolResult): string {
  const content: unknown = result.content;
  return printJson({
    ...result,
    ...(Array.isArray(content) && {
      content: content.map((block: unknown) => unreadableIn(block)?.block ?? block),
    }),
  });
}
