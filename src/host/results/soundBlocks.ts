import { withoutEnd } from '../../base/text/withoutEnd.ts';
import { isRecord } from '../../base/values/record.ts';
import { lightBounds, messageBounds, resultBounds } from '../json/bounds.ts';
import type { ProtocolEra } from '../state/connectionState.ts';
import { decodeBase64 } from '../json/decodeBase64.ts';
import type { Schema } from '../schemas/jsonSchema.ts';
import { claimsKind } from './mediaContent.ts';
import { compactJson } from '../json/readableText.ts';
import { unreadableContent } from './unreadableContent.ts';
import { checkedDeep, type Checked, type SpecSchemas, type SpecType } from './faults.ts';
import { withoutEmptyMembers, withoutNulls } from './soundEnvelope.ts';
import { asClause, excessOf, weightOf, workOf } from '../json/weight.ts';

const blockTypes: ReadonlyMap<unknown, SpecType> = new Map<unknown, SpecType>([
  ['text', 'TextContent'],
  ['image', 'ImageContent'],
  ['audio', 'AudioContent'],
  ['resource_link', 'ResourceLink'],
  ['resource', 'EmbeddedResource'],
]);

/** The type of a block of content; undefined if the specification has none for it. */
export function blockType(block: unknown): SpecType | undefined {
  return isRecord(block) ? blockTypes.get(block['type']) : undefined;
}

/** Faults of one resource that are reported. */
const MAX_FAULTS = 20;
const entryMost = { values: resultBounds.entryValues, characters: messageBounds.bytes } as const;
/** Characters above which the data of a block is checked in steps. */
const LONG = lightBounds.characters;
/** Characters that are checked at once. */
const BASE64_STEP = 64 * 1024;

/** The result of `tools/call` with valid content; invalid blocks become texts. Yields its work, as all of these do. */
export function* soundCallResult(
  schemas: SpecSchemas,
  era: ProtocolEra,
  result: Schema,
): Generator<number, Schema> {
  const { content, structuredContent, isError, ...rest } = result;
  const blocks = Array.isArray(content) ? (content as readonly unknown[]) : [content].filter(isThere);
  const sound: unknown[] = [];
  for (const block of within(blocks)) {
    sound.push(yield* soundBlock(schemas, block));
  }
  // Until 2025-11-25 structured content was an object, and anything else fails the call.
  const isMisfit = era === 'legacy' && isThere(structuredContent) && !isRecord(structuredContent);
  const asText = isMisfit ? [{ type: 'text', text: compactJson(structuredContent) ?? '' }] : [];
  return {
    ...rest,
    // A legacy result without content may be one of another kind.
    ...((content !== undefined || era === 'modern' || isMisfit) && {
      content: [...sound, ...leftOut(blocks, 'blocks of content'), ...asText],
    }),
    ...(structuredContent !== undefined && !isMisfit && { structuredContent }),
    ...(isError !== undefined && { isError: isError !== false }),
  };
}

/** The result of `prompts/get`; a message with several blocks becomes several messages. Undefined without a list. */
export function* soundPrompt(schemas: SpecSchemas, result: Schema): Generator<number, Schema | undefined> {
  const messages: unknown = result['messages'] ?? [];
  if (!Array.isArray(messages)) {
    return undefined;
  }
  const sound: unknown[] = [];
  for (const message of within(messages)) {
    for (const one of messagesOf(schemas, message)) {
      const { block, ...others } = one;
      sound.push({
        ...others,
        content: block === undefined ? one.content : yield* soundBlock(schemas, block),
      });
    }
  }
  const more = leftOut(messages, 'messages').map((content) => ({ role: 'user', content }));
  return { ...result, messages: [...sound, ...more] };
}

/**
 * The result of `resources/read` with the contents that can be read; `left` gets what is wrong with the others. Undefined
 * if none can.
 */
export function* soundContents(
  schemas: SpecSchemas,
  result: Schema,
  left: (fault: string) => void,
): Generator<number, Schema | undefined> {
  const contents: unknown = result['contents'] ?? [];
  if (!Array.isArray(contents)) {
    return undefined;
  }
  const sound: unknown[] = [];
  let faults = 0;
  for (const item of within(contents)) {
    const clean = isRecord(item) ? withoutNulls(item) : item;
    const isBytes = isRecord(clean) && clean['text'] === undefined;
    const type = isBytes ? 'BlobResourceContents' : 'TextResourceContents';
    const checked = yield* checkedInSteps(schemas, type, clean);
    if ('value' in checked) {
      sound.push(checked.value);
    } else if (++faults <= MAX_FAULTS) {
      left(checked.fault);
    }
  }
  for (const { text } of leftOut(contents, 'contents')) {
    left(text);
  }
  return contents.length > 0 && sound.length === 0 ? undefined : { ...result, contents: sound };
}

/** The first entries, as many as a result may have. */
function within(entries: readonly unknown[]): readonly unknown[] {
  return entries.length > resultBounds.entries ? entries.slice(0, resultBounds.entries) : entries;
}

