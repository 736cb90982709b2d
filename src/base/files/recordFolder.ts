import { existsSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Disposable } from '../lifetime/disposable.ts';
import { errorCodeOf } from '../values/errorCode.ts';
import { removeLeftovers, replaceFile, replaceFileSync, retryWhileHeld, stampOf } from './atomicFile.ts';
import { withLock } from './fileLock.ts';
import { FolderLook } from './folderLook.ts';
import type { Found, RecordFormat, SmallFormat } from './recordFormat.ts';
import { watchFolder } from './watchFolder.ts';

/** The ending of a file that could not be read. */
const ASIDE = '.unreadable';
/** The names of records, also of those that were set aside. */
const NAME = /^(?<name>.+\.jsonl?)(?:\.unreadable)?$/;

interface Known {
  readonly stamp: string;
  readonly format: unknown;
  readonly found: Promise<Found<unknown>>;
}

interface FolderOptions {
  /** What other windows wait for while a record is changed; by default, windows don't wait for each other. */
  readonly lock?: 'record' | 'folder';
  /** Whether what is stored must outlast a loss of power. */
  readonly isDurable?: boolean;
}

/**
 * What windows share: a folder of records, a file each, which only this user can read and which is complete from the
 * moment it has its name. A file that can't be read is set aside under another name; its record counts as `unreadable`
 * until something is stored in its place. What a later version has written stays as it is.
 *
 * Methods throw the errors of the file system, except that a file that isn't there is `absent`.
 */
export class RecordFolder implements Disposable {
  readonly #folder: string;
  readonly #options: FolderOptions;
  readonly #look: FolderLook;
  readonly #known = new Map<string, Known>();
  /** The state of each file that this window has written. */
  readonly #written = new Map<string, string>();
  readonly #turns = new Map<string, Promise<unknown>>();
  #watcher: Disposable | undefined;

  constructor(folder: string, options: FolderOptions = {}) {
    this.#folder = folder;
    this.#options = options;
    this.#look = new FolderLook(folder);
    removeLeftovers(folder);
  }

