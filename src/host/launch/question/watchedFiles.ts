import path from 'node:path';
import { fileHash, fileState } from '../../../base/files/fileHash.ts';
import { inQuotes } from '../../../base/text/visibleText.ts';
import { sayableLaunch } from '../launchVariables.ts';
import type { ResolvedLaunch } from '../resolvedLaunch.ts';
import { codeBeside, type CodeBeside } from '../warnings/codeBeside.ts';

/** A file as it was when its launch was allowed; while it is another one, the launch is asked about again. */
export interface WatchedFile {
  /** Absolute. */
  readonly path: string;
  /** Of its content. */
  readonly sha256: string;
  /** What runs there follows it, so it is compared in any case. */
  readonly isBeside?: true;
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
    // What is not there costs next to nothing, and must not take the place of what is.
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

/** Those beside the command, as they were when the question was asked. */
export function besideFiles({ files }: CodeBeside): readonly WatchedFile[] {
  return files.map(({ path, sha256 }) => ({ path, sha256, isBeside: true }));
}

/** What lies beside a command now, at the paths where it looks. */
export function besideNow(launch: ResolvedLaunch): CodeBeside {
  return codeBeside(sayableLaunch(launch), fileState);
}

/** Whether a launch finds its files as they were when it was allowed: those that were chosen, and those beside it. */
export function areUnchanged(watched: readonly WatchedFile[], launch: ResolvedLaunch): boolean {
  return (
    chosenAmong(watched).every((file) => fileHash(file.path) === file.sha256) &&
    besideChanges(watched, besideNow(launch)).length === 0
  );
}

function chosenAmong(watched: readonly WatchedFile[]): readonly WatchedFile[] {
  return watched.filter(({ isBeside }) => !isBeside);
}

/**
 * A sentence for each file beside the command that is not as it was. A file that was not there counts only if it changes
 * what runs, and one that was there only where the command looks now: the answer may be for several folders.
 */
export function besideChanges(watched: readonly WatchedFile[], { files, looked }: CodeBeside): string[] {
  const before = new Map(watched.flatMap((file) => (file.isBeside ? [[file.path, file.sha256]] : [])));
  const now = new Map(files.map((file) => [file.path, file.sha256]));
  return [
    ...files.flatMap(({ path, sha256, warning }) => {
      const was = before.get(path);
      if (was === undefined) {
        return warning === undefined ? [] : [`${inQuotes(path)} is new since you allowed it.`];
      }
      return was === sha256 ? [] : [`${inQuotes(path)} has changed since you allowed it.`];
    }),
    ...[...before.keys()]
      .filter((path) => looked.has(path) && !now.has(path))
      .map((path) => `${inQuotes(path)} is gone since you allowed it.`),
  ];
}

/** A sentence for each watched file that is not as it was; what is offered has been read already. */
export function fileChanges(watched: readonly WatchedFile[], offered: readonly OfferedFile[]): string[] {
  return chosenAmong(watched).flatMap((file) => {
    const now = offered.find(({ path }) => path === file.path)?.sha256 ?? fileHash(file.path);
    const name = inQuotes(path.basename(file.path));
    if (now === undefined) {
      return [`${name} can no longer be read: it is gone, or no longer a file of at most 16 MB.`];
    }
    return now === file.sha256 ? [] : [`${name} has changed since you allowed it.`];
  });
}
