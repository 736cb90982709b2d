import type { ContentBlock, ReadResourceResult } from '@modelcontextprotocol/client';
import { imageSize } from '../../../src/host/tools/imageSize.ts';

type Contents = ReadResourceResult['contents'][number];

/** A block of content in one line, so that a table can say what is expected of it. */
export function shown({ annotations, ...block }: ContentBlock): string {
  const notes = annotations === undefined ? '' : ` ${JSON.stringify(annotations)}`;
  switch (block.type) {
    case 'text':
      return withoutTime(block.text) + notes;
    case 'image':
    case 'audio':
      return shownBytes(block.data, block.mimeType) + notes;
    case 'resource':
      return shownContents(block.resource) + notes;
    case 'resource_link':
      return `link to ${block.uri}, ${block.name}, ${block.mimeType}` + notes;
  }
}

/** What was read of a resource, likewise. */
export function shownContents(contents: Contents): string {
  const mimeType = contents.mimeType ?? 'no type';
  const what = 'text' in contents ? withoutTime(contents.text) : shownBytes(contents.blob, mimeType);
  return `${contents.uri} (${mimeType}): ${what}`;
}

function shownBytes(base64: string, mimeType: string): string {
  const bytes = Buffer.from(base64, 'base64');
  const size = imageSize(bytes, mimeType);
  return size ? `${mimeType} of ${size.width} × ${size.height}` : `bytes '${withoutTime(bytes.toString())}'`;
}

/** A server that says at what time it has made something says something else each time. */
function withoutTime(text: string): string {
  return text.replace(/\d{1,2}:\d\d:\d\d(\s[AP]M)?/, '<time>');
}