  /**
   * Creates the folder, and reports each record that another window may have changed, or undefined if the system doesn't
   * say which. Where watching fails, changes are seen at the next look.
   */
  watch(changed: (name: string | undefined) => void): void {
    this.#watcher = watchFolder(this.#folder, (file) => {
      const name = file === null ? undefined : recordOf(file);
      if (file === null || (name !== undefined && !this.#isOwn(name))) {
        changed(name);
      }
    });
  }

  dispose(): void {
    this.#watcher?.dispose();
  }

  async names(): Promise<readonly string[]> {
    const files = await readdir(this.#folder).catch((error: unknown) => ifMissing(error, []));
    return [...recordsAmong(files).keys()];
  }

  /** What is stored now; the same object as before while the file is the same. */
  async get<T>(name: string, format: RecordFormat<T>): Promise<Found<T>> {
    const file = this.#pathOf(name);
    try {
      const stats = await stat(file);
      const stamp = stampOf(stats);
      let known = this.#known.get(name);
      if (known?.stamp !== stamp || known.format !== format) {
        const isTooLarge = stats.size > (format.maxBytes ?? Infinity);
        const text = isTooLarge ? Promise.resolve('') : readFile(file, 'utf8');
        known = { stamp, format, found: text.then((read) => format.read(read, name)) };
        this.#known.set(name, known);
      }
      const found = (await known.found) as Found<T>;
      if (found.kind === 'unreadable') {
        this.#setAside(name, stamp);
      }
      return found;
    } catch (error) {
      this.#known.delete(name);
      return ifMissing(error, { kind: existsSync(file + ASIDE) ? 'unreadable' : 'absent' });
    }
  }

  /** Stores a record in place of what is there. */
  async put<T>(name: string, value: T, format: RecordFormat<T>): Promise<void> {
    let stamp = '';
    await replaceFile(
      this.#pathOf(name),
      async (file) => {
        await file.writeFile(format.text(value, name));
        stamp = stampOf(await file.stat());
        this.#written.set(name, stamp);
      },
      { isDurable: this.#options.isDurable === true },
    );
    this.#known.set(name, { stamp, format, found: Promise.resolve({ kind: 'value', value }) });
  }

  /** Removes a record, also one that was set aside. */
  async delete(name: string): Promise<void> {
    for (const file of [this.#pathOf(name), this.#pathOf(name) + ASIDE]) {
      await retryWhileHeld(() => rm(file, { force: true }));
    }
  }

  /** Changes of a record, one after the other, by this window and, where that is locked, by all. */
  inTurn<T>(name: string, change: () => Promise<T>): Promise<T> {
    const { lock } = this.#options;
    const turn = lock === 'record' ? `${name}.lock` : 'write.lock';
    const done = (this.#turns.get(turn) ?? Promise.resolve()).then(() =>
      lock ? withLock(this.#pathOf(turn), () => this.#removeUnfinished(name).then(change)) : change(),
    );
    this.#turns.set(
      turn,
      done.catch(() => {}),
    );
    return done;
  }

  /** The names, each with that of its file, at once; undefined while they are as they were when they were last listed. */
  namesIfChanged(): ReadonlyMap<string, string> | undefined {
    if (!this.#look.mayHaveChanged()) {
      return undefined;
    }
    try {
      return recordsAmong(readdirSync(this.#folder));
    } catch {
      return new Map();
    }
  }

  /** As `get`, at once. Throws nothing: another program may hold a file, which is `unreadable` meanwhile. */
  getNow<T>(name: string, format: SmallFormat<T>): Found<T> {
    const file = this.#pathOf(name);
    try {
      const found = format.read(readFileSync(file, 'utf8'), name);
      if (found.kind === 'unreadable') {
        this.#setAside(name);
      }
      return found;
    } catch (error) {
      const isAbsent = errorCodeOf(error) === 'ENOENT' && !existsSync(file + ASIDE);
      return { kind: isAbsent ? 'absent' : 'unreadable' };
    }
  }

  /** As `put`, at once, for when the process may be about to end. */
  putNow<T>(name: string, value: T, format: SmallFormat<T>): void {
    replaceFileSync(this.#pathOf(name), format.text(value, name));
  }

  /** At once, because another window may be about to replace the file. Where it fails the file is just as unreadable. */
  #setAside(name: string, stamp?: string): void {
    const file = this.#pathOf(name);
    try {
      if (stamp === undefined || stampOf(statSync(file)) === stamp) {
        renameSync(file, file + ASIDE);
      }
    } catch {
      // It is gone, held by another program, or in a folder that can't be written.
    }
  }

  /** Removes what a process left that was killed while it wrote, or that slept until its lock was taken as stale. */
  async #removeUnfinished(name: string): Promise<void> {
    const start = this.#options.lock === 'record' ? `${name}.` : '';
    const left = (await readdir(this.#folder)).filter(
      (file) => file.startsWith(start) && file.endsWith('.tmp'),
    );
    await Promise.all(left.map((file) => rm(this.#pathOf(file), { force: true })));
  }

  /** Whether a file is as this window has written it. */
  #isOwn(name: string): boolean {
    try {
      return this.#written.has(name) && stampOf(statSync(this.#pathOf(name))) === this.#written.get(name);
    } catch {
      return false;
    }
  }

  #pathOf(name: string): string {
    return path.join(this.#folder, name);
  }
}

function recordsAmong(files: readonly string[]): ReadonlyMap<string, string> {
  const found = files.map((file) => [recordOf(file) ?? '', file] as const);
  return new Map(found.filter(([name]) => name !== ''));
}

function recordOf(file: string): string | undefined {
  return NAME.exec(file)?.groups?.['name'];
}

/** @throws every error but that a file is missing. */
function ifMissing<T>(error: unknown, otherwise: T): T {
  if (errorCodeOf(error) === 'ENOENT') {
    return otherwise;
  }
  throw error;
}
