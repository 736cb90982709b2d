import path from 'node:path';
import { fileHash } from '../../../base/files/fileHash.ts';
import { inQuotes } from '../../../base/text/visibleText.ts';

/** A file as it was when its launch was allowed; while it is another one, the launch is asked about again. */
export interface WatchedFile {
  /** Absolute. */
  readonly path: string;
  /** Of its content. */
  readonly sha256: string;
}

/** A file of a launch that may be watched, as it was when the question was asked. */
export interface OfferedFile extends WatchedFile {
  /** It was watched before. */
  readonly isProposed: boolean;
}

/** Of more that are there, the others are not offered. */
const MAX_FILES = 8;

/** The files that may be watched: those that are there, and can be compared. */
export function offeredFiles(
  files: readonly string[],
  watched: readonly WatchedFile[],
): readonly OfferedFile[] {
  const offered: OfferedFile[] = [];
  for (const file of files) {
    // What is not there costs next to nothing, and must not stand in for what is.
    const sha256 = offered.length < MAX_FILES ? fileHash(file) : undefined;
    if (sha256 !== undefined) {
      offered.push({ path: file, sha256, isProposed: watched.some((one) => one.path === file) });
    }
  }
  return offered;
}

/** Those that were chosen, or proposed where nobody chose, as they were when the question was asked. */
export function chosenFiles(
  offered: readonly OfferedFile[],
  chosen: readonly string[] | undefined,
): readonly WatchedFile[] {
  return offered
    .filter((file) => (chosen ? chosen.includes(file.path) : file.isProposed))
    .map(({ path, sha256 }) => ({ path, sha256 }));
}

export function areUnchanged(watched: readonly WatchedFile[]): boolean {
  return watched.every((file) => fileHash(file.path) === file.sha256);
}

/** A sentence for each watched file that is not as it was; what is offered has been read already. */
export function fileChanges(watched: readonly WatchedFile[], offered: readonly OfferedFile[]): string[] {
  return watched.flatMap((file) => {
    const now = offered.find(({ path }) => path === file.path)?.sha256 ?? fileHash(file.path);
    const name = inQuotes(path.basename(file.path));
    if (now === undefined) {
      return [`${name} can no longer be read: it is gone, or no longer a file of at most 16 MB.`];
    }
    return now === file.sha256 ? [] : [`${name} has changed since you allowed it.`];
  });
}
