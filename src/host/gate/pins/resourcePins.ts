import type { Resource } from '@modelcontextprotocol/client';
import { sha256 } from '../../../base/text/sha256.ts';

/** Hashes of the texts of resources, by a hash of their URIs: of thousands, nothing more is kept. */
export type ResourceHashes = ReadonlyMap<string, string>;

/** Hexadecimal digits that are kept of a hash. */
export const HASH_DIGITS = 32;

/** How many resources are remembered that are no longer listed. */
const MAX_GONE = 10_000;

export function resourcePinKey({ uri }: Pick<Resource, 'uri'>): string {
  return sha256(uri).slice(0, HASH_DIGITS);
}

/** Of what a model reads of a resource before it reads the resource itself. */
export function textsHash({ name, title, description, mimeType }: Resource): string {
  const texts = [name, title ?? null, description ?? null, mimeType ?? null];
  return sha256(JSON.stringify(texts)).slice(0, HASH_DIGITS);
}

/** A resource that appears or goes is no change; one that has other texts stays as it was pinned. */
export function withNewResources(
  before: ResourceHashes | undefined,
  listed: ResourceHashes | undefined,
  elsewhere: readonly (ResourceHashes | undefined)[],
): ResourceHashes | undefined {
  if (!listed || (before && [...listed.keys()].every((key) => before.has(key)))) {
    return before;
  }
  const hashes = new Map(before);
  const gone = [...hashes.keys()].filter((key) => !listed.has(key));
  gone.slice(0, Math.max(0, gone.length - MAX_GONE)).forEach((key) => hashes.delete(key));
  for (const [key, hash] of listed) {
    if (!hashes.has(key)) {
      hashes.set(key, elsewhere.find((one) => one?.has(key))?.get(key) ?? hash);
    }
  }
  return hashes;
}
