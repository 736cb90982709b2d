import { randomBytes, randomUUID } from 'node:crypto';
import { readFile, rename, stat } from 'node:fs/promises';
import { replaceFile, retryWhileHeld, stampOf } from '../../../base/files/atomicFile.ts';
import type { Disposable } from '../../../base/lifetime/disposable.ts';
import { Emitter, type Event } from '../../../base/lifetime/event.ts';
import { errorCodeOf } from '../../../base/values/errorCode.ts';
import { hasTexts, isRecord } from '../../../base/values/record.ts';
import { hashOfKey, KEY_BYTES, Sealing } from './sealing.ts';

/** The name of the key in the secret store. It never changes. */
const SECRET = 'account key';
/** The version of `key.json` that this code writes. */
const VERSION = 1;
/** Milliseconds by which the editor may have loaded its secrets before this window's stores were created. */
const LOADED_EARLIER_MS = 60_000;

/** Where the key is: the editor's secret storage, which has this shape. */
export interface SecretStore {
  get(key: string): PromiseLike<string | undefined>;
  store(key: string, value: string): PromiseLike<void>;
  /** This window, or where the editor reports it another one, has changed a secret. */
  readonly onDidChange: Event<{ readonly key: string }>;
}

/**
 * Whether this window can read accounts:
 *
 * - `empty`: nothing was ever stored;
 * - `open`: it can;
 * - `reloadNeeded`: another window has made the key since this one loaded its secrets; it can after a reload;
 * - `otherKey`: what is stored needs keys that this window doesn't have, because another computer or browser made
 *   them, or the secrets were deleted. You can sign in again: that adds a key;
 * - `newer`: a later version of this extension has stored something, which stays as it is.
 */
export type AccountAccess = 'empty' | 'open' | 'reloadNeeded' | 'otherKey' | 'newer';

/** Nothing can be stored now; the message says what to do. */
export class UnreadableAccounts extends Error {
  readonly access: 'reloadNeeded' | 'newer';

  constructor(access: UnreadableAccounts['access']) {
    super(
      access === 'newer'
        ? 'Accounts on this machine were stored by a newer version of MCP Host: update the extension.'
        : 'Another window has begun to store accounts: reload this window to use them here.',
    );
    this.name = 'UnreadableAccounts';
    this.access = access;
  }
}

/** `key.json`: the keys that have accounts in its folder. */
interface KeyFile {
  /** Random; bound into each file of this folder. */
  readonly fileSystem: string;
  readonly keys: readonly {
    readonly hash: string;
    /** When it was added, in milliseconds since the epoch. */
    readonly since: number;
  }[];
}

interface Look {
  readonly access: AccountAccess;
  readonly key: Buffer | undefined;
  readonly file: KeyFile | undefined;
}

/**
 * The key of stored accounts: 32 random bytes in the secret store, made once. A secret store is one of the computer or
 * browser that you look at, and the folder is on the machine that servers run on: several keys may have accounts in
 * one folder, and one key in several folders. In code-server a window loads its secrets once, and writes all of them
 * when one changes: a window that may not see the key of another one must not make a second.
 */
export class AccountVault implements Disposable {
  readonly #file: string;
  readonly #secrets: SecretStore;
  readonly #now: () => number;
  readonly #openedAt: number;
  readonly #onDidChange = new Emitter<void>();
  /** The secret store has another key. */
  readonly onDidChange = this.#onDidChange.event;
  readonly #subscription: Disposable;
  #key: Buffer | undefined;
  #read: { readonly stamp: string; readonly file: KeyFile | 'newer' | 'unreadable' } | undefined;
  #sealing: { readonly file: KeyFile; readonly key: Buffer; readonly sealing: Sealing } | undefined;

