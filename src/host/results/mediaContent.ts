import { decodeBase64 } from '../json/decodeBase64.ts';

/** Bytes that the editor can show in one of its viewers. */
export interface MediaContent {
  readonly bytes: Uint8Array;
  readonly mimeType: string;
  /** A file name with the extension of the type. */
  readonly name: string;
}

interface MediaType {
  readonly mimeType: string;
  readonly kind: 'image' | 'audio';
  readonly extension: string;
  /** True for bytes that begin like this type. */
  readonly matches: (bytes: Buffer) => boolean;
}

const startsWith =
  (text: string, at = 0) =>
  (bytes: Buffer): boolean =>
    bytes.toString('latin1', at, at + text.length) === text;

const mediaTypes: readonly MediaType[] = [
  { mimeType: 'image/png', kind: 'image', extension: 'png', matches: startsWith('\x89PNG\r\n\x1a\n') },
  { mimeType: 'image/jpeg', kind: 'image', extension: 'jpg', matches: startsWith('\xff\xd8\xff') },
  { mimeType: 'image/gif', kind: 'image', extension: 'gif', matches: startsWith('GIF8') },
  {
    mimeType: 'image/webp',
    kind: 'image',
    extension: 'webp',
    matches: (bytes) => startsWith('RIFF')(bytes) && startsWith('WEBP', 8)(bytes),
  },
  {
    mimeType: 'audio/wav',
    kind: 'audio',
    extension: 'wav',
    matches: (bytes) => startsWith('RIFF')(bytes) && startsWith('WAVE', 8)(bytes),
  },
  { mimeType: 'audio/ogg', kind: 'audio', extension: 'ogg', matches: startsWith('OggS') },
  {
    mimeType: 'audio/mpeg',
    kind: 'audio',
    extension: 'mp3',
    matches: (bytes) => startsWith('ID3')(bytes) || (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0),
  },
];

const otherNames: ReadonlyMap<string, string> = new Map([
  ['image/jpg', 'image/jpeg'],
  ['audio/x-wav', 'audio/wav'],
  ['audio/wave', 'audio/wav'],
  ['audio/vnd.wave', 'audio/wav'],
  ['audio/mp3', 'audio/mpeg'],
]);

export type DecodedContent =
  /** Can be opened in a viewer. */
  | { readonly kind: 'media'; readonly type: 'image' | 'audio'; readonly media: MediaContent }
  /** An image that is text, and only shown as text: it may have scripts and URLs in it. */
  | { readonly kind: 'svg'; readonly text: string }
  /** Valid, but there is no viewer for its type. */
  | { readonly kind: 'other'; readonly size: number }
  | { readonly kind: 'problem'; readonly message: string };

/** Whether a MIME type is valid and one of images or sounds; parameters are ignored. */
export function claimsKind(mimeType: string, kind: 'image' | 'audio'): boolean {
  const type = (mimeType.split(';')[0] ?? '').trim();
  return /^(image|audio)\/[a-z0-9][a-z0-9.+-]*$/i.exec(type)?.[1]?.toLowerCase() === kind;
}

/** Decodes base64 content, and checks its first bytes against its MIME type: a viewer never gets another type. */
export function decodeContent(data: unknown, mimeType: string, baseName: string): DecodedContent {
  const bytes = decodeBase64(data);
  if (!bytes) {
    return { kind: 'problem', message: 'The data is not valid base64.' };
  }
  const essence = (mimeType.split(';')[0] ?? '').trim().toLowerCase();
  const wanted = otherNames.get(essence) ?? essence;
  if (wanted === 'image/svg+xml') {
    return { kind: 'svg', text: bytes.toString('utf8') };
  }
  const type = mediaTypes.find((candidate) => candidate.mimeType === wanted);
  if (!type) {
    return { kind: 'other', size: bytes.length };
  }
  return type.matches(bytes)
    ? {
        kind: 'media',
        type: type.kind,
        media: { bytes, mimeType: wanted, name: `${baseName}.${type.extension}` },
      }
    : { kind: 'problem', message: `The data is not ${wanted}, although the server says so.` };
}
