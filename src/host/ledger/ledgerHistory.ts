import { readFile } from 'node:fs/promises';
import { Slices } from '../../base/time/slices.ts';
import type { LedgerEntry } from './ledgerEntry.ts';
import { filesOf } from './ledgerFolder.ts';
import { readLedgerLine } from './ledgerLine.ts';

export type KeptLine = NonNullable<ReturnType<typeof readLedgerLine>>;

/** The newest entries of a folder, or of one workspace in it, in any order, without unreadable ones. */
export async function newestEntries(
  folder: string,
  limit: number,
  workspace?: string,
): Promise<readonly LedgerEntry[]> {
  // Most lines belong to other workspaces, and need not be parsed.
  const mark = workspace === undefined ? '' : JSON.stringify({ workspace }).slice(1, -1);
  const slices = new Slices();
  let found: LedgerEntry[] = [];
  for (const file of await filesOf(folder)) {
    // No entry of a file is newer than its last change.
    if (found.length >= limit && (found[limit - 1]?.at ?? 0) >= file.mtime) {
      break;
    }
    let count = 0;
    for await (const { entry } of linesBackwards(file.path, slices, mark)) {
      if (workspace !== undefined && entry.workspace !== workspace) {
        continue;
      }
      found.push(entry);
      count += 1;
      if (count === limit) {
        break;
      }
    }
    found = found.sort((a, b) => b.at - a.at).slice(0, limit);
  }
  return found;
}

/** All lines of a folder, file by file, the oldest first. */
export async function* keptLines(folder: string): AsyncGenerator<KeptLine> {
  const slices = new Slices();
  for (const file of (await filesOf(folder)).toReversed()) {
    for (const text of await textsOf(file.path)) {
      const line = readLedgerLine(text);
      if (line) {
        yield line;
      }
      if (slices.isUsedUp) {
        await slices.rest();
      }
    }
  }
}

/** The line of one entry; undefined if no file has it. */
export async function keptLine(folder: string, id: string): Promise<KeptLine | undefined> {
  const mark = JSON.stringify({ id }).slice(1, -1);
  for (const file of await filesOf(folder)) {
    const bytes = await readFile(file.path).catch(() => Buffer.alloc(0));
    for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1)) {
      const start = bytes.lastIndexOf('\n', at) + 1;
      const end = bytes.indexOf('\n', at);
      const line = readLedgerLine(bytes.toString('utf8', start, end < 0 ? undefined : end));
      if (line?.entry.id === id) {
        return line;
      }
    }
  }
  return undefined;
}

/** The lines of a file that contain the mark, the last one first. */
async function* linesBackwards(path: string, slices: Slices, mark: string): AsyncGenerator<KeptLine> {
  for (const text of (await textsOf(path)).toReversed()) {
    const line = text.includes(mark) ? readLedgerLine(text) : undefined;
    if (line) {
      yield line;
    }
    if (slices.isUsedUp) {
      await slices.rest();
    }
  }
}

/** The lines of a file; none if it is gone. */
async function textsOf(path: string): Promise<readonly string[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line !== '');
}
