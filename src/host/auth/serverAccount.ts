import { isDeepStrictEqual } from 'node:util';
import type { DpopSession } from '@modelcontextprotocol/client';
import { unlessAborted } from '../../base/lifetime/cancellation.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { HttpServerDefinition } from '../config/serverDefinition.ts';
import type { SignInOptions } from '../config/signInFields.ts';
import { HostError } from '../errors/hostError.ts';
import type { QuestionQueue } from '../questions/questionQueue.ts';
import { loadSdk, type Sdk } from '../sdk/loadSdk.ts';
import {
  isSetToken,
  type Account,
  type AccountOwner,
  type LiveAccount,
  type StoredAccount,
  type Tokens,
  type UsedAccount,
} from './accounts/account.ts';
import type { AccountStore } from './accounts/accountStore.ts';
import type { EditorSignIn } from './editorAccounts/editorAccounts.ts';
import { editorIssuerFor, type EditorIssuer } from './editorAccounts/editorIssuers.ts';
import { lentAccount } from './editorAccounts/editorTokens.ts';
import { AddressCheck } from './network/addressCheck.ts';
import { issuerMetadata } from './network/discovery.ts';
import { MetadataFetch } from './network/metadataFetch.ts';
import { oauthFetch } from './network/oauthFetch.ts';
import type { ServerConnections } from './network/serverConnections.ts';
import type { Browser } from './redirect/redirect.ts';
import { proofSession } from './tokens/proofKey.ts';
import { hostOf } from '../addresses/addressKind.ts';
import { isInvalidGrant, isUnknownClient, signInFailure } from './signInFailure.ts';
import {
  refreshTokens,
  requestOwnTokens,
  revokeTokens,
  storedTokens,
  type TokenSource,
} from './tokens/tokenRequests.ts';

/** What sign-in needs. */
export interface SignInPorts {
  readonly accounts: AccountStore;
  readonly browser: Browser;
  readonly connections: ServerConnections;
  readonly questions: QuestionQueue;
  /** The address of the document that describes MCP Host; empty without one. */
  readonly clientDocument: string;
  /** Undefined where the editor has no accounts. */
  readonly editor?: EditorSignIn;
  /** `now` in milliseconds since the epoch. */
  readonly clock: Clock;
}

/** Why you sign in for the first time, as a clause. */
export const SIGN_IN_REQUIRED = 'the server requires you to sign in';

/** Milliseconds for which a token of the editor's is used before the editor is asked for it again. */
const LENT_MS = 60_000;

type AccountPorts = Pick<SignInPorts, 'accounts' | 'clock' | 'connections' | 'editor'>;

/** What signing out did: an account of the editor's stays in the editor, and nobody revokes a token that you set. */
export type SignedOut = 'revoked' | 'forgotten' | 'editorStays';

/** The account of one server as this window uses it; other windows use the same one. */
export class ServerAccount {
  readonly owner: AccountOwner;
  /** With its variables replaced. */
  readonly definition: HttpServerDefinition;
  readonly #ports: AccountPorts;
  /** By key, because the session has the nonces. */
  readonly #proofs = new Map<string, Promise<DpopSession>>();
  #read: Promise<UsedAccount | undefined> | undefined;
  /** Until when what was read is used, in milliseconds since the epoch. */
  #readUntil = 0;
  #absence = SIGN_IN_REQUIRED;
  #rejected: string | undefined;
  #renewing: Promise<Account> | undefined;

  constructor(definition: HttpServerDefinition, ports: AccountPorts) {
    this.owner = { server: definition.id, url: new URL(definition.url).href };
    this.definition = definition;
    this.#ports = ports;
  }

  get options(): SignInOptions {
    return this.definition.oauth ?? {};
  }

  /** Secrets of the definition that are sent to sign in. */
  get secrets(): readonly string[] {
    const { clientSecret, privateKey } = this.options;
    return [clientSecret, privateKey].filter((value) => value !== undefined);
  }

