import { createHash } from 'node:crypto';
import type { ServerId } from '../config/serverDefinition.ts';

/** The scheme of the documents that show resources. */
export const RESOURCE_SCHEME = 'mcp-host';

/** One resource: what a server calls it, and which server. Equal URIs of two servers are two resources. */
export interface ResourceAddress {
  readonly serverId: ServerId;
  /** As the server wrote it, character by character: it is an identifier, and never normalized. */
  readonly uri: string;
}

/** What a document's path says: the resource, and which of its contents when it has several. */
export interface PlacedResource {
  readonly uri: string;
  /** The number of the content, from 0; undefined for the resource itself. */
  readonly content?: number;
}

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
 * viewer; `mimeType` gives the ending where the URI has none. `placedResource` finds the resource again.
 */
export function placeOf(uri: string, mimeType?: string): string {
  const name =
    uri
      .split(/[/?#]/)
      .findLast(Boolean)
      ?.replace(/[^A-Za-z0-9._-]/g, '_') || 'resource';
  return `/=${Buffer.from(uri, 'utf16le').toString('base64url')}/${name}${mimeType === 'image/png' ? '.png' : ''}`;
}

/** The resource at a path, or undefined when `placeOf` gives no such path. */
export function placedResource(path: string): PlacedResource | undefined {
  const [, code] = /^\/=([A-Za-z0-9_-]*)\/[^/]+$/.exec(path) ?? [];
  return code === undefined ? undefined : { uri: Buffer.from(code, 'base64url').toString('utf16le') };
}
