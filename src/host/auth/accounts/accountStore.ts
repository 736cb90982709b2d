import path from 'node:path';
import { removeLeftovers } from '../../../base/files/atomicFile.ts';
import { watchFolder } from '../../../base/files/watchFolder.ts';
import { DisposableStore, type Disposable } from '../../../base/lifetime/disposable.ts';
import { Emitter } from '../../../base/lifetime/event.ts';
import { sha256 } from '../../../base/text/sha256.ts';
import { Coalesced } from '../../../base/time/coalesced.ts';
import type { Account, AccountOwner, RegisteredClient, StoredAccount } from './account.ts';
import {
  accountFile,
  clientFile,
  refusalFile,
  type ServerClient,
  type ServerRefusal,
} from './accountFiles.ts';
import { AccountVault, type AccountAccess, type SecretStore } from './accountVault.ts';
import { SealedFiles } from './sealedFiles.ts';

const KEY_FILE = 'key.json';

/**
 * The accounts of servers, and how this host is registered for them: encrypted files, one for each account and for each
 * registration, which are read again whenever another window may have changed them.
 *
 * All methods throw the errors of the file system and of the secret store.
 */
export class AccountStore implements Disposable {
  readonly #vault: AccountVault;
  readonly #files: SealedFiles;
  readonly #store = new DisposableStore();
  readonly #onDidChange = this.#store.add(new Emitter<AccountOwner>());
  /** An account may have been stored, refreshed or removed, in this window or another one. */
  readonly onDidChange = this.#onDidChange.event;
  readonly #onDidChangeAccess = this.#store.add(new Emitter<void>());
  /** `access` may give something else than before. */
  readonly onDidChangeAccess = this.#onDidChangeAccess.event;
  /** By the text of its owner, each account as it was found last. */
  readonly #seen = new Map<string, StoredAccount | undefined>();
  /** What fails is read again when it is used. */
  readonly #readAgain = new Coalesced<'all'>(() => this.#readAll(true).then(undefined, () => {}));
  #hasSeenAll = false;