  /** @param now In milliseconds since the epoch. */
  constructor(file: string, secrets: SecretStore, now: () => number) {
    this.#file = file;
    this.#secrets = secrets;
    this.#now = now;
    this.#openedAt = now();
    this.#subscription = secrets.onDidChange(({ key }) => {
      if (key === SECRET) {
        this.#key = undefined;
        this.#onDidChange.fire();
      }
    });
  }

  async access(): Promise<AccountAccess> {
    return (await this.#look()).access;
  }

  /** What reads the files of this window's key; undefined unless the access is `open`. */
  async sealing(): Promise<Sealing | undefined> {
    const { access, key, file } = await this.#look();
    return access === 'open' && key && file ? this.#sealingOf(key, file) : undefined;
  }

  /**
   * As `sealing`, for a window that is about to store something and has the lock of the folder. Makes the key, or adds
   * it to the folder.
   *
   * @throws UnreadableAccounts; the file system's or the editor's error when the key can't be stored.
   */
  async sealingToWrite(): Promise<Sealing> {
    const { access, key: found, file } = await this.#look();
    if (access === 'newer' || access === 'reloadNeeded') {
      throw new UnreadableAccounts(access);
    }
    if (access === 'open' && found && file) {
      return this.#sealingOf(found, file);
    }
    const key = found ?? (await this.#storedKey()) ?? (await this.#makeKey());
    const added = { hash: hashOfKey(key), since: this.#now() };
    const withKey: KeyFile = {
      fileSystem: file?.fileSystem ?? randomUUID(),
      keys: [...(file?.keys ?? []), added],
    };
    await this.#setAsideUnreadable();
    await replaceFile(this.#file, `${JSON.stringify({ version: VERSION, ...withKey })}\n`, {
      isDurable: true,
    });
    return this.#sealingOf(key, withKey);
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#onDidChange.dispose();
  }

  async #look(): Promise<Look> {
    const read = await this.#readFile();
    if (read === 'newer') {
      return { access: 'newer', key: undefined, file: undefined };
    }
    if (!read || read === 'unreadable') {
      return { access: 'empty', key: undefined, file: undefined };
    }
    const key = await this.#storedKey();
    return { access: this.#accessTo(read, key), key, file: read };
  }

  #accessTo({ keys }: KeyFile, key: Buffer | undefined): AccountAccess {
    if (key) {
      const hash = hashOfKey(key);
      return keys.some((one) => one.hash === hash) ? 'open' : 'otherKey';
    }
    const [from, to] = [this.#openedAt - LOADED_EARLIER_MS, this.#now()];
    return keys.some(({ since }) => since > from && since <= to) ? 'reloadNeeded' : 'otherKey';
  }

  async #storedKey(): Promise<Buffer | undefined> {
    if (!this.#key) {
      const key = Buffer.from((await this.#secrets.get(SECRET)) ?? '', 'base64');
      this.#key = key.length === KEY_BYTES ? key : undefined;
    }
    return this.#key;
  }

  async #makeKey(): Promise<Buffer> {
    const key = randomBytes(KEY_BYTES);
    await this.#secrets.store(SECRET, key.toString('base64'));
    const stored = await this.#storedKey();
    if (!stored?.equals(key)) {
      throw new Error("The editor's secret storage did not keep the key of stored accounts.");
    }
    return key;
  }

  #sealingOf(key: Buffer, file: KeyFile): Sealing {
    if (this.#sealing?.file !== file || this.#sealing.key !== key) {
      this.#sealing = { file, key, sealing: new Sealing(key, file.fileSystem) };
    }
    return this.#sealing.sealing;
  }

  /** Undefined if there is no file. */
  async #readFile(): Promise<KeyFile | 'newer' | 'unreadable' | undefined> {
    try {
      const stamp = stampOf(await stat(this.#file));
      if (this.#read?.stamp !== stamp) {
        this.#read = { stamp, file: readKeyFile(await readFile(this.#file, 'utf8')) };
      }
      return this.#read.file;
    } catch (error) {
      if (errorCodeOf(error) === 'ENOENT') {
        return undefined;
      }
      throw error;
    }
  }

  async #setAsideUnreadable(): Promise<void> {
    if ((await this.#readFile()) === 'unreadable') {
      await retryWhileHeld(() => rename(this.#file, `${this.#file}.unreadable`));
    }
  }
}

function readKeyFile(text: string): KeyFile | 'newer' | 'unreadable' {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    return 'unreadable';
  }
  if (isRecord(file) && Number(file['version']) > VERSION) {
    return 'newer';
  }
  return hasTexts(file, 'fileSystem') && file['version'] === VERSION && isKeys(file['keys'])
    ? { fileSystem: file.fileSystem, keys: file['keys'] }
    : 'unreadable';
}

function isKeys(value: unknown): value is KeyFile['keys'] {
  return Array.isArray(value) && value.every((one) => hasTexts(one, 'hash') && Number.isFinite(one['since']));
}
