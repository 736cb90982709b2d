import { isRecord } from '../../base/values/record.ts';
import { visibleText } from '../../base/text/visibleText.ts';
import { textAt, type Schema } from '../schemas/jsonSchema.ts';
import { decodeContent, type MediaContent } from '../results/mediaContent.ts';
import { printJson, readable } from '../json/readableText.ts';
import { unreadableIn, type UnreadableContent } from '../results/unreadableContent.ts';

/** Something in a piece of content that you can open. */
export type Openable =
  /** By the server's own `resources/read`, whatever scheme the URI has. */
  | { readonly kind: 'resource'; readonly uri: string; readonly mimeType: string | undefined }
  | { readonly kind: 'image' | 'audio'; readonly media: MediaContent };

/** A piece of content to read: nothing in it is interpreted. */
export interface ContentSection {
  readonly title: string;
  readonly text: string;
  /** True for bytes: the text only says what they are. */
  readonly isBinary: boolean;
  /** What can be opened of it. */
  readonly opens: readonly Openable[];
}

/** Images and sounds found so far, each checked against its type. */
export interface FoundMedia {
  readonly images: MediaContent[];
  readonly audio: MediaContent[];
}

/** One block of content (of a tool's result or a prompt's message); its media is added to `found`. */
export function contentSection(block: unknown, found: FoundMedia): ContentSection {
  const unreadable = unreadableIn(block);
  if (unreadable) {
    return unreadableSection(unreadable);
  }
  if (!isRecord(block)) {
    return { title: 'Unknown content', text: readable(printJson(block)), isBinary: false, opens: [] };
  }
  const type = textAt(block, 'type');
  switch (type) {
    case 'text': {
      const text = textAt(block, 'text') ?? '';
      return section(block, 'Text', readable(text));
    }
    case 'image':
    case 'audio':
      return mediaSection(block, block, found);
    case 'resource_link':
      return section(block, 'Resource link', linkLines(block), { opens: openableResource(block) });
    case 'resource':
      return resourceSection(block, found);
    default:
      return section(
        block,
        `Content of the unknown type ${visibleText(JSON.stringify(type) ?? 'none')}`,
        readable(printJson(block)),
      );
  }
}

/** A section whose title says whether the server meant it for the model. */
function section(
  block: Schema,
  title: string,
  text: string,
  { isBinary = false, opens = [] }: Partial<Pick<ContentSection, 'isBinary' | 'opens'>> = {},
): ContentSection {
  const audience: unknown = isRecord(block['annotations']) ? block['annotations']['audience'] : undefined;
  const isForModelOnly = Array.isArray(audience) && audience.length === 1 && audience[0] === 'assistant';
  return { title: isForModelOnly ? `${title}, meant for the model` : title, text, isBinary, opens };
}

/** What `resources/read` can open: a link, or what an embedded resource names. */
function openableResource(resource: Schema): readonly Openable[] {
  const uri = textAt(resource, 'uri');
  return uri === undefined ? [] : [{ kind: 'resource', uri, mimeType: textAt(resource, 'mimeType') }];
}

function unreadableSection(unreadable: UnreadableContent): ContentSection {
  const { block, fault, type, title: what } = unreadable;
  const title = visibleText(what);
  if (isRecord(block) && (type === 'image' || type === 'audio') && textAt(block, 'data') !== undefined) {
    // Its bytes are not readable text.
    const claimed = visibleText(textAt(block, 'mimeType') ?? 'no type');
    return { title, text: `Error: ${visibleText(fault ?? '')} (${claimed})`, isBinary: true, opens: [] };
  }
  const reason = fault === undefined ? '' : `Error: ${visibleText(fault)}\n\n`;
  return { title, text: `${reason}${readable(printJson(block))}`, isBinary: false, opens: [] };
}

function linkLines(link: Schema): string {
  return ['name', 'title', 'uri', 'description', 'mimeType']
    .flatMap((field) => {
      const value = textAt(link, field);
      return value === undefined ? [] : [`${fieldNames[field] ?? field}: ${visibleText(value)}`];
    })
    .join('\n');
}

const fieldNames: Readonly<Record<string, string>> = {
  name: 'Name',
  title: 'Title',
  uri: 'URI',
  description: 'Description',
  mimeType: 'Type',
};

function resourceSection(block: Schema, found: FoundMedia): ContentSection {
  const resource = isRecord(block['resource']) ? block['resource'] : {};
  const text = textAt(resource, 'text');
  const opens = openableResource(resource);
  if (text !== undefined) {
    return section(block, 'Resource', `${linkLines(resource)}\n\n${readable(text)}`, { opens });
  }
  const media = mediaSection(block, { ...resource, data: resource['blob'] }, found);
  return {
    ...media,
    title: `Resource, ${media.title.toLowerCase()}`,
    text: `${linkLines(resource)}\n${media.text}`,
    opens: [...opens, ...media.opens],
  };
}

function mediaSection(block: Schema, { data, mimeType }: Schema, found: FoundMedia): ContentSection {
  const claimed = typeof mimeType === 'string' ? mimeType : '';
  const isAudio = claimed.startsWith('audio/');
  const isImage = claimed.startsWith('image/');
  const kind = isImage ? 'Image' : isAudio ? 'Audio' : 'Binary data';
  const baseName = isAudio ? `audio-${found.audio.length + 1}` : `image-${found.images.length + 1}`;
  const decoded = decodeContent(data, claimed, baseName);
  switch (decoded.kind) {
    case 'media': {
      const { media } = decoded;
      (decoded.type === 'image' ? found.images : found.audio).push(media);
      const text = `${media.name}, ${media.mimeType}, ${bytes(media.bytes.length)}`;
      return section(block, kind, text, { isBinary: true, opens: [{ kind: decoded.type, media }] });
    }
    case 'svg':
      return section(block, 'Image (SVG), as its text', readable(decoded.text));
    case 'other':
      return section(
        block,
        kind,
        `${visibleText(claimed) || 'No type'}, ${bytes(decoded.size)}: there is no viewer for it here.`,
        { isBinary: true },
      );
    case 'problem':
      return section(block, kind, `Error: ${decoded.message}`, { isBinary: true });
  }
}

/** A readable number of bytes. */
export function bytes(count: number): string {
  return count < 1_024 ? `${count} bytes` : `${(count / 1_024).toFixed(1)} KB`;
}
