import { readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { replaceFile, retryWhileHeld, stampOf } from '../../../base/files/atomicFile.ts';
import { FileLock } from '../../../base/files/fileLock.ts';
import { errorCodeOf } from '../../../base/values/errorCode.ts';
import { UnreadableAccounts, type AccountVault } from './accountVault.ts';
import type { Sealing, Stored } from './sealing.ts';

/** The ending of a file that could not be read. */
const ASIDE = '.unreadable';
/** No file of an account is larger. */
const MAX_BYTES = 1024 * 1024;

/** A kind of file. */
export interface FileKind<T, K> {
  /** Begins the name of each. */
  readonly name: string;
  /** What a file is for: it is part of its name. */
  parts(key: K): readonly string[];
  is(value: unknown): value is T;
}

interface Known {
  readonly stamp: string;
  readonly sealing: Sealing;
  readonly stored: Stored<unknown>;
}

/**
 * Encrypted files in a folder that all windows share. Each is complete from the moment it has its name, and is read
 * again whenever it has changed. What is damaged counts as absent, and is renamed; what a newer version has written
 * stays as it is.
 *
 * All methods throw the errors of the file system and of the secret store.
 */
export class SealedFiles {
  readonly #folder: string;
  readonly #vault: AccountVault;
  readonly #known = new Map<string, Known>();
  #changing: Promise<unknown> = Promise.resolve();

  constructor(folder: string, vault: AccountVault) {
    this.#folder = folder;
    this.#vault = vault;
  }

  /** What is stored now, if this window can read it. */
  async get<T, K>(kind: FileKind<T, K>, key: K): Promise<T | undefined> {
    const sealing = await this.#vault.sealing();
    return sealing && this.#get(sealing, kind, nameOf(sealing, kind, key));
  }

  /** As `get`, of one kind. */
  async all<T, K>(kind: FileKind<T, K>): Promise<readonly T[]> {
    const sealing = await this.#vault.sealing();
    const found: T[] = [];
    for (const name of sealing ? await this.#names() : []) {
      const value = sealing?.isNameOf(kind.name, name) ? await this.#get(sealing, kind, name) : undefined;
      if (value !== undefined) {
        found.push(value);
      }
    }
    return found;
  }

  /**
   * Stores something: on the disk when this is resolved, also after a loss of power.
   *
   * @param isStillMeant Asked with what is stored until then, which no window can change meanwhile.
   * @returns whether it was stored.
   * @throws UnreadableAccounts if this window can't store anything, or would replace what a newer version has written.
   */
  put<T, K>(
    kind: FileKind<T, K>,
    key: K,
    value: T,
    isStillMeant: (stored: T | undefined) => boolean = () => true,
  ): Promise<boolean> {
    return this.#inTurn(async () => {
      const before = await this.#vault.sealing();
      const stored = before && (await this.#read(before, kind, nameOf(before, kind, key)));
      if (!isStillMeant(stored?.kind === 'value' ? stored.value : undefined)) {
        return false;
      }
      if (stored?.kind === 'newer') {
        throw new UnreadableAccounts('newer');
      }
      const sealing = before ?? (await this.#vault.sealingToWrite());
      const name = nameOf(sealing, kind, key);
      await replaceFile(this.#pathOf(name), sealing.seal(name, value), { isDurable: true });
      return true;
    });
  }

  async delete<T, K>(kind: FileKind<T, K>, key: K): Promise<void> {
    await this.#inTurn(async () => {
      const sealing = await this.#vault.sealing();
      if (!sealing) {
        return;
      }
      const name = nameOf(sealing, kind, key);
      if ((await this.#read(sealing, kind, name)).kind !== 'newer') {
        await retryWhileHeld(() => rm(this.#pathOf(name), { force: true }));
        await retryWhileHeld(() => rm(this.#pathOf(`${name}${ASIDE}`), { force: true }));
      }
    });
  }

  /** Has a lock of this folder, in all windows, while it works. @throws also what `work` throws. */
  locked<T>(lock: string, work: () => Promise<T>): Promise<T> {
    return FileLock.during(this.#pathOf(`${lock}.lock`), work);
  }

  async #get<T, K>(sealing: Sealing, kind: FileKind<T, K>, name: string): Promise<T | undefined> {
    const stored = await this.#read(sealing, kind, name);
    if (stored.kind === 'unreadable') {
      // Where it can't be renamed it still counts as absent.
      await this.#setAside(sealing, kind, name).catch(() => {});
    }
    return stored.kind === 'value' ? stored.value : undefined;
  }

  /** What a file holds now. */
  async #read<T, K>(sealing: Sealing, kind: FileKind<T, K>, name: string): Promise<Stored<T>> {
    try {
      const stats = await stat(this.#pathOf(name));
      const stamp = stampOf(stats);
      let known = this.#known.get(name);
      if (known?.stamp !== stamp || known.sealing !== sealing) {
        const text = stats.size > MAX_BYTES ? '' : await readFile(this.#pathOf(name), 'utf8');
        known = { stamp, sealing, stored: sealing.unseal(name, text) };
        this.#known.set(name, known);
      }
      if (known.stored.kind !== 'value') {
        return known.stored;
      }
      const { value } = known.stored;
      return kind.is(value) ? { kind: 'value', value } : { kind: 'unreadable' };
    } catch (error) {
      if (errorCodeOf(error) !== 'ENOENT') {
        throw error;
      }
      this.#known.delete(name);
      return { kind: 'absent' };
    }
  }

  #setAside<T, K>(sealing: Sealing, kind: FileKind<T, K>, name: string): Promise<void> {
    return this.#inTurn(async () => {
      // Another window may have replaced it meanwhile, or the key that it was read with.
      const isSame = (await this.#vault.sealing()) === sealing;
      if (isSame && (await this.#read(sealing, kind, name)).kind === 'unreadable') {
        await retryWhileHeld(() => rename(this.#pathOf(name), this.#pathOf(`${name}${ASIDE}`)));
      }
    });
  }

  async #names(): Promise<readonly string[]> {
    try {
      return await readdir(this.#folder);
    } catch (error) {
      if (errorCodeOf(error) !== 'ENOENT') {
        throw error;
      }
      return [];
    }
  }

  /** One change at a time, of this window and all others. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#changing.then(() => this.locked('write', work));
    this.#changing = done.catch(() => {});
    return done;
  }

  #pathOf(name: string): string {
    return path.join(this.#folder, name);
  }
}

function nameOf<T, K>(sealing: Sealing, kind: FileKind<T, K>, key: K): string {
  return sealing.nameOf(kind.name, kind.parts(key));
}
