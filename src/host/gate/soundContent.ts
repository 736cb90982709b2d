import type { CallToolResult } from '@modelcontextprotocol/client';
import { visibleText } from '../../base/visibleText.ts';
import { claimsKind, decodeContent } from '../results/mediaContent.ts';

type Block = CallToolResult['content'][number];

/**
 * A result whose images and sounds are what they claim to be: a text that says what is wrong takes the place
 * of each that is not, for a model's host may hand it on without a look.
 */
export function withSoundContent(result: CallToolResult): CallToolResult {
  const content = result.content.map(soundBlock);
  return content.some((block, index) => block !== result.content[index]) ? { ...result, content } : result;
}

function soundBlock(block: Block): Block {
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

function text(value: string): Block {
  return { type: 'text', text: value };
}
