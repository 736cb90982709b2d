import type { FetchLike } from '@modelcontextprotocol/client';
import type { Clock } from '../../base/time/clock.ts';
import type { Event } from '../../base/lifetime/event.ts';
import type { Account, AccountOwner } from './accounts/account.ts';
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
  /**
   * @param issuer Chooses among the issuers that the server names.
   *
   * @throws HostError that says what is refused, and what to do.
   */
  discover(
    request: { readonly serverUrl: string; readonly challenge?: Challenge; readonly issuer?: string },
    signal: AbortSignal,
  ): Promise<Discovery>;
  /** The `fetch` for what the metadata of this server names: see SECURITY 10 and 12. */
  fetchFor(serverUrl: string): FetchLike;
}

/** The accounts of this machine, seen by all windows. */
export interface SignInAccounts {
  /** Another window, or this one, has changed an account. */
  readonly onDidChange: Event<void>;
  read(owner: AccountOwner): Promise<Account | undefined>;
  write(account: Account): Promise<void>;
  forget(owner: AccountOwner): Promise<void>;
  /** Runs `work` while no other window uses the tokens of this account. */
  locked<T>(owner: AccountOwner, work: () => Promise<T>): Promise<T>;
}

export interface SignInPorts {
  readonly network: SignInNetwork;
  readonly accounts: SignInAccounts;
  readonly browser: Browser;
  readonly questions: QuestionQueue;
  /** Milliseconds since the epoch, and timers. */
  readonly clock: Clock;
}
