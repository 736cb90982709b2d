import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import { isRecord } from '../../base/values/record.ts';

/**
 * A result without the parts that its server marks as meant for you and not for a model (Annotations, `audience`). A
 * line says how many they were, and where `keepText` has put their texts.
 */
export function withoutUserParts(result: CallToolResult, keepText: (text: string) => string): CallToolResult {
  const { content } = result;
  const kept = content.filter((block) => !isForUserOnly(block));
  const left = content.length - kept.length;
  if (left === 0) {
    return result;
  }
  const texts = content.flatMap((block) => (isForUserOnly(block) && block.type === 'text' ? block.text : []));
  const where = texts.length > 0 ? ` The user finds the text in ${keepText(texts.join('\n\n'))}.` : '';
  const line = `[The server means ${left} of ${content.length} parts of this result for the user only.${where}]`;
  return { ...result, content: [...kept, { type: 'text', text: line }] };
}

function isForUserOnly({ annotations }: ContentBlock): boolean {
  const audience: unknown = isRecord(annotations) ? annotations.audience : undefined;
  return Array.isArray(audience) && audience.includes('user') && !audience.includes('assistant');
}
