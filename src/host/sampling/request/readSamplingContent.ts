import { isRecord, type UnknownRecord } from '../../../base/values/record.ts';
import { visibleText } from '../../../base/text/visibleText.ts';
import { cutTo } from '../../../base/text/words.ts';
import { samplingBounds } from '../../json/bounds.ts';
import { decodeContent } from '../../results/mediaContent.ts';
import { SamplingFailure } from '../../errors/samplingFailure.ts';
import type { SamplingImage, SamplingPart, SamplingText, SamplingToolResult } from './samplingRequest.ts';

const {
  imageBytes: MAX_IMAGE_BYTES,
  imagesBytes: MAX_IMAGES_BYTES,
  parts: MAX_PARTS,
  nameCharacters: MAX_QUOTED,
} = samplingBounds;

/** Types that the editor's language models accept, as `decodeContent` writes them. */
const imageTypes: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** Reads the content of one request; all its parts together have limits. */
export class PartReader {
  readonly #knowsTools: boolean;
  #parts = 0;
  #imageBytes = 0;

  /** `knowsTools`: whether the revision has `tool_use` and `tool_result`. */
  constructor(knowsTools: boolean) {
    this.#knowsTools = knowsTools;
  }

  /** A block of a message, or several (client/sampling, message content). @throws SamplingFailure malformed. */
  readContent(content: unknown, at: string): readonly SamplingPart[] {
    return Array.isArray(content)
      ? content.map((block, index) => this.#read(block, `${at}[${index}]`))
      : [this.#read(content, at)];
  }

  #read(block: unknown, at: string): SamplingPart {
    const { type, ...fields } = this.#block(block, at);
    if (type !== 'tool_use' && type !== 'tool_result') {
      return this.#readPlain(type, fields, at) ?? otherType(type, at, 'a message');
    }
    if (!this.#knowsTools) {
      throw malformed(`'${at}' is about tools, which this revision of the protocol does not allow here.`);
    }
    return type === 'tool_use'
      ? {
          kind: 'toolUse',
          id: readName(fields['id'], `${at}.id`),
          name: readName(fields['name'], `${at}.name`),
          input: readObject(fields['input'], `${at}.input`),
        }
      : this.#readResult(fields, at);
  }

  /** What a message and a tool's result can both contain; undefined for another type. */
  #readPlain(type: unknown, fields: UnknownRecord, at: string): SamplingText | SamplingImage | undefined {
    const { text } = fields;
    switch (type) {
      case 'text':
        if (typeof text !== 'string') {
          throw malformed(`'${at}.text' must be a text.`);
        }
        return { kind: 'text', text };
      case 'image':
        return this.#readImage(fields, at);
      case 'audio':
        throw malformed(`'${at}' is audio, which the editor's language models do not take.`);
      default:
        return undefined;
    }
  }

