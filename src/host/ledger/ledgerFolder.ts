import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { errorCodeOf } from '../../base/values/errorCode.ts';

/** A file of entries. Each window writes its own files, one after the other. */
export interface LedgerFile {
  readonly path: string;
  readonly size: number;
  /** When the last entry was written, in milliseconds since the epoch. */
  readonly mtime: number;
  /** Whether an open window may write to it. */
  readonly isLive: boolean;
}

const NAME = /^(?<start>.+)-(?<pid>\d+)-(?<window>[0-9a-f]{8})-(?<count>\d+)\.jsonl$/;

/** The name of a window's file; the names of one window sort in the order of their creation. */
export function fileNameOf(time: number, window: string, count: number, pid = process.pid): string {
  const start = new Date(time).toISOString().replaceAll(/[:.]/g, '-');
  return `${start}-${pid}-${window}-${String(count).padStart(6, '0')}.jsonl`;
}

/** The files of a folder, the one written last first. */
export async function filesOf(folder: string): Promise<readonly LedgerFile[]> {
  const names = await readdir(folder).catch(() => []);
  const groups = names.flatMap((name) => {
    const { window = '', pid = '', count = '' } = NAME.exec(name)?.groups ?? {};
    return window === '' ? [] : [{ name, window, pid: Number(pid), count: Number(count) }];
  });
  const last = new Map<string, number>();
  for (const { window, count } of groups) {
    last.set(window, Math.max(count, last.get(window) ?? 0));
  }
  const files = await Promise.all(
    groups.map(async ({ name, window, pid, count }): Promise<readonly LedgerFile[]> => {
      const file = path.join(folder, name);
      const found = await stat(file).catch(() => undefined);
      // Another window may have deleted it just now.
      return found?.isFile() === true
        ? [
            {
              path: file,
              size: found.size,
              mtime: found.mtimeMs,
              isLive: last.get(window) === count && isRunning(pid),
            },
          ]
        : [];
    }),
  );
  // Two files of the same time are sorted by the start of their windows.
  return files.flat().sort((a, b) => b.mtime - a.mtime || (a.path < b.path ? 1 : -1));
}

/** How much a folder may have in it. */
export interface FolderLimits {
  readonly bytes: number;
  readonly files: number;
}

/**
 * Deletes the oldest files until the folder is within its limits, with `room` bytes to spare, and as many for each other
 * window that writes. Files to which a window writes are deleted last, and `own` never.
 */
export async function prune(
  folder: string,
  { bytes, files: maxFiles }: FolderLimits,
  room: number,
  own: string,
): Promise<void> {
  const files = await filesOf(folder);
  const writing = files.filter(({ isLive, path: file }) => isLive && file !== own).length;
  const allowed = Math.max(0, bytes - room * (writing + 1));
  let total = files.reduce((sum, { size }) => sum + size, 0);
  let count = files.length;
  const order = [...files.filter(({ isLive }) => isLive), ...files.filter(({ isLive }) => !isLive)];
  for (const file of order.toReversed()) {
    const limit = file.isLive ? bytes - room : allowed;
    if (file.path !== own && (total > limit || count > maxFiles)) {
      await rm(file.path, { force: true }).catch(() => {});
      total -= file.size;
      count -= 1;
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process belongs to another user.
    return errorCodeOf(error) === 'EPERM';
  }
}