  /**
   * @param folder Only for accounts; it is created.
   * @param now In milliseconds since the epoch.
   */
  constructor(folder: string, secrets: SecretStore, now: () => number = Date.now) {
    this.#vault = this.#store.add(new AccountVault(path.join(folder, KEY_FILE), secrets, now));
    this.#files = new SealedFiles(folder, this.#vault);
    this.#store.add(this.#vault.onDidChange(() => this.#accessChanged()));
    // Where watching fails, what other windows change is seen when it is used next.
    const watcher = watchFolder(folder, (name) => this.#fileChanged(name));
    if (watcher) {
      this.#store.add(watcher);
    }
    removeLeftovers(folder);
  }

  /** Files in another folder, with the key of the accounts. */
  filesIn(folder: string): SealedFiles {
    return new SealedFiles(folder, this.#vault);
  }

  /** Whether this window can read accounts, and store them. */
  access(): Promise<AccountAccess> {
    return this.#vault.access();
  }

  /** The account of a server at its address, if this window can read it. */
  async get(owner: AccountOwner): Promise<StoredAccount | undefined> {
    const account = await this.#files.get(accountFile, owner);
    this.#saw(owner, account, this.#hasSeenAll);
    return account;
  }

  /** All accounts that this window can read. */
  all(): Promise<readonly StoredAccount[]> {
    return this.#readAll(this.#hasSeenAll);
  }

  /**
   * Stores an account after a sign-in, in place of an older one of the same owner.
   *
   * @throws UnreadableAccounts if this window can't store any.
   */
  async save(account: StoredAccount): Promise<void> {
    await this.#files.put(accountFile, account, account);
    this.#saw(account, account, true);
  }

  /**
   * Stores an account with the tokens of a refresh, unless it was removed meanwhile, or you have signed in again. Gives
   * whether it was stored.
   */
  async saveRefreshed(account: Account): Promise<boolean> {
    const isStored = await this.#files.put(accountFile, account, account, (now) => now?.id === account.id);
    if (isStored) {
      this.#saw(account, account, true);
    }
    return isStored;
  }

  async remove(owner: AccountOwner): Promise<void> {
    await this.get(owner);
    await this.#files.delete(accountFile, owner);
    this.#saw(owner, undefined, true);
  }

  /**
   * Works with the account as it is now, while no other window does so for that server: a refresh token may be valid
   * once only. Reading and storing accounts don't wait for it. `work` may take as long as it needs.
   */
  underLock<T>(owner: AccountOwner, work: (account: StoredAccount | undefined) => Promise<T>): Promise<T> {
    return this.#files.locked(sha256(owner.server), async () => work(await this.get(owner)));
  }

  /** How this host is registered at an issuer for a server. It stays after a sign-out, with the port of its redirect. */
  async oauthClient(owner: AccountOwner, issuer: string): Promise<RegisteredClient | undefined> {
    return (await this.#files.get(clientFile, { ...owner, issuer }))?.oauthClient;
  }

  /** All registrations that this window can read. */
  allClients(): Promise<readonly ServerClient[]> {
    return this.#files.all(clientFile);
  }

  /** @throws UnreadableAccounts if this window can't store any. */
  async saveClient({ server, url }: AccountOwner, oauthClient: RegisteredClient): Promise<void> {
    const { issuer } = oauthClient;
    await this.#files.put(clientFile, { server, url, issuer }, { server, url, oauthClient });
  }

  removeClient(owner: AccountOwner, issuer: string): Promise<void> {
    return this.#files.delete(clientFile, { ...owner, issuer });
  }

  /** The scopes that an issuer refuses for a server. Those of another issuer are forgotten. */
  async refusedScopes(owner: AccountOwner, issuer: string): Promise<readonly string[]> {
    const refusal = await this.#files.get(refusalFile, owner);
    if (refusal && refusal.issuer !== issuer) {
      await this.removeRefusal(owner);
      return [];
    }
    return refusal?.scopes ?? [];
  }

  /** All refusals that this window can read. */
  allRefusals(): Promise<readonly ServerRefusal[]> {
    return this.#files.all(refusalFile);
  }

  /** @throws UnreadableAccounts if this window can't store any. */
  async saveRefusal(refusal: ServerRefusal): Promise<void> {
    await this.#files.put(refusalFile, refusal, refusal);
  }

  removeRefusal(owner: AccountOwner): Promise<void> {
    return this.#files.delete(refusalFile, owner);
  }

  dispose(): void {
    this.#store.dispose();
  }

  #fileChanged(name: string | null): void {
    if (name === null || name === KEY_FILE) {
      this.#accessChanged();
    } else if (name.startsWith(`${accountFile.name}-`) && name.endsWith('.json')) {
      void this.#readAgain.run('all');
    }
  }

  #accessChanged(): void {
    this.#onDidChangeAccess.fire();
    void this.#readAgain.run('all');
  }

  async #readAll(isNews: boolean): Promise<readonly StoredAccount[]> {
    const gone = new Set(this.#seen.keys());
    const accounts = await this.#files.all(accountFile);
    for (const account of accounts) {
      gone.delete(keyOf(account));
      this.#saw(account, account, isNews);
    }
    for (const key of gone) {
      const account = this.#seen.get(key);
      if (account) {
        this.#saw(account, undefined, isNews);
      }
    }
    this.#hasSeenAll = true;
    return accounts;
  }

  /** @param isNews Whether an account that was never looked for must have been stored since. */
  #saw(owner: AccountOwner, account: StoredAccount | undefined, isNews: boolean): void {
    const key = keyOf(owner);
    const before = this.#seen.get(key);
    const isChange = JSON.stringify(before) !== JSON.stringify(account);
    if (isChange && (isNews || this.#seen.has(key))) {
      // In a microtask, because the caller may be a listener that reads again.
      queueMicrotask(() => this.#onDidChange.fire({ server: owner.server, url: owner.url }));
    }
    this.#seen.set(key, account);
  }
}

function keyOf({ server, url }: AccountOwner): string {
  return JSON.stringify([server, url]);
}