  /** Whether both are used in the same way. */
  isFor(other: ServerAccount): boolean {
    return (
      this.owner.url === other.owner.url &&
      isDeepStrictEqual(this.options, other.options) &&
      isDeepStrictEqual(this.definition.headers, other.definition.headers)
    );
  }

  /** The account as it was read last; undefined without one. */
  current(): Promise<UsedAccount | undefined> {
    if (!this.#read || this.#ports.clock.now() >= this.#readUntil) {
      this.#readUntil = Infinity;
      const read = this.#readNow();
      this.#read = read;
      read.catch(() => this.#forgetRead(read));
    }
    return this.#read;
  }

  /** Why there is no account, as a clause, as far as it was read last. */
  get absence(): string {
    return this.#absence;
  }

  /** A token of the editor's that the server refused last: signing in again must not give the same one. */
  get rejectedToken(): string | undefined {
    return this.#rejected;
  }

  /** Call with the account whose token the server refuses. */
  rejected(account: LiveAccount): void {
    this.#rejected = 'editor' in account ? account.tokens.accessToken : undefined;
  }

  /** The issuer of this server whose account the editor lends; undefined where this host signs you in. */
  editorIssuer(issuer: string): EditorIssuer | undefined {
    const { clientId, clientMetadataUrl, grantType } = this.options;
    const isOwn = clientId !== undefined || clientMetadataUrl !== undefined;
    return isOwn || grantType === 'client_credentials'
      ? undefined
      : editorIssuerFor(this.owner.url, issuer, this.#ports.editor?.issuers ?? []);
  }

  /** Call when the stored account may have changed. */
  changed(): void {
    this.#read = undefined;
  }

  /** Keeps the account of a sign-in, or a token that you set, in place of what was kept before. */
  async keep(account: UsedAccount): Promise<void> {
    await this.#ports.accounts.save(storable(account));
    this.changed();
  }

  /** Forgets the account, without revoking its tokens. */
  async forget(): Promise<void> {
    await this.#ports.accounts.remove(this.owner);
    this.changed();
  }

  /** Forgets how this host is registered at an issuer, which has forgotten it, and what that refused. */
  async forgetClient(issuer: string): Promise<void> {
    await this.#ports.accounts.removeClient(this.owner, issuer);
    await this.#ports.accounts.removeRefusal(this.owner);
  }

  /** Signs proofs for the requests of an account whose tokens are bound to a key. */
  async proofOf({ proofKey }: LiveAccount): Promise<DpopSession | undefined> {
    if (proofKey === undefined) {
      return undefined;
    }
    const known = this.#proofs.get(proofKey);
    const session = known ?? loadSdk().then((sdk) => proofSession(sdk, proofKey));
    this.#proofs.set(proofKey, session);
    return session;
  }

  /** Whether the issuer gives another token without you. */
  isRenewable(account: LiveAccount): boolean {
    const isOwn = !('editor' in account);
    return (
      isOwn && (account.tokens.refreshToken !== undefined || this.options.grantType === 'client_credentials')
    );
  }

  /**
   * Replaces the tokens of an account that are, or will soon be, refused: once for all requests of this window, and once
   * for all windows.
   *
   * @throws HostError `signInRequired` if the issuer refuses for good, and then the tokens are forgotten; `unreachable`
   * or `refused` otherwise.
   */
  renewed(stale: LiveAccount, signal: AbortSignal | undefined): Promise<Account> {
    if (!this.#renewing) {
      const renewing = this.#renew(stale).finally(() => {
        this.#renewing = undefined;
        this.changed();
      });
      renewing.catch(() => {});
      this.#renewing = renewing;
    }
    return signal ? unlessAborted(this.#renewing, signal) : this.#renewing;
  }

  /**
   * Revokes the tokens where the issuer can, and forgets them; an account of the editor's stays there.
   *
   * @throws what kept it from revoking; they are forgotten.
   */
  async revoke(): Promise<SignedOut> {
    const { accounts } = this.#ports;
    const account = await accounts.underLock(this.owner, async (latest) => {
      await accounts.remove(this.owner);
      await accounts.removeRefusal(this.owner);
      return latest;
    });
    this.changed();
    if (!account || isSetToken(account)) {
      return 'forgotten';
    }
    if ('editor' in account) {
      return 'editorStays';
    }
    const sdk = await loadSdk();
    try {
      const isRevoked = await revokeTokens(sdk, await this.#sourceOf(sdk, account), account);
      return isRevoked ? 'revoked' : 'forgotten';
    } catch (error) {
      throw signInFailure(sdk, error, account.issuer);
    }
  }

  async #readNow(): Promise<UsedAccount | undefined> {
    const stored = await this.#ports.accounts.get(this.owner);
    if (!stored || !('editor' in stored)) {
      this.#absence = SIGN_IN_REQUIRED;
      return stored;
    }
    const { provider, providerName } = stored.editor;
    const accounts =
      this.editorIssuer(stored.issuer)?.provider === provider ? this.#ports.editor?.accounts : undefined;
    this.#absence = `you are no longer signed in to ${providerName} in the editor, or have not allowed MCP Host to use that account; sign in again`;
    this.#readUntil = this.#ports.clock.now() + LENT_MS;
    return accounts && lentAccount(accounts, stored);
  }

  #renew(stale: LiveAccount): Promise<Account> {
    const { accounts } = this.#ports;
    return accounts.underLock(this.owner, async (latest) => {
      if (!latest?.tokens) {
        throw signedOut();
      }
      if (latest.tokens.accessToken !== stale.tokens.accessToken) {
        return latest;
      }
      const renewed = { ...latest, tokens: await this.#newTokens(latest) };
      if (!(await accounts.saveRefreshed(renewed))) {
        throw signedOut();
      }
      return renewed;
    });
  }

  async #newTokens(account: Account): Promise<Tokens> {
    const { accounts, clock } = this.#ports;
    const sdk = await loadSdk();
    const { refreshToken, scope } = account.tokens;
    try {
      const source = await this.#sourceOf(sdk, account);
      const given =
        refreshToken === undefined
          ? await requestOwnTokens(sdk, source, account.askedScope)
          : await refreshTokens(sdk, source, refreshToken);
      // RFC 6749, 5.1 and 6: without `scope`, it is unchanged.
      return {
        ...(scope !== undefined && { scope }),
        ...storedTokens(given, clock.now(), account.proofKey !== undefined),
      };
    } catch (error) {
      if (isUnknownClient(sdk, error)) {
        await this.forgetClient(account.issuer);
      } else if (!isInvalidGrant(sdk, error)) {
        throw signInFailure(sdk, error, account.issuer);
      }
      await accounts.remove(this.owner);
      const host = hostOf(account.issuer);
      throw new HostError('signInRequired', `${host} has ended your sign-in; sign in again`, {
        cause: error,
        word: 'sign-in ended',
      });
    }
  }

  async #sourceOf(sdk: Sdk, account: Account): Promise<TokenSource> {
    const { issuer, oauthClient, resource } = account;
    const proof = await this.proofOf(account);
    const check = new AddressCheck(this.owner.url, this.#ports.connections);
    const fetch = oauthFetch(check);
    const metadata = await issuerMetadata(sdk, check.server, issuer, new MetadataFetch(fetch, undefined));
    // A server that names its resource has an issuer with metadata: see `discover`.
    if (!metadata && resource !== undefined) {
      const host = hostOf(issuer);
      const message = `${host} answered without its metadata, such as with a page of HTML, which is a temporary failure; try again later`;
      throw new HostError('unreachable', message);
    }
    return { issuer, metadata, oauthClient, options: this.options, resource, fetch, proof };
  }

  #forgetRead(read: Promise<UsedAccount | undefined>): void {
    if (this.#read === read) {
      this.#read = undefined;
    }
  }
}

/** An account as it is stored: without a token that the editor keeps. */
function storable(account: UsedAccount): StoredAccount {
  if (!('editor' in account)) {
    return account;
  }
  const { tokens: _lent, ...use } = account;
  return use;
}

function signedOut(): HostError {
  return new HostError('signInRequired', 'you signed out; sign in again');
}
