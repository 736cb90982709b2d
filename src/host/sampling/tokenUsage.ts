import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { replaceFile, replaceFileSync } from '../../base/files/atomicFile.ts';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import { Emitter } from '../../base/lifetime/event.ts';
import { Gathered } from '../../base/time/gathered.ts';
import type { Logger } from '../../base/logging/logger.ts';
import { isRecord } from '../../base/values/record.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import { messageOf } from '../errors/hostError.ts';

/** Requests of a server that reached a model, and the tokens that they took (estimated). */
export interface Usage {
  readonly requests: number;
  readonly tokens: number;
}

const NAME = /^(?<day>\d{4}-\d{2}-\d{2})-[0-9a-f-]{36}\.json(?<rest>(?:\..{1,50})?\.tmp)?$/;

/** Milliseconds within which new usage is written. */
const SOON = 200;
/** Milliseconds after which the usage of other windows is read again. */
const FRESH = 2_000;

const none: Usage = { requests: 0, tokens: 0 };

/**
 * What each server used of language models since midnight, in all windows. Each window writes a file of its own for
 * the day, which is complete from the moment it has its name; the files of a day are added up.
 */
export class TokenUsage implements Disposable {
  readonly #folder: string;
  readonly #now: () => number;
  readonly #logger: Logger | undefined;
  readonly #window = randomUUID();
  readonly #writing: Gathered;
  readonly #logged = new Set<string>();
  readonly #onDidAdd = new Emitter<void>();
  /** This window has used more. */
  readonly onDidAdd = this.#onDidAdd.event;
  #day = '';
  #own = new Map<ServerId, Usage>();
  #others: ReadonlyMap<ServerId, Usage> = new Map();
  #readAt = -Infinity;
  #refreshing: Promise<void> | undefined;
  #written: Promise<void> = Promise.resolve();
  /** Additions of the day, and how many of them are in the file. */
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

  /** What a server used: in this window until now, in others as read last. */
  today(serverId: ServerId): Usage {
    this.#startDay();
    if (Math.abs(this.#now() - this.#readAt) >= FRESH) {
      void this.refresh();
    }
    return sum(this.#own.get(serverId) ?? none, this.#others.get(serverId) ?? none);
  }

  /** Adds what a server used, and writes it soon. */
  add(serverId: ServerId, used: Usage): void {
    this.#startDay();
    this.#own.set(serverId, sum(this.#own.get(serverId) ?? none, used));
    this.#added += 1;
    if (this.#isDisposed) {
      this.#writeAtOnce();
    } else {
      this.#writing.soon();
    }
    this.#onDidAdd.fire();
  }

  /** Resolves when everything that other windows have written until now is read. */
  async refresh(): Promise<void> {
    // A read in progress may have read a file before it was written.
    await this.#refreshing;
    this.#refreshing ??= this.#read().finally(() => {
      this.#refreshing = undefined;
    });
    await this.#refreshing;
  }

  /** Resolves when what was added is written, or could not be. */
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
      // The window may be gone before anything asynchronous is done.
      this.#writeAtOnce();
    }
  }

  #startDay(): void {
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
    this.#startDay();
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
      this.#warnOnce(name, `The model usage of another window could not be read: ${messageOf(error)}`);
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

  /** The next addition tries again; until then the usage counts in this window. */
  #failed(error: unknown): void {
    this.#warnOnce('', `Model usage could not be written: ${messageOf(error)}`);
  }

  #warnOnce(about: string, sentence: string): void {
    if (!this.#logged.has(about)) {
      this.#logged.add(about);
      this.#logger?.log('warn', sentence);
    }
  }
}

function sum(a: Usage, b: Usage): Usage {
  return { requests: a.requests + b.requests, tokens: a.tokens + b.tokens };
}

/** The local day of a time, such as `2026-07-28`; days sort as texts. */
export function dayOf(time: number): string {
  const date = new Date(time);
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0'));
  return `${date.getFullYear()}-${month}-${day}`;
}

/** The name of a window's file for a day. */
function fileOf(day: string, window: string): string {
  return `${day}-${window}.json`;
}

/** The day in a file's name; undefined for an unrelated file. */
function dayOfFile(name: string): { readonly day: string; readonly isComplete: boolean } | undefined {
  const groups = NAME.exec(name)?.groups;
  return groups && { day: groups['day'] ?? '', isComplete: groups['rest'] === undefined };
}

function usageText(usage: ReadonlyMap<ServerId, Usage>): string {
  return `${JSON.stringify(Object.fromEntries(usage))}\n`;
}

/** @throws when the file can't be read, or holds something else. */
async function readUsage(file: string): Promise<ReadonlyMap<ServerId, Usage>> {
  const value: unknown = JSON.parse(await readFile(file, 'utf8'));
  if (!isRecord(value)) {
    throw new Error('the file holds no JSON object');
  }
  return new Map(Object.entries(value).map(([serverId, used]) => [serverId, usageOf(used)]));
}

function usageOf(value: unknown): Usage {
  const { requests, tokens } = isRecord(value) ? value : {};
  if (!isAmount(requests) || !isAmount(tokens)) {
    throw new Error('the file holds an invalid amount');
  }
  return { requests, tokens };
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
