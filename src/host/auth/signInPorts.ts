import type { FetchLike } from '@modelcontextprotocol/client';
import type { Clock } from '../../base/time/clock.ts';
import type { AccountStore } from './accounts/accountStore.ts';
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

export interface SignInPorts {
  readonly network: SignInNetwork;
  readonly accounts: AccountStore;
  readonly browser: Browser;
  readonly questions: QuestionQueue;
  /** Milliseconds since the epoch, and timers. */
  readonly clock: Clock;
}
