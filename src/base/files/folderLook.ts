import { statSync } from 'node:fs';

/** Milliseconds within which a file system may give two changes of a folder the same time: FAT counts in steps of 2 s. */
const GRAIN_MS = 2_000;

/**
 * Tells by one `stat` whether the names in a folder may be others than when they were last listed. It trusts the time of
 * a change only once that has been known for longer than any file system's grain, by the clock of this process: the
 * folder's own may be that of another machine.
 */
export class FolderLook {
  readonly #folder: string;
  #stamp: string | undefined;
  #seenAt = 0;
  #isListed = false;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Whether the names have to be listed; if so, list them before anything else. */
  mayHaveChanged(): boolean {
    const stamp = this.#read();
    const now = performance.now();
    if (stamp === undefined || stamp !== this.#stamp) {
      this.#stamp = stamp;
      this.#seenAt = now;
      this.#isListed = false;
      return true;
    }
    if (this.#isListed) {
      return false;
    }
    // What comes after this listing gets another time.
    this.#isListed = now - this.#seenAt > GRAIN_MS;
    return true;
  }

  #read(): string | undefined {
    try {
      const { dev, ino, mtimeNs, ctimeNs } = statSync(this.#folder, { bigint: true });
      return [dev, ino, mtimeNs, ctimeNs].join(' ');
    } catch {
      return undefined;
    }
  }
}
