import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** What servers got over all their restarts, as `faultyScript` writes it down: `method target text`. */
export class ReceivedRecord {
  readonly #file: string;

  constructor(directory: string) {
    this.#file = path.join(directory, 'received');
    writeFileSync(this.#file, '');
  }

  /** What a server needs to write it down. */
  get environment(): Readonly<Record<string, string>> {
    return { RECEIVED: this.#file };
  }

  get all(): readonly string[] {
    return readFileSync(this.#file, 'utf8').split('\n').filter(Boolean);
  }

  times(what: string): number {
    return this.all.filter((one) => one === what).length;
  }

  /** How many there were that begin with these words. */
  timesOf(words: string): number {
    return this.all.filter((one) => one === words || one.startsWith(`${words} `)).length;
  }
}
