import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import { visibleText } from '../../base/text/visibleText.ts';
import { cutTo } from '../../base/text/words.ts';
import { decodeContent } from '../results/mediaContent.ts';
import { linkIn, linkText } from '../tools/resourceLinks.ts';

/** A part of what a model gets. */
export type ChatPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly mimeType: string; readonly bytes: Uint8Array };

/** Characters of a MIME type or a URI that are repeated to a model. */
const MAX_NAMED = 500;

/**
 * What a model gets of a result that is made ready for models (`modelResult`): texts and images; a sentence in place of
 * what a model can't take, such as a sound.
 */
export function chatParts({ content, isError }: CallToolResult): readonly ChatPart[] {
  const parts = content.map(partOf);
  if (isError === true) {
    return [text('The tool reported an error:'), ...parts];
  }
  return parts.length > 0 ? parts : [text('The tool finished without a result.')];
}

/** How a model, or you, get at what a result of a server links to; nothing if it has no link. */
export function linkHelp(parts: readonly ChatPart[], server: string): readonly ChatPart[] {
  const hasLink = parts.some((part) => part.kind === 'text' && linkIn(part.text) !== undefined);
  return hasLink
    ? [
        text(
          `[mcpHost_readResource reads these resources of the server '${named(server)}'. ` +
            'The user can open it with "MCP Host: Open Resource…".]',
        ),
      ]
    : [];
}

/** What a model gets in an editor whose models take no images. */
export function withoutImages(parts: readonly ChatPart[]): readonly ChatPart[] {
  return parts.map((part) =>
    part.kind === 'image' ? leftOut('An image', part.mimeType, part.bytes.length) : part,
  );
}

function partOf(block: ContentBlock): ChatPart {
  switch (block.type) {
    case 'text':
      return text(block.text);
    case 'image':
      return imagePart('An image', block.data, block.mimeType);
    case 'audio':
      return leftOut('A sound', block.mimeType, sizeOf(block.data));
    case 'resource': {
      const { resource } = block;
      const name = `The resource ${named(resource.uri)}`;
      return 'text' in resource
        ? text(`${name}:\n${resource.text}`)
        : imagePart(name, resource.blob, resource.mimeType ?? 'application/octet-stream');
    }
    case 'resource_link':
      return text(linkText({ name: named(block.name), uri: named(block.uri) }));
  }
}

/** Bytes as an image, if they are one that models take. */
function imagePart(what: string, data: string, mimeType: string): ChatPart {
  const decoded = decodeContent(data, mimeType, 'image');
  return decoded.kind === 'media' && decoded.type === 'image'
    ? { kind: 'image', mimeType: decoded.media.mimeType, bytes: decoded.media.bytes }
    : decoded.kind === 'svg'
      ? text(`${what}, as SVG:\n${decoded.text}`)
      : leftOut(what, mimeType, sizeOf(data));
}

function leftOut(what: string, mimeType: string, bytes: number): ChatPart {
  const size = bytes.toLocaleString('en');
  return text(`${what} (${named(mimeType)}, ${size} bytes) is left out, because a model can't take it here.`);
}

/** The number of bytes of a text in base64. */
function sizeOf(base64: string): number {
  return Buffer.byteLength(base64, 'base64');
}

function named(value: string): string {
  return visibleText(cutTo(value, MAX_NAMED));
}

function text(value: string): ChatPart {
  return { kind: 'text', text: value };
}
