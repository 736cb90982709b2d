import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { replaceFile, replaceFileSync } from '../../base/atomicFile.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Gathered } from '../../base/gathered.ts';
import type { Logger } from '../../base/logger.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import { messageOf } from '../errors/hostError.ts';
import { dayOf, dayOfFile, fileOf, readUsage, usageText, type Usage } from './usageFile.ts';

/** Milliseconds within which what was used is written. */
const SOON = 200;
/** Milliseconds for which what other windows used is taken as it was read. */
const FRESH = 2_000;

const none: Usage = { requests: 0, tokens: 0 };

/**
 * What each server used of language models since midnight, in all windows. A window writes one file of its own for
 * the day, which is complete from the moment it has its name; the files of a day together are what was used.
 */
export class TokenUsage implements Disposable {
  readonly #folder: string;
  readonly #now: () => number;
  readonly #logger: Logger | undefined;
  readonly #window = randomUUID();
  readonly #writing: Gathered;
  readonly #told = new Set<string>();
  #day = '';
  #own = new Map<ServerId, Usage>();
  #others: ReadonlyMap<ServerId, Usage> = new Map();
  #readAt = -Infinity;
  #refreshing: Promise<void> | undefined;
  #written: Promise<void> = Promise.resolve();
  /** Additions of the day, and how many of them the file has. */
  #added = 0;
  #kept = 0;
  #isDisposed = false;

  /** `now` in milliseconds since the epoch. */
  constructor(folder: string, now: () => number, logger?: Logger) {
    this.#folder = folder;
    this.#now = now;
    this.#logger = logger;
    this.#writing = new Gathered(SOON, () => void this.#writeInTurn());
  }

  /** What a server used: in this window up to now, in others as it was read last. */
  today(serverId: ServerId): Usage {
    this.#turnDay();
    if (Math.abs(this.#now() - this.#readAt) >= FRESH) {
      void this.refresh();
    }
    return sum(this.#own.get(serverId) ?? none, this.#others.get(serverId) ?? none);
  }

  /** Adds what a server used; it is written soon. */
  add(serverId: ServerId, used: Usage): void {
    this.#turnDay();
    this.#own.set(serverId, sum(this.#own.get(serverId) ?? none, used));
    this.#added += 1;
    if (this.#isDisposed) {
      this.#writeAtOnce();
    } else {
      this.#writing.soon();
    }
  }

  /** Resolves when what other windows have written up to now is known. */
  async refresh(): Promise<void> {
    // One that is under way may have read a file before it was written.
    await this.#refreshing;
    this.#refreshing ??= this.#read().finally(() => {
      this.#refreshing = undefined;
    });
    await this.#refreshing;
  }

  /** Resolves when what was added is written, or cannot be. */
  async flush(): Promise<void> {
    this.#writing.dispose();
    await this.#writeInTurn();
  }

  dispose(): void {
    if (this.#isDisposed) {
      return;
    }
    this.#isDisposed = true;
    this.#writing.dispose();
    if (this.#kept < this.#added) {
      // The window may be gone before anything else is done.
      this.#writeAtOnce();
    }
  }

  #turnDay(): void {
    const day = dayOf(this.#now());
    if (day !== this.#day) {
      this.#day = day;
      this.#own = new Map();
      this.#others = new Map();
      this.#readAt = -Infinity;
      this.#added = 0;
      this.#kept = 0;
    }
  }

  async #read(): Promise<void> {
    this.#turnDay();
    const day = this.#day;
    this.#readAt = this.#now();
    const names = await readdir(this.#folder).catch(() => []);
    const others = new Map<ServerId, Usage>();
    for (const name of names.filter((one) => one !== fileOf(day, this.#window))) {
      const written = dayOfFile(name);
      if (written !== undefined && written.day < day) {
        await rm(path.join(this.#folder, name), { force: true }).catch(() => {});
      } else if (written?.day === day && written.isComplete) {
        for (const [serverId, used] of await this.#usageIn(name)) {
          others.set(serverId, sum(others.get(serverId) ?? none, used));
        }
      }
    }
    if (this.#day === day) {
      this.#others = others;
    }
  }

  async #usageIn(name: string): Promise<ReadonlyMap<ServerId, Usage>> {
    try {
      return await readUsage(path.join(this.#folder, name));
    } catch (error) {
      this.#tell(name, `What another window used of language models is not counted: ${messageOf(error)}`);
      return new Map();
    }
  }

  #writeInTurn(): Promise<void> {
    this.#written = this.#written.then(() => this.#write());
    return this.#written;
  }

  async #write(): Promise<void> {
    const [day, added] = [this.#day, this.#added];
    if (this.#kept === added || this.#isDisposed) {
      return;
    }
    try {
      // What disposal has written meanwhile has more in it.
      const isStillWanted = () => !this.#isDisposed;
      await replaceFile(this.#file(), usageText(this.#own), { isStillWanted });
      if (this.#day === day && !this.#isDisposed) {
        this.#kept = added;
      }
    } catch (error) {
      this.#failed(error);
    }
  }

  #writeAtOnce(): void {
    try {
      replaceFileSync(this.#file(), usageText(this.#own));
      this.#kept = this.#added;
    } catch (error) {
      this.#failed(error);
    }
  }

  #file(): string {
    return path.join(this.#folder, fileOf(this.#day, this.#window));
  }

  /** It is tried again with the next addition; until then it counts in this window. */
  #failed(error: unknown): void {
    this.#tell('', `What servers use of language models cannot be written: ${messageOf(error)}`);
  }

  #tell(about: string, sentence: string): void {
    if (!this.#told.has(about)) {
      this.#told.add(about);
      this.#logger?.log('warn', sentence);
    }
  }
}

function sum(a: Usage, b: Usage): Usage {
  return { requests: a.requests + b.requests, tokens: a.tokens + b.tokens };
}
