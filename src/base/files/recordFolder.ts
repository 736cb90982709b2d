import { existsSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Disposable } from '../lifetime/disposable.ts';
import { errorCodeOf } from '../values/errorCode.ts';
import { removeLeftovers, replaceFile, retryWhileHeld, stampOf } from './atomicFile.ts';
import { FolderLook } from './folderLook.ts';
import type { Found, RecordFormat } from './recordFormat.ts';
import { watchFolder } from './watchFolder.ts';

/** The ending of a file that could not be read. */
const ASIDE = '.unreadable';
/** The names of records, also of those that were set aside. */
const NAME = /^(?<name>.+\.json)(?:\.unreadable)?$/;

/**
 * What windows share: a folder of small records, a file each, which only this user can read and which is complete from the
 * moment it has its name. A file that can't be read is set aside under another name; its record counts as `unreadable`
 * until something is stored in its place. What a later version has written stays as it is.
 */
export class RecordFolder implements Disposable {
  readonly #folder: string;
  readonly #look: FolderLook;
  /** The state of each file that this window has written. */
  readonly #written = new Map<string, string>();
  #lastChange: Promise<unknown> = Promise.resolve();
  #watcher: Disposable | undefined;

  constructor(folder: string) {
    this.#folder = folder;
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

  /** Stores a record in place of what is there. @throws the error of the file system. */
  async put<T>(name: string, value: T, format: RecordFormat<T>): Promise<void> {
    await replaceFile(
      this.#pathOf(name),
      async (file) => {
        await file.writeFile(format.text(value));
        this.#written.set(name, stampOf(await file.stat()));
      },
      { isDurable: true },
    );
  }

  /** Removes a record, also one that was set aside. @throws the error of the file system. */
  async delete(name: string): Promise<void> {
    for (const file of [this.#pathOf(name), this.#pathOf(name) + ASIDE]) {
      await retryWhileHeld(() => rm(file, { force: true }));
    }
  }

  /** Changes by this window, one after the other, so that each knows what the one before has written. */
  inTurn<T>(change: () => Promise<T>): Promise<T> {
    const done = this.#lastChange.then(change);
    this.#lastChange = done.catch(() => {});
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

  /** What is stored now, at once. Throws nothing: another program may hold a file, which is `unreadable` meanwhile. */
  get<T>(name: string, format: RecordFormat<T>): Found<T> {
    const file = this.#pathOf(name);
    try {
      const found = format.read(readFileSync(file, 'utf8'), name);
      if (found.kind === 'unreadable') {
        setAside(file);
      }
      return found;
    } catch (error) {
      const isAbsent = errorCodeOf(error) === 'ENOENT' && !existsSync(file + ASIDE);
      return { kind: isAbsent ? 'absent' : 'unreadable' };
    }
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

/** At once, because another window may be about to replace the file. Where it fails the file is just as unreadable. */
function setAside(file: string): void {
  try {
    renameSync(file, file + ASIDE);
  } catch {
    // It is gone, held by another program, or in a folder that can't be written.
  }
}

function recordsAmong(files: readonly string[]): ReadonlyMap<string, string> {
  const found = files.map((file) => [recordOf(file) ?? '', file] as const);
  return new Map(found.filter(([name]) => name !== ''));
}

function recordOf(file: string): string | undefined {
  return NAME.exec(file)?.groups?.['name'];
}
