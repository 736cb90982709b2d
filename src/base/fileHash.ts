import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** More is not read at once: it would hold up everything else. */
const MAX_HASHED_BYTES = 16 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;

/**
 * The SHA-256 of what stands in a file at this moment, symbolic links followed; undefined for what is no regular file,
 * is too large, or cannot be read. Read at once rather than in the background, so that nothing happens between the look
 * and what is decided by it.
 */
export function fileHash(path: string, maxBytes = MAX_HASHED_BYTES): string | undefined {
  let file: number | undefined;
  try {
    // A FIFO would otherwise hold everything until somebody writes into it.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stat = fstatSync(file);
    return stat.isFile() && stat.size <= maxBytes ? contentHash(file, maxBytes) : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) {
      closeSync(file);
    }
  }
}

/** It may grow while it is read. */
function contentHash(file: number, maxBytes: number): string | undefined {
  const hash = createHash('sha256');
  const chunk = Buffer.alloc(CHUNK_BYTES);
  for (let total = 0; total <= maxBytes;) {
    const length = readSync(file, chunk, 0, CHUNK_BYTES, null);
    if (length === 0) {
      return hash.digest('hex');
    }
    hash.update(chunk.subarray(0, length));
    total += length;
  }
  return undefined;
}
