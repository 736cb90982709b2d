import type { ServerId } from '../../config/serverDefinition.ts';
import type { KeptByServer, Successor } from '../../config/keptByServer.ts';
import type { StoredAccount, Tokens } from './account.ts';
import type { ServerClient, ServerRefusal } from './accountFiles.ts';
import type { AccountStore } from './accountStore.ts';

/** What is stored about the accounts of one server, at all its addresses. */
interface StoredOfServer {
  readonly accounts: readonly StoredAccount[];
  readonly clients: readonly ServerClient[];
  readonly refusals: readonly ServerRefusal[];
}

/** The accounts of a server whose definition is renamed or removed. */
export class ServerAccounts implements KeptByServer {
  readonly #store: AccountStore;
  /** The new id of each server that is being renamed. */
  readonly #successors = new Map<ServerId, ServerId>();

  constructor(store: AccountStore) {
    this.#store = store;
  }

  /** A server that had that name before was another one: its accounts don't go on. */
  async copy(from: ServerId, { id }: Successor): Promise<void> {
    await this.#remove(await this.#of(id));
    await this.#add(await this.#of(from), id);
    this.#successors.set(from, id);
  }

  async forget(id: ServerId): Promise<void> {
    await this.take(id);
  }

  /** Removes what is stored for a server, without signing out; gives what stores it again. */
  async take(id: ServerId): Promise<() => Promise<void>> {
    const stored = await this.#of(id);
    const successor = this.#successors.get(id);
    this.#successors.delete(id);
    if (successor !== undefined) {
      await this.#handOn(stored.accounts, successor);
    }
    await this.#remove(stored);
    return () => this.#add(stored, id);
  }

  async #of(id: ServerId): Promise<StoredOfServer> {
    const [accounts, clients, refusals] = await Promise.all([
      this.#store.all(),
      this.#store.allClients(),
      this.#store.allRefusals(),
    ]);
    return {
      accounts: accounts.filter(({ server }) => server === id),
      clients: clients.filter(({ server }) => server === id),
      refusals: refusals.filter(({ server }) => server === id),
    };
  }

  /** Tokens that were refreshed since the account was copied: those that were copied may no longer be valid. */
  async #handOn(accounts: readonly StoredAccount[], successor: ServerId): Promise<void> {
    for (const account of accounts) {
      const copied = await this.#store.get({ server: successor, url: account.url });
      const isSame = copied?.id === account.id;
      if (isSame && account.tokens && copied.tokens && isNewer(account.tokens, copied.tokens)) {
        await this.#store.saveRefreshed({ ...account, server: successor });
      }
    }
  }

  async #remove({ accounts, clients, refusals }: StoredOfServer): Promise<void> {
    for (const account of accounts) {
      await this.#store.remove(account);
    }
    for (const { server, url, oauthClient } of clients) {
      await this.#store.removeClient({ server, url }, oauthClient.issuer);
    }
    for (const refusal of refusals) {
      await this.#store.removeRefusal(refusal);
    }
  }

  /** What was stored meanwhile counts. */
  async #add({ accounts, clients, refusals }: StoredOfServer, server: ServerId): Promise<void> {
    for (const { url, oauthClient } of clients) {
      if (!(await this.#store.oauthClient({ server, url }, oauthClient.issuer))) {
        await this.#store.saveClient({ server, url }, oauthClient);
      }
    }
    const later = await this.#store.allRefusals();
    for (const refusal of refusals) {
      if (!later.some((one) => one.server === server && one.url === refusal.url)) {
        await this.#store.saveRefusal({ ...refusal, server });
      }
    }
    for (const account of accounts) {
      if (!(await this.#store.get({ server, url: account.url }))) {
        await this.#store.save({ ...account, server });
      }
    }
  }
}

function isNewer(one: Tokens, other: Tokens): boolean {
  return one.accessToken !== other.accessToken && (one.expiresAt ?? 0) >= (other.expiresAt ?? 0);
}
