import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCodeOf } from '../values/errorCode.ts';
import { retryWhileHeld } from './atomicFile.ts';

/** Milliseconds for which a process must see no sign of life from another one before it ignores that one. */
const STALE_MS = 10_000;
/** Signs of life within that time. */
const SIGNS = 5;
/** Milliseconds between two looks. */
const RETRY_MS = 10;

/**
 * What one process has at a time, for as long as it takes. Each process that wants it creates a file of its own,
 * `<path>.<id>`, and has it once it sees no other: of two, the one that looks later sees the file of the other. No name
 * is used twice, so removing the file of a process that was killed can't hit that of another one.
 */
export class FileLock {
  readonly #file: string;
  readonly #signs: NodeJS.Timeout;

  private constructor(file: string, staleMs: number) {
    this.#file = file;
    this.#signs = setInterval(() => {
      const now = new Date();
      // Without the file, others have ignored this process because it stood still for too long.
      utimes(file, now, now).catch(() => {});
    }, staleMs / SIGNS).unref();
  }

  /** Works while this process has it; creates its folder. @throws as `take`, and what `work` throws. */
  static async during<T>(file: string, work: () => Promise<T>): Promise<T> {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    const lock = await FileLock.take(file);
    try {
      return await work();
    } finally {
      await lock.release();
    }
  }

  /**
   * Resolves when no other process has it, nor another caller in this one.
   *
   * @param staleMs See `STALE_MS`; the same for all that use this path.
   * @throws the file system's error when the file can't be created.
   */
  static async take(path: string, staleMs = STALE_MS): Promise<FileLock> {
    const others = new OtherFiles(path, staleMs);
    for (;;) {
      if ((await others.live()).length === 0) {
        const lock = await FileLock.#takeOr(path, staleMs, others);
        if (lock) {
          return lock;
        }
      }
      await delay(RETRY_MS * (1 + Math.random()));
    }
  }

  /** Undefined if another process wants it as well, and comes first. */
  static async #takeOr(path: string, staleMs: number, others: OtherFiles): Promise<FileLock | undefined> {
    const file = `${path}.${randomUUID()}`;
    // On Windows a virus scanner may hold the file for a moment.
    await retryWhileHeld(() => writeFile(file, '', { mode: 0o600 }));
    const lock = new FileLock(file, staleMs);
    try {
      for (;;) {
        const live = await others.live(file);
        if (live.length === 0) {
          return lock;
        }
        if (live.some((other) => other < file)) {
          break;
        }
        await delay(RETRY_MS);
      }
    } catch (error) {
      await lock.release();
      throw error;
    }
    await lock.release();
    return undefined;
  }

  async release(): Promise<void> {
    clearInterval(this.#signs);
    await retryWhileHeld(() => rm(this.#file, { force: true }));
  }
}

/** The files of the others that have a lock or want it. */
class OtherFiles {
  readonly #path: string;
  readonly #staleMs: number;
  /** By file: its time, and for how many milliseconds that has been the same while this process watched. */
  readonly #seen = new Map<string, { readonly mtimeMs: number; readonly unchangedMs: number }>();
  #lookedAt = performance.now();

  constructor(path: string, staleMs: number) {
    this.#path = path;
    this.#staleMs = staleMs;
  }

  /** Of processes that give signs of life; removes the others. Clocks aren't compared: they may differ, or be set. */
  async live(own?: string): Promise<readonly string[]> {
    const now = performance.now();
    // More than that doesn't count: this process may have stood still, and the others with it.
    const step = Math.min(now - this.#lookedAt, this.#staleMs / SIGNS);
    this.#lookedAt = now;
    const live: string[] = [];
    for (const file of await this.#files()) {
      const mtimeMs = file === own ? undefined : await timeOf(file);
      if (mtimeMs === undefined) {
        continue;
      }
      const seen = this.#seen.get(file);
      const unchangedMs = seen?.mtimeMs === mtimeMs ? seen.unchangedMs + step : 0;
      this.#seen.set(file, { mtimeMs, unchangedMs });
      if (unchangedMs < this.#staleMs) {
        live.push(file);
      } else {
        await retryWhileHeld(() => rm(file, { force: true }));
      }
    }
    return live;
  }

  async #files(): Promise<readonly string[]> {
    const [folder, start] = [path.dirname(this.#path), `${path.basename(this.#path)}.`];
    return (await readdir(folder))
      .filter((name) => name.startsWith(start) && isId(name.slice(start.length)))
      .map((name) => path.join(folder, name));
  }
}

function isId(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}

/** Undefined if the file is gone. */
async function timeOf(file: string): Promise<number | undefined> {
  try {
    // On Windows it can't be looked at for a moment while it is removed.
    return (await retryWhileHeld(() => stat(file))).mtimeMs;
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}
