import type { FetchLike } from '@modelcontextprotocol/client';
import type { Clock } from '../../base/time/clock.ts';
import type { Event } from '../../base/lifetime/event.ts';
import type { Account, AccountOwner, RegisteredClient } from './accounts/account.ts';
import type { Challenge, Discovery } from './network/discovery.ts';
import type { QuestionQueue } from '../questions/questionQueue.ts';

/** The browser in which you sign in. */
export interface Browser {
  /**
   * The address under which a browser reaches a loopback address of this machine: the same on a desktop, another one
   * where the editor forwards ports.
   */
  externalUri(uri: string): Promise<string>;
  /** Opens an address, without a shell; false if the editor could not. */
  open(url: string): Promise<boolean>;
}

/** Finds out who can sign you in to a server, and talks to them: nothing else here uses the network. */
export interface SignInNetwork {
  discover(
    serverUrl: string,
    request: {
      readonly challenge?: Challenge | undefined;
      readonly issuer?: string | undefined;
      readonly usesRefreshTokens?: boolean;
    },
    signal: AbortSignal,
  ): Promise<Discovery>;
  /** The `fetch` for what the metadata of this server names: see SECURITY 10 and 12. */
  fetchFor(serverUrl: string): FetchLike;
}

/** The accounts of this machine, seen by all windows. */
export interface SignInAccounts {
  readonly onDidChange: Event<AccountOwner>;
  access(): Promise<string>;
  get(owner: AccountOwner): Promise<Account | undefined>;
  save(account: Account): Promise<void>;
  saveRefreshed(account: Account): Promise<boolean>;
  remove(owner: AccountOwner): Promise<void>;
  underLock<T>(owner: AccountOwner, work: (account: Account | undefined) => Promise<T>): Promise<T>;
  client(owner: AccountOwner, issuer: string): Promise<RegisteredClient | undefined>;
  saveClient(owner: AccountOwner, client: RegisteredClient): Promise<void>;
  removeClient(owner: AccountOwner, issuer: string): Promise<void>;
}

export interface SignInPorts {
  readonly network: SignInNetwork;
  readonly accounts: SignInAccounts;
  readonly browser: Browser;
  readonly questions: QuestionQueue;
  /** Milliseconds since the epoch, and timers. */
  readonly clock: Clock;
}
