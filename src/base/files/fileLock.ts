import { randomUUID } from 'node:crypto';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { retryWhileHeld } from './atomicFile.ts';
import { errorCodeOf } from '../values/errorCode.ts';

/** Milliseconds after which a lock belongs to a process that is gone. */
const STALE_MS = 10_000;
/** Milliseconds between two tries. */
const RETRY_MS = 10;

/** A file that one process has at a time. */
export class FileLock {
  readonly #path: string;
  /** What this process wrote into the file: another process may take the lock after `STALE_MS`. */
  readonly #mark: string;

  private constructor(path: string, mark: string) {
    this.#path = path;
    this.#mark = mark;
  }

  /** @throws what the file system says when the file can't be created. */
  static async take(path: string): Promise<FileLock> {
    const mark = randomUUID();
    for (;;) {
      try {
        // On Windows a file that is being removed keeps its name for a moment.
        await retryWhileHeld(() => writeFile(path, mark, { flag: 'wx', mode: 0o600 }));
        return new FileLock(path, mark);
      } catch (error) {
        if (errorCodeOf(error) !== 'EEXIST') {
          throw error;
        }
      }
      const since = (await stat(path).catch(() => undefined))?.mtimeMs;
      if (since !== undefined && Date.now() - since > STALE_MS) {
        await rm(path, { force: true });
      } else {
        await delay(RETRY_MS);
      }
    }
  }

  async release(): Promise<void> {
    if ((await readFile(this.#path, 'utf8').catch(() => undefined)) === this.#mark) {
      await rm(this.#path, { force: true });
    }
  }
}