/** Says how many entries more there are. */
function leftOut(entries: readonly unknown[], what: string): readonly { type: 'text'; text: string }[] {
  const more = entries.length - resultBounds.entries;
  return more > 0
    ? [
        {
          type: 'text',
          text: `${more.toLocaleString('en-US')} more ${what} are left out: there are too many.`,
        },
      ]
    : [];
}

interface PromptMessage {
  readonly role: unknown;
  readonly content?: unknown;
  /** The block that becomes `content` after it was checked. */
  readonly block?: unknown;
}

function messagesOf(schemas: SpecSchemas, message: unknown): readonly PromptMessage[] {
  if (!isRecord(message) || !schemas.isSpecType.Role(message['role'])) {
    const fault = isRecord(message) ? '`role` must be "user" or "assistant"' : 'a message must be an object';
    return [{ role: 'user', content: unreadableContent(message, fault) }];
  }
  return within([message['content']].flat()).map((block: unknown) => ({
    role: message['role'],
    block: block ?? null,
  }));
}

/** The block, or a text that says why it can't be read. */
function* soundBlock(schemas: SpecSchemas, block: unknown): Generator<number, unknown> {
  if (!isRecord(block)) {
    return unreadableContent(block, 'it must be an object');
  }
  const type = blockType(block);
  if (type === undefined) {
    return unreadableContent(block);
  }
  // A block that is too large is reported as such.
  const clean = excessOf(block, entryMost) === undefined ? withoutEmptyMembers(block) : block;
  const fault = mediaFault(clean);
  const checked = fault === undefined ? yield* checkedInSteps(schemas, type, clean) : { fault };
  return 'value' in checked ? checked.value : unreadableContent(block, checked.fault);
}

/** As `checkedDeep`, for a value that may be large. */
function* checkedInSteps(schemas: SpecSchemas, type: SpecType, value: unknown): Generator<number, Checked> {
  const weight = weightOf(value, entryMost);
  yield workOf(weight, { ...entryMost, characters: LONG });
  const excess = asClause(excessOf(value, entryMost));
  if (excess !== undefined) {
    return { fault: excess };
  }
  if (weight.characters <= LONG || !isRecord(value)) {
    return checkedDeep(schemas, type, value);
  }
  // The data is checked in steps, and the rest without it.
  const { data, blob, resource } = value;
  const inner = isRecord(resource) ? resource['blob'] : undefined;
  for (const [name, bytes] of Object.entries({ data, blob, 'resource.blob': inner })) {
    if (isLong(bytes) && !(yield* isBase64InSteps(bytes))) {
      return { fault: `\`${name}\` is not valid base64` };
    }
  }
  const withData = (block: Schema, of: (bytes: string) => string): Schema => ({
    ...block,
    ...('data' in block && isLong(data) && { data: of(data) }),
    ...('blob' in block && isLong(blob) && { blob: of(blob) }),
    ...(isRecord(block['resource']) &&
      isLong(inner) && { resource: { ...block['resource'], blob: of(inner) } }),
  });
  const checked = checkedDeep(
    schemas,
    type,
    withData(value, () => ''),
  );
  return 'value' in checked && isRecord(checked.value)
    ? { value: withData(checked.value, (bytes) => bytes) }
    : checked;
}

function isLong(bytes: unknown): bytes is string {
  return typeof bytes === 'string' && bytes.length > LONG;
}

/** Whether a long text is base64 that `atob` accepts, as the SDK's schemas require; each step yields its work. */
function* isBase64InSteps(data: string): Generator<number, boolean> {
  // Without the padding, and up to 100 spaces behind it.
  const end = data.length - 100 + withoutEnd(data.slice(-100), '\t\n\f\r ').length;
  const length = end - 2 + withoutEnd(data.slice(end - 2, end), '=').length;
  let spaces = 0;
  for (let at = 0; at < length; at += BASE64_STEP) {
    const piece = data.slice(at, Math.min(length, at + BASE64_STEP));
    if (!/^[A-Za-z0-9+/]*$/.test(piece)) {
      if (!/^[A-Za-z0-9+/\t\n\f\r ]*$/.test(piece)) {
        return false;
      }
      spaces += piece.length - piece.replaceAll(/[\t\n\f\r ]/g, '').length;
    }
    yield piece.length;
  }
  const characters = length - spaces;
  return length === end ? characters % 4 !== 1 : (characters + end - length) % 4 === 0;
}

/** Media must be valid base64 of a valid type (server/tools, security considerations). */
function mediaFault({ type, data, mimeType }: Schema): string | undefined {
  const isMedia = type === 'image' || type === 'audio';
  if (!isMedia || typeof data !== 'string' || typeof mimeType !== 'string') {
    return undefined;
  }
  if (!claimsKind(mimeType, type)) {
    return `its MIME type is not one of ${type}`;
  }
  return data.length > LONG || decodeBase64(data) ? undefined : 'the data is not valid base64';
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null;
}