  #block(block: unknown, at: string): UnknownRecord {
    this.#parts += 1;
    if (this.#parts > MAX_PARTS) {
      throw malformed(`There are more than ${MAX_PARTS.toLocaleString('en-US')} blocks of content.`);
    }
    if (!isRecord(block)) {
      throw malformed(`'${at}' must be a block of content.`);
    }
    return block;
  }

  #readImage({ data, mimeType }: UnknownRecord, at: string): SamplingImage {
    if (typeof data !== 'string' || typeof mimeType !== 'string') {
      throw malformed(`'${at}' must have its 'data' and its 'mimeType' as texts.`);
    }
    readName(mimeType, `${at}.mimeType`);
    // Base64 has four characters for three bytes.
    if (data.length > Math.ceil(MAX_IMAGE_BYTES / 3) * 4) {
      throw malformed(`'${at}' is an image of more than 5 MB.`);
    }
    const content = decodeContent(data, mimeType, 'image');
    if (content.kind === 'problem') {
      throw malformed(`'${at}' is not a valid image. ${content.message}`);
    }
    if (content.kind !== 'media' || !imageTypes.has(content.media.mimeType)) {
      throw malformed(
        `'${at}' is an image of the type '${quoted(mimeType)}'; models take PNG, JPEG, GIF and WebP.`,
      );
    }
    this.#imageBytes += content.media.bytes.length;
    if (content.media.bytes.length > MAX_IMAGE_BYTES) {
      throw malformed(`'${at}' is an image of more than 5 MB.`);
    }
    if (this.#imageBytes > MAX_IMAGES_BYTES) {
      throw malformed('The images are more than 20 MB together.');
    }
    return { kind: 'image', mimeType: content.media.mimeType, data };
  }

  #readResult(fields: UnknownRecord, at: string): SamplingToolResult {
    const { toolUseId, isError = false, content = [], structuredContent } = fields;
    if (typeof isError !== 'boolean' || !Array.isArray(content)) {
      throw malformed(`'${at}' must have its 'content' as a list, and 'isError' as true or false.`);
    }
    const parts = content.map((block, index) => this.#readInResult(block, `${at}.content[${index}]`));
    const structured = frozenJson(structuredContent ?? null, `${at}.structuredContent`);
    return {
      kind: 'toolResult',
      toolUseId: readName(toolUseId, `${at}.toolUseId`),
      isError,
      // It should be in `content` as text, too (server/tools, structured content); if it isn't, it is added.
      content:
        parts.length === 0 && structured !== null
          ? [{ kind: 'text', text: JSON.stringify(structured) }]
          : parts,
    };
  }

  #readInResult(block: unknown, at: string): SamplingText | SamplingImage {
    const { type, ...fields } = this.#block(block, at);
    const { uri, resource } = fields;
    switch (type) {
      case 'resource':
        return line('resource', isRecord(resource) ? resource['uri'] : undefined);
      case 'resource_link':
        return line('link to the resource', uri);
      default:
        return this.#readPlain(type, fields, at) ?? otherType(type, at, "a tool's result");
    }
  }
}

/** A request violates the specification. */
export function malformed(sentence: string): SamplingFailure {
  return new SamplingFailure('malformed', sentence);
}

/** A server's value as a sentence can contain it. */
export function quoted(value: unknown): string {
  return typeof value === 'string' ? visibleText(cutTo(value, MAX_QUOTED)) : typeof value;
}

/** @throws SamplingFailure malformed. */
export function readName(value: unknown, at: string): string {
  if (typeof value !== 'string' || value === '' || value.length > MAX_QUOTED) {
    throw malformed(`'${at}' must be a text of 1 to ${MAX_QUOTED} characters.`);
  }
  return value;
}

/** @throws SamplingFailure malformed. */
export function readObject(value: unknown, at: string): UnknownRecord {
  const copy = frozenJson(value ?? null, at);
  if (!isRecord(copy)) {
    throw malformed(`'${at}' must be an object.`);
  }
  return copy;
}

function otherType(type: unknown, at: string, where: string): never {
  throw malformed(`'${at}' is of the type '${quoted(type)}', which ${where} cannot have.`);
}

/** A line in place of what the editor's models don't accept. */
function line(what: string, uri: unknown): SamplingText {
  return { kind: 'text', text: `[${what} ${quoted(uri)}, which is not included]` };
}

/** How deep a value may be nested: nobody could read what is deeper. */
const DEPTH = 100;

/**
 * A frozen copy of a JSON value.
 *
 * @throws SamplingFailure malformed, when it is nested too deep or not JSON; `at` is its path in the request.
 */
function frozenJson(value: unknown, at: string, depth = 0): unknown {
  if (depth > DEPTH) {
    throw malformed(`'${at}' is nested more than ${DEPTH} levels deep.`);
  }
  const copyOf = (one: unknown): unknown => frozenJson(one, at, depth + 1);
  if (Array.isArray(value)) {
    return Object.freeze(value.map(copyOf));
  }
  if (isRecord(value)) {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined);
    // `fromEntries` makes `__proto__` a field, not the prototype.
    return Object.freeze(Object.fromEntries(fields.map(([name, field]) => [name, copyOf(field)])));
  }
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) {
    return value;
  }
  throw malformed(`'${at}' holds something that is not JSON.`);
}
