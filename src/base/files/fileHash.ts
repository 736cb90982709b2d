import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** Larger files are not read: that would block everything else. */
const MAX_HASHED_BYTES = 16 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;

/**
 * The SHA-256 of a file's content, symbolic links followed; undefined if it isn't a regular file, is too large, or
 * can't be read. Reads synchronously, so that nothing happens between this check and the decision that depends on it.
 */
export function fileHash(path: string, maxBytes = MAX_HASHED_BYTES): string | undefined {
  let file: number | undefined;
  try {
    // Without it, opening a FIFO would block until somebody writes to it.
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

/** The file may grow while it is read. */
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
