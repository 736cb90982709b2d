import { randomUUID } from 'node:crypto';
import { open, readFile, rm, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds after which a lock belongs to a process that is gone. */
const STALE_MS = 10_000;
/** Milliseconds between two tries. */
const RETRY_MS = 10;

/** A file that one process has at a time. */
export class FileLock {
  readonly #path: string;
  /** What this process has written into it: another one may have taken it for stale. */
  readonly #mark: string;

  private constructor(path: string, mark: string) {
    this.#path = path;
    this.#mark = mark;
  }

  /** @throws what the file system says when there can be no such file. */
  static async take(path: string): Promise<FileLock> {
    for (;;) {
      try {
        const mark = randomUUID();
        const file = await open(path, 'wx', 0o600);
        try {
          await file.writeFile(mark);
        } finally {
          await file.close();
        }
        return new FileLock(path, mark);
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) {
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
