import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { errorCodeOf } from '../values/errorCode.ts';

/** Larger files are not read: that would block everything else. */
export const MAX_HASHED_BYTES = 16 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;

/**
 * The SHA-256 of a file's content, symbolic links followed; undefined if it isn't a regular file, is too large, or
 * can't be read. Reads synchronously, so that nothing happens between this check and the decision that depends on it.
 */
export function fileHash(path: string, maxBytes = MAX_HASHED_BYTES): string | undefined {
  const found = fileState(path, { maxBytes });
  return found.kind === 'read' ? found.sha256 : undefined;
}

/** What is at a path. */
export type FileState =
  /** Nothing, or a folder. */
  | { readonly kind: 'absent' }
  /** A file that is too large, not regular or not readable; `mark` changes with it as far as the system says. */
  | { readonly kind: 'unreadable'; readonly mark: string }
  /** `text` as far as it was asked for. */
  | { readonly kind: 'read'; readonly sha256: string; readonly bytes: number; readonly text: string };

/**
 * As `fileHash`, and why there is none.
 *
 * @param isTextWanted Otherwise, `text` is empty: a large file isn't kept in memory.
 */
export function fileState(
  path: string,
  { maxBytes = MAX_HASHED_BYTES, isTextWanted = false } = {},
): FileState {
  let file: number | undefined;
  try {
    // Without it, opening a FIFO would block until a process writes to it.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stat = fstatSync(file);
    if (stat.isDirectory()) {
      return { kind: 'absent' };
    }
    const read = stat.isFile() && stat.size <= maxBytes ? content(file, maxBytes, isTextWanted) : undefined;
    return read ?? unreadable(path);
  } catch (error) {
    return absences.has(String(errorCodeOf(error))) ? { kind: 'absent' } : unreadable(path);
  } finally {
    if (file !== undefined) {
      closeSync(file);
    }
  }
}

/** A path without a file, a link to nothing, and a name that no file can have. */
const absences = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE']);

function unreadable(path: string): FileState {
  const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
  const mark = stat === undefined ? '' : [stat.ino, stat.size, stat.ctimeNs].join(' ');
  return { kind: 'unreadable', mark };
}

/** The file may grow while it is read. */
function content(file: number, maxBytes: number, isTextWanted: boolean): FileState | undefined {
  const hash = createHash('sha256');
  const decoder = new TextDecoder();
  const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, maxBytes + 1));
  let text = '';
  for (let total = 0; total <= maxBytes;) {
    const length = readSync(file, chunk, 0, chunk.length, null);
    if (length === 0) {
      return { kind: 'read', sha256: hash.digest('hex'), bytes: total, text };
    }
    const part = chunk.subarray(0, length);
    hash.update(part);
    text += isTextWanted ? decoder.decode(part, { stream: true }) : '';
    total += length;
  }
  return undefined;
}
