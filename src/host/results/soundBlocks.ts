import type { ProtocolEra } from '../connection/connectionState.ts';
import { decodeBase64 } from '../tools/decodeBase64.ts';
import { isRecord, type Schema } from '../tools/jsonSchema.ts';
import { claimsKind } from '../tools/mediaContent.ts';
import { compactJson } from '../tools/readableText.ts';
import { unreadableContent } from '../tools/unreadableContent.ts';
import { faultOf, type SpecSchemas, type SpecType } from './faults.ts';
import { withoutNulls } from './withoutNulls.ts';

const blockTypes: ReadonlyMap<unknown, SpecType> = new Map<unknown, SpecType>([
  ['text', 'TextContent'],
  ['image', 'ImageContent'],
  ['audio', 'AudioContent'],
  ['resource_link', 'ResourceLink'],
  ['resource', 'EmbeddedResource'],
]);

/** The result of `tools/call`, whose content reaches the caller whatever is in it. */
export function soundCallResult(schemas: SpecSchemas, era: ProtocolEra, result: Schema): Schema {
  const { content, structuredContent, isError, ...rest } = result;
  const blocks = Array.isArray(content) ? (content as readonly unknown[]) : [content].filter(isThere);
  const sound = blocks.map((block) => soundBlock(schemas, block));
  // Until 2025-11-25 structured content was an object, and anything else fails the call.
  const isMisfit = era === 'legacy' && isThere(structuredContent) && !isRecord(structuredContent);
  const asText = isMisfit ? [{ type: 'text', text: compactJson(structuredContent) ?? '' }] : [];
  return {
    ...rest,
    // A legacy result without content may be one of another kind, which the SDK tells.
    ...((content !== undefined || era === 'modern' || isMisfit) && { content: [...sound, ...asText] }),
    ...(structuredContent !== undefined && !isMisfit && { structuredContent }),
    ...(isError !== undefined && { isError: isError !== false }),
  };
}

/** The result of `prompts/get`; a message with several blocks becomes several messages. */
export function soundPrompt(schemas: SpecSchemas, result: Schema): Schema {
  const messages: unknown = result['messages'] ?? [];
  return Array.isArray(messages)
    ? { ...result, messages: messages.flatMap((message) => soundMessages(schemas, message)) }
    : result;
}

/** The result of `resources/read` with what of it can be read; `left` hears of what cannot. */
export function soundContents(schemas: SpecSchemas, result: Schema, left: (fault: string) => void): Schema {
  const contents: unknown = result['contents'] ?? [];
  if (!Array.isArray(contents)) {
    return result;
  }
  const sound = contents.flatMap((item: unknown) => {
    const clean = isRecord(item) ? withoutNulls(item) : item;
    const isBytes = isRecord(clean) && clean['text'] === undefined;
    const fault = faultOf(schemas, isBytes ? 'BlobResourceContents' : 'TextResourceContents', clean);
    if (fault === undefined) {
      return [clean];
    }
    left(fault);
    return [];
  });
  // Of a resource of which nothing is left the reading fails, as it should.
  return contents.length > 0 && sound.length === 0 ? result : { ...result, contents: sound };
}

function soundMessages(schemas: SpecSchemas, message: unknown): readonly unknown[] {
  if (!isRecord(message) || !schemas.isSpecType.Role(message['role'])) {
    const fault = isRecord(message) ? '`role` must be "user" or "assistant"' : 'a message must be an object';
    return [{ role: 'user', content: unreadableContent(message, fault) }];
  }
  return [message['content']]
    .flat()
    .map((block: unknown) => ({ ...message, content: soundBlock(schemas, block) }));
}

/** The block, or what says that it cannot be read. */
function soundBlock(schemas: SpecSchemas, block: unknown): unknown {
  if (!isRecord(block)) {
    return unreadableContent(block, 'it must be an object');
  }
  const type = blockTypes.get(block['type']);
  if (type === undefined) {
    return unreadableContent(block);
  }
  const clean = withoutNulls(block);
  const fault = mediaFault(clean) ?? faultOf(schemas, type, clean);
  return fault === undefined ? clean : unreadableContent(block, fault);
}

/** Bytes are valid base64 of a valid type (server/tools, security considerations): checked on receipt. */
function mediaFault({ type, data, mimeType }: Schema): string | undefined {
  const isMedia = type === 'image' || type === 'audio';
  if (!isMedia || typeof data !== 'string' || typeof mimeType !== 'string') {
    return undefined;
  }
  if (!claimsKind(mimeType, type)) {
    return `its MIME type is not one of ${type}`;
  }
  return decodeBase64(data) ? undefined : 'the data is not valid base64';
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null;
}
