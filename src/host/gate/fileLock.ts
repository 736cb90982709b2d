import { open, rm, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds after which a lock belongs to a process that is gone. */
const STALE_MS = 10_000;
/** Milliseconds between two tries. */
const RETRY_MS = 10;

/** A file that one process has at a time. */
export class FileLock {
  readonly #path: string;

  private constructor(path: string) {
    this.#path = path;
  }

  /** @throws what the file system says when there can be no such file. */
  static async take(path: string): Promise<FileLock> {
    for (;;) {
      try {
        await (await open(path, 'wx', 0o600)).close();
        return new FileLock(path);
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
    await rm(this.#path, { force: true });
  }
}
