import { randomUUID } from 'node:crypto';
import {
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
  type Stats,
} from 'node:fs';
import { mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCodeOf } from '../values/errorCode.ts';

/** Milliseconds between tries on Windows, where another program (search, virus scanner) may hold a file briefly. */
const RETRIES_MS = [5, 10, 20, 40, 80, 160, 320];
/** Milliseconds after which a temporary file belongs to no process that still writes it. */
const STALE_MS = 24 * 60 * 60 * 1_000;

interface ReplaceOptions {
  /** Whether the file must outlast a loss of power, which takes longer. */
  readonly isDurable?: boolean;
  /** Asked right before the file takes its name; if it gives false, nothing changes. */
  readonly isStillWanted?: () => boolean;
}

/**
 * Writes a file that is complete from the moment it has its name, and readable by this user only. Creates its folder.
 * After a failure what was there before is still there. A process that is killed leaves `<file>.<id>.tmp`.
 *
 * @param content The text, or what writes it.
 * @throws what the file system says.
 */
export async function replaceFile(
  file: string,
  content: string | ((handle: FileHandle) => Promise<void>),
  { isDurable = false, isStillWanted = () => true }: ReplaceOptions = {},
): Promise<void> {
  const folder = path.dirname(file);
  const temporary = temporaryOf(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await (typeof content === 'string' ? handle.writeFile(content) : content(handle));
      if (isDurable) {
        await handle.sync();
      }
    } finally {
      await handle.close();
    }
    await retryWhileHeld(async () => {
      if (isStillWanted()) {
        await rename(temporary, file);
      }
    });
  } finally {
    await rm(temporary, { force: true });
  }
  if (isDurable) {
    await syncFolder(folder);
  }
}

/** As `replaceFile`, before it returns, for when the process may be about to end. Does not retry. */
export function replaceFileSync(file: string, text: string): void {
  writeSync(file, text, renameSync);
}

/** As `replaceFileSync`, unless the file is already there. @throws EEXIST if it is. */
export function createFileSync(file: string, text: string): void {
  writeSync(file, text, linkSync);
}

function writeSync(file: string, text: string, name: (temporary: string, file: string) => void): void {
  const temporary = temporaryOf(file);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(temporary, text, { flag: 'wx', mode: 0o600 });
    name(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}

function temporaryOf(file: string): string {
  return `${file}.${randomUUID()}.tmp`;
}

/** Tells the states of a file apart that is only ever replaced. */
export function stampOf({ ino, mtimeMs, size }: Stats): string {
  return `${ino} ${mtimeMs} ${size}`;
}

/** Removes the temporary files that processes left in a folder a day ago or earlier, because they were killed. */
export function removeLeftovers(folder: string): void {
  try {
    for (const name of readdirSync(folder).filter((one) => one.endsWith('.tmp'))) {
      const file = path.join(folder, name);
      if (Date.now() - statSync(file).mtimeMs > STALE_MS) {
        unlinkSync(file);
      }
    }
  } catch {
    // There is no folder, or another process was first: the next one removes the others.
  }
}

/** Makes the new name last through a loss of power, where the system can. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path).catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close();
}

/** Tries again what fails because another program holds the file for a moment. */
export async function retryWhileHeld<T>(work: () => Promise<T>): Promise<T> {
  for (const pause of RETRIES_MS) {
    try {
      return await work();
    } catch (error) {
      if (!['EPERM', 'EBUSY'].includes(String(errorCodeOf(error)))) {
        throw error;
      }
    }
    await delay(pause);
  }
  return work();
}
