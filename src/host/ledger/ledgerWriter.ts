import { randomBytes } from 'node:crypto';
import { appendFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { After } from '../../base/time/clock.ts';
import { messageOf } from '../errors/hostError.ts';
import { fileNameOf, prune } from './ledgerFolder.ts';

export interface WriterLimits {
  /** Bytes of one file, after which the next one is started. */
  readonly fileBytes: number;
  /** Bytes of all files of the folder, and how many files there may be. */
  readonly folderBytes: number;
  readonly files: number;
}

/** How often the folder is checked while one file is written. */
const LOOKS = 5;

/** Milliseconds after a write in which lines wait for each other: a file is opened once for all of them. */
const REST_MS = 100;

/**
 * Appends lines to this window's own files, in order: the first at once, and those that soon follow it together. Once
 * the writer is closing, nothing waits.
 */
export class LedgerWriter {
  readonly #folder: string;
  readonly #limits: WriterLimits;
  readonly #window = randomBytes(4).toString('hex');
  readonly #pending: Buffer[] = [];
  readonly #onDidFail: () => void;
  readonly #after: After;
  #running: Promise<void> | undefined;
  #isResting = false;
  #isClosing = false;
  #path = '';
  #count = 0;
  #size = 0;
  /** Bytes written since the folder was checked. */
  #unseen = Infinity;
  #problem: string | undefined;

  constructor(folder: string, limits: WriterLimits, onDidFail: () => void, after: After) {
    this.#folder = folder;
    this.#limits = limits;
    this.#onDidFail = onDidFail;
    this.#after = after;
  }

  /** Why lines cannot be written at the moment; they are tried again with the next one. */
  get problem(): string | undefined {
    return this.#problem;
  }

  append(line: string): void {
    this.#pending.push(Buffer.from(line));
    if (!this.#isResting || this.#isClosing) {
      void this.#start();
    }
  }

  /** From now on no line waits, because this process ends soon. */
  hurry(): void {
    this.#isClosing = true;
    void this.#start();
  }

  /** Resolves when everything appended is written, or cannot be. */
  async flush(): Promise<void> {
    await this.#running;
    await this.#start();
  }

  #start(): Promise<void> {
    if (this.#pending.length > 0) {
      this.#running ??= this.#run();
    }
    return this.#running ?? Promise.resolve();
  }

  async #run(): Promise<void> {
    // What is appended meanwhile waits for the next time.
    let due = this.#pending.length;
    try {
      while (due > 0 || (this.#isClosing && this.#pending.length > 0)) {
        due -= await this.#writeSome();
        this.#problem = undefined;
      }
      this.#rest();
    } catch (error) {
      // Half a line may have been written, which would break the next one: start another file.
      this.#size = Infinity;
      this.#dropOldest();
      const isNew = this.#problem === undefined;
      this.#problem = messageOf(error);
      if (isNew) {
        this.#onDidFail();
      }
    } finally {
      this.#running = undefined;
    }
  }

  #rest(): void {
    if (!this.#isResting) {
      this.#isResting = true;
      this.#after(REST_MS, () => {
        this.#isResting = false;
        void this.#start();
      });
    }
  }

  /** Writes as many lines as fit into the file, and at least one; returns how many. */
  async #writeSome(): Promise<number> {
    const { fileBytes, folderBytes, files } = this.#limits;
    const [first] = this.#pending;
    if (!first) {
      return 0;
    }
    if (this.#path === '' || this.#size + first.length > fileBytes) {
      this.#count += 1;
      this.#path = path.join(this.#folder, fileNameOf(Date.now(), this.#window, this.#count));
      this.#size = 0;
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    }
    let bytes = 0;
    let lines = 0;
    while (lines < this.#pending.length) {
      const next = this.#pending[lines]?.length ?? 0;
      if (lines > 0 && this.#size + bytes + next > fileBytes) {
        break;
      }
      bytes += next;
      lines += 1;
    }
    const step = fileBytes / LOOKS;
    if (this.#unseen + bytes > step) {
      const room = Math.max(step, bytes);
      await prune(this.#folder, { bytes: folderBytes, files }, room, this.#path);
      this.#unseen = 0;
    }
    // Opened each time, because another window may have deleted the file.
    await appendFile(this.#path, Buffer.concat(this.#pending.slice(0, lines)), { mode: 0o600 });
    this.#pending.splice(0, lines);
    this.#size += bytes;
    this.#unseen += bytes;
    return lines;
  }

  /** While nothing can be written, lines for at most one file wait. */
  #dropOldest(): void {
    let waiting = this.#pending.reduce((sum, { length }) => sum + length, 0);
    while (this.#pending.length > 1 && waiting > this.#limits.fileBytes) {
      waiting -= this.#pending.shift()?.length ?? 0;
    }
  }
}
