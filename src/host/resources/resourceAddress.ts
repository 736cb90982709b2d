import { createHash } from 'node:crypto';
import type { ServerId } from '../config/serverDefinition.ts';
import { fileNameOf, isFileName } from './resourceFileName.ts';

/** The scheme of the documents that show resources. */
export const RESOURCE_SCHEME = 'mcp-host';

/** One resource: what a server calls it, and which server. Equal URIs of two servers are two resources. */
export interface ResourceAddress {
  readonly serverId: ServerId;
  /** As the server wrote it, character by character: it is an identifier, and never normalized. */
  readonly uri: string;
}

/** Whether something kept or handed over is a resource's address. */
export function isResourceAddress(value: unknown): value is ResourceAddress {
  return (
    typeof value === 'object' &&
    value !== null &&
    'serverId' in value &&
    typeof value.serverId === 'string' &&
    'uri' in value &&
    typeof value.uri === 'string'
  );
}

/** What a document's path says: the resource, and which of its contents when it has several. */
export interface PlacedResource {
  readonly uri: string;
  /** The number of the content, from 0; undefined for the resource itself. */
  readonly content?: number;
}

/** A URI that is a path as it stands: `scheme://authority/segment/…`, the authority possibly empty. */
const PLAIN_URI =
  /^([a-z][a-z0-9+.-]*):\/\/([A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|)((?:\/[A-Za-z0-9_~@+,.-]+)+)$/;
const PLAIN_PATH = /^\/([a-z][a-z0-9+.-]*)\/([A-Za-z0-9.-]+)((?:\/[A-Za-z0-9_~@+,.-]+)+)$/;
/** Stands for an empty authority: no authority of a plain URI begins so. */
const NO_AUTHORITY = '-';
/** Longer ones are hard to read either way. */
const MAX_PLAIN = 500;

/** Begins with a code that no scheme could be: `=` for UTF-8, `==` for what is no well-formed Unicode. */
const CODED_PATH = /^\/(==?)([A-Za-z0-9_-]*)\/[^/]+$/;
/** The file name of one of several contents; the name of a resource never has a space. */
const CONTENT = /^(.*)\/([1-9]\d{0,8}) [^/]+$/s;

/** The authority under which all documents of one server stand: the same after a reload of the window. */
export function authorityOf({ id, name }: { readonly id: ServerId; readonly name: string }): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 32);
  const hash = createHash('sha256').update(id).digest('hex').slice(0, 16);
  return slug ? `${slug}-${hash}` : hash;
}

/**
 * The path of a resource's document. It ends in a file name, so that the editor knows the language or the
 * viewer; `mimeType` gives the ending where the URI has none. `placedResource` finds the resource again,
 * whatever the MIME type was. A URI that is harmless as a path is one; any other is encoded.
 */
export function placeOf(uri: string, mimeType?: string): string {
  return plainPlaceOf(uri, mimeType) ?? `/${codeOf(uri)}/${fileNameOf(uri, mimeType)}`;
}

/** The file name of one of several contents, from 0, in the folder that its resource is. */
export function contentNameOf(content: number, name: string): string {
  return `${content + 1} ${name}`;
}

/** The resource at a path, or undefined when `placeOf` gives no such path. */
export function placedResource(path: string): PlacedResource | undefined {
  const [, folder, number] = CONTENT.exec(path) ?? [];
  const uri = uriAt(folder ?? path);
  if (uri === undefined) {
    return undefined;
  }
  return number === undefined ? { uri } : { uri, content: Number(number) - 1 };
}

function plainPlaceOf(uri: string, mimeType: string | undefined): string | undefined {
  const [, scheme, authority, path] = (uri.length <= MAX_PLAIN && PLAIN_URI.exec(uri)) || [];
  const segments = path?.split('/') ?? [];
  return scheme !== undefined &&
    path !== undefined &&
    !segments.some((segment) => segment === '.' || segment === '..') &&
    isFileName(segments.at(-1) ?? '', mimeType)
    ? `/${scheme}/${authority || NO_AUTHORITY}${path}`
    : undefined;
}

function uriAt(path: string): string | undefined {
  const [, mark, code] = CODED_PATH.exec(path) ?? [];
  if (mark !== undefined && code !== undefined) {
    const uri = Buffer.from(code, 'base64url').toString(mark === '=' ? 'utf8' : 'utf16le');
    // A decoder forgives what an encoder never writes: one resource has one code.
    return codeOf(uri) === `${mark}${code}` ? uri : undefined;
  }
  const [, scheme, authority, rest] = PLAIN_PATH.exec(path) ?? [];
  const uri = `${scheme}://${authority === NO_AUTHORITY ? '' : authority}${rest}`;
  return scheme !== undefined && plainPlaceOf(uri, undefined) === path ? uri : undefined;
}

function codeOf(uri: string): string {
  return uri.isWellFormed()
    ? `=${Buffer.from(uri, 'utf8').toString('base64url')}`
    : `==${Buffer.from(uri, 'utf16le').toString('base64url')}`;
}
