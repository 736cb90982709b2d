import { sha256 } from '../../base/text/sha256.ts';
import { hasTexts } from '../../base/values/record.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import { resourceFileName, isFileName } from './resourceFileName.ts';

/** The scheme of the documents of resources. */
export const RESOURCE_SCHEME = 'mcp-host';

/** One resource: its URI and its server. Equal URIs of two servers are two resources. */
export interface ResourceAddress {
  readonly serverId: ServerId;
  /** Exactly as the server wrote it: it is an identifier, and never normalized. */
  readonly uri: string;
}

/** An address as one text, for maps. */
export function resourceKey({ serverId, uri }: ResourceAddress): string {
  return JSON.stringify([serverId, uri]);
}

/** Whether a stored or passed value is a resource's address. */
export function isResourceAddress(value: unknown): value is ResourceAddress {
  return hasTexts(value, 'serverId', 'uri');
}

/** What a document's path means: the resource, and which of its contents when it has several. */
export interface PlacedResource {
  readonly uri: string;
  /** The number of the content, from 0; undefined for the resource itself. */
  readonly content?: number;
}

/** A URI that can be a path: the characters of its segments are up to `escaped`. */
const HIERARCHICAL_URI = /^([a-z][a-z0-9+.-]*):\/\/([^/]*)(\/.+|)$/su;
/** Longer ones are hard to read in any form. */
const MAX_READABLE = 500;
/** Replaces an empty segment or authority, and begins the escape of a byte: no URI has it unescaped. */
const ESCAPE = '=';

/** A URI as a path alone: its last segment is the file name. */
const PLAIN_PATH = /^\/([a-z][a-z0-9+.-]*)\/(.+)$/s;
/** A URI as a folder, with a file name of its own. */
const FOLDER_PATH = /^\/=([a-z][a-z0-9+.-]*)\/(.+)\/[^/]+$/s;
/** A URI in base64: after `==` of its UTF-8, after `===` of its UTF-16 if it is not well-formed Unicode. */
const CODED_PATH = /^\/==(=?)([A-Za-z0-9_-]*)\/[^/]+$/;
/** The file name of one of several contents; no other segment ever has a space. */
const CONTENT = /^(.*)\/([1-9]\d{0,8}) [^/]+$/s;
/** The most that the editor keeps of an authority in the host name of a viewer's address. */
const MAX_SLUG = 32;

/**
 * The authority of all documents of one server: the same after a reload of the window. What
 * follows the `+` is for people (`resourceLabelFormatters` in package.json).
 */
export function authorityOf({ id, name }: { readonly id: ServerId; readonly name: string }): string {
  const words = name.toLowerCase().split(/[^a-z0-9]+/);
  let slug = '';
  for (const word of words.filter(Boolean)) {
    // A `-` takes five characters there.
    const longer = slug ? `${slug}-${word}` : word;
    if (longer.replaceAll('-', '-002d').length > MAX_SLUG) {
      slug ||= word.slice(0, MAX_SLUG);
      break;
    }
    slug = longer;
  }
  return slug ? `${hashOf(id)}+${slug}` : hashOf(id);
}

/** Whether an authority is that of a server, even of one that is no longer configured. */
export function isAuthorityOf(authority: string, id: ServerId): boolean {
  return authority.split('+')[0] === hashOf(id);
}

/**
 * The path of a resource's document. It ends in a file name, so that the editor knows the language or the
 * viewer; `mimeType` determines the ending if the URI has none. `placedResource` finds the resource again,
 * whatever the MIME type was. It reads like the URI if that has the form of a path.
 */
export function placeOf(uri: string, mimeType?: string): string {
  const { scheme, segments, isPlain } = readableParts(uri) ?? {};
  if (scheme === undefined || segments === undefined) {
    return `/${codeOf(uri)}/${resourceFileName(uri, mimeType)}`;
  }
  return isPlain && isFileName(segments.at(-1) ?? '', mimeType)
    ? `/${scheme}/${segments.join('/')}`
    : `/=${scheme}/${segments.join('/')}/${resourceFileName(uri, mimeType)}`;
}

/** The file name of one of several contents, from 0, in the folder of its resource. */
export function contentNameOf(content: number, name: string): string {
  return `${content + 1} ${name}`;
}

/** The resource at a path; undefined if `placeOf` never returns that path. */
export function placedResource(path: string): PlacedResource | undefined {
  const [, folder, number] = CONTENT.exec(path) ?? [];
  const uri = uriAt(folder ?? path);
  if (uri === undefined) {
    return undefined;
  }
  return number === undefined ? { uri } : { uri, content: Number(number) - 1 };
}

function hashOf(id: ServerId): string {
  return sha256(id).slice(0, 16);
}

interface ReadableParts {
  readonly scheme: string;
  /** The authority and the segments of the path, escaped; never `.` or `..`, never empty. */
  readonly segments: readonly string[];
  /** Whether the last segment is already a file name. */
  readonly isPlain: boolean;
}

function readableParts(uri: string): ReadableParts | undefined {
  if (uri.length > MAX_READABLE || !uri.isWellFormed()) {
    return undefined;
  }
  const [, scheme, authority, path] = HIERARCHICAL_URI.exec(uri) ?? [];
  if (scheme === undefined || authority === undefined || path === undefined) {
    return undefined;
  }
  const segments = `${authority}${path}`.split('/');
  return {
    scheme,
    segments: segments.map(escaped),
    isPlain:
      segments.length > 1 && /^[_~@+,.-]*[\p{L}\p{N}][\p{L}\p{N}_~@+,.-]*$/u.test(segments.at(-1) ?? ''),
  };
}

function uriAt(path: string): string | undefined {
  const [, isUtf16, code] = CODED_PATH.exec(path) ?? [];
  if (code !== undefined) {
    const uri = Buffer.from(code, 'base64url').toString(isUtf16 ? 'utf16le' : 'utf8');
    // A decoder accepts what an encoder never writes: one resource has one code.
    return path.startsWith(`/${codeOf(uri)}/`) && !readableParts(uri) ? uri : undefined;
  }
  const [, scheme, rest] = FOLDER_PATH.exec(path) ?? PLAIN_PATH.exec(path) ?? [];
  if (scheme === undefined || rest === undefined) {
    return undefined;
  }
  const uri = `${scheme}://${rest.split('/').map(unescaped).join('/')}`;
  const parts = readableParts(uri);
  const isSame = parts?.scheme === scheme && parts.segments.join('/') === rest;
  return isSame && (path.startsWith('/=') || placeOf(uri) === path) ? uri : undefined;
}

/** A segment of a path: letters of any script stay, what a path or the editor could change is escaped. */
function escaped(segment: string): string {
  if (segment === '') {
    return ESCAPE;
  }
  return /^\.+$/.test(segment)
    ? escapedBytes(segment)
    : segment.replace(/[^\p{L}\p{N}_~@+,;:!$&'()*.-]+/gu, escapedBytes);
}

function escapedBytes(text: string): string {
  return [...Buffer.from(text, 'utf8')]
    .map((byte) => `${ESCAPE}${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('');
}

function unescaped(segment: string): string {
  return segment === ESCAPE
    ? ''
    : segment.replace(/(?:=[0-9A-F]{2})+/g, (bytes) =>
        Buffer.from(bytes.replaceAll(ESCAPE, ''), 'hex').toString('utf8'),
      );
}

function codeOf(uri: string): string {
  return uri.isWellFormed()
    ? `==${Buffer.from(uri, 'utf8').toString('base64url')}`
    : `===${Buffer.from(uri, 'utf16le').toString('base64url')}`;
}
