import type { DpopSession } from '@modelcontextprotocol/client';
import { CancellationError } from '../../base/lifetime/cancellation.ts';
import { visibleText } from '../../base/text/visibleText.ts';
import { HostError } from '../errors/hostError.ts';
import type { AuthorizationRefusal, RequestAuthorization } from '../transport/http/requestAuthorization.ts';
import type { LiveAccount } from './accounts/account.ts';
import { parseChallenge } from './network/challenge.ts';
import type { Challenge } from './network/discovery.ts';
import { missingScopes } from './tokens/scopes.ts';
import type { ServerAccount } from './serverAccount.ts';
import { hostOf } from '../addresses/addressKind.ts';

/** Milliseconds before a token expires in which it is refreshed. */
const MARGIN_MS = 60_000;

/** What a server requires of you. */
export interface SignInDemand {
  readonly challenge: Challenge;
  /** Why, as a clause: the message of the failure. */
  readonly reason: string;
  /** See `HostError.word`. */
  readonly word?: string;
  /** The account that lacks a scope; undefined if none is valid. */
  readonly lacking?: LiveAccount;
}

/** Whether the same sign-in would satisfy both. */
export function isSameDemand(one: SignInDemand | undefined, other: SignInDemand): boolean {
  return one?.challenge.scope === other.challenge.scope && one?.lacking?.id === other.lacking?.id;
}

interface AuthorizationContext {
  readonly account: ServerAccount;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Called with each token before it is used. */
  hide(value: string): void;
  /** Asks you to sign in, or to grant more. */
  demand(demand: SignInDemand): void;
  /** Whether you have refused to grant these scopes. */
  hasRefused(scopes: readonly string[]): boolean;
}

/** The authorization of one server's requests: its account, refreshed when necessary. */
export class ServerAuthorization implements RequestAuthorization {
  readonly #context: AuthorizationContext;
  /** A token that this window got, and that the server has not accepted yet. */
  #unproven: string | undefined;
  /** A token that lives for less than the margin. */
  #brief: string | undefined;
  /** What signed the latest proof. */
  #proof: DpopSession | undefined;

  constructor(context: AuthorizationContext) {
    this.#context = context;
  }

  get account(): ServerAccount {
    return this.#context.account;
  }

  async header(signal?: AbortSignal): Promise<string | undefined> {
    const account = await this.#context.account.current();
    if (!account) {
      return undefined;
    }
    return this.#headerOf(this.#expiresSoon(account) ? await this.#refreshed(account, signal) : account);
  }

  async proof(
    sent: string,
    { method, url }: { readonly method: string; readonly url: string },
  ): Promise<string | undefined> {
    const account = await this.#context.account.current();
    this.#proof = account && (await this.#context.account.proofOf(account));
    const [, accessToken = ''] = sent.split(' ');
    return this.#proof?.buildProof({ htm: method, htu: url, accessToken });
  }

  nonce(url: string, nonce: string): void {
    this.#proof?.rememberNonce(url, nonce);
  }

  accepted(sent: string | undefined): void {
    if (sent === this.#unproven) {
      this.#unproven = undefined;
    }
  }

  async refused(
    { status, challenge: header, sent }: AuthorizationRefusal,
    signal?: AbortSignal,
  ): Promise<'again' | undefined> {
    // Without a header, the metadata may still be at its well-known address (2025-11-25, basic/authorization).
    const challenge = header === undefined ? {} : parseChallenge(header);
    if (!challenge) {
      return undefined;
    }
    // Another window may have refreshed it, or signed out.
    this.#context.account.changed();
    const account = await this.#context.account.current();
    if (account && this.#headerOf(account) !== sent) {
      return 'again';
    }
    if (account?.proofKey !== undefined && challenge.error === 'use_dpop_nonce') {
      return 'again';
    }
    if (status === 403) {
      return this.#lacks(challenge, account);
    }
    if (!account) {
      throw this.#demand({ challenge, reason: this.#context.account.absence });
    }
    const host = hostOf(account.issuer);
    this.#context.account.rejected(account);
    if (this.#unproven === sent) {
      throw this.#demand({
        challenge,
        reason: `the server refuses the token that ${host} has just issued; sign in again, and if that repeats, ask who runs the server`,
        word: 'token refused',
      });
    }
    if (!this.#context.account.isRenewable(account)) {
      throw this.#demand({
        challenge,
        reason: `your sign-in at ${host} has expired; sign in again`,
        word: 'sign-in expired',
      });
    }
    await this.#renewed(account, challenge, signal);
    return 'again';
  }

  /** Call with the account of a sign-in: the server has yet to accept its token. */
  signedIn(account: LiveAccount): void {
    this.#unproven = this.#headerOf(account);
  }

  /** 403 for lack of a scope (2025-11-25, basic/authorization, step-up): at most one step for one set of scopes. */
  #lacks(challenge: Challenge, account: LiveAccount | undefined): never {
    if (!account) {
      throw this.#demand({ challenge, reason: this.#context.account.absence });
    }
    const missing = missingScopes(challenge.scope, account);
    if (missing.length === 0 || this.#context.hasRefused(missing)) {
      const scope = challenge.scope === undefined ? '' : `: ${visibleText(challenge.scope)}`;
      throw new HostError('refused', `the server requires permissions that you did not grant${scope}`, {
        status: 403,
      });
    }
    throw this.#demand({
      challenge,
      reason: 'the server requires more permissions than your sign-in has; sign in to grant them',
      word: 'more permissions required',
      lacking: account,
    });
  }

  #expiresSoon({ tokens: { expiresAt, accessToken } }: LiveAccount): boolean {
    if (expiresAt === undefined) {
      return false;
    }
    const left = expiresAt - this.#context.now();
    return accessToken === this.#brief ? left <= 0 : left < MARGIN_MS;
  }

  /** A fresh account; the one at hand while its token is valid and the issuer can't be reached. */
  async #refreshed(account: LiveAccount, signal: AbortSignal | undefined): Promise<LiveAccount> {
    if (!this.#context.account.isRenewable(account)) {
      return account;
    }
    try {
      return await this.#renewed(account, {}, signal);
    } catch (error) {
      const isOver =
        error instanceof CancellationError || (error instanceof HostError && error.code === 'signInRequired');
      if (isOver || (account.tokens.expiresAt ?? 0) <= this.#context.now()) {
        throw error;
      }
      return account;
    }
  }

  async #renewed(
    account: LiveAccount,
    challenge: Challenge,
    signal: AbortSignal | undefined,
  ): Promise<LiveAccount> {
    let renewed;
    try {
      renewed = await this.#context.account.renewed(account, signal);
    } catch (error) {
      if (error instanceof HostError && error.code === 'signInRequired') {
        throw this.#demand({
          challenge,
          reason: error.message,
          ...(error.word !== undefined && { word: error.word }),
        });
      }
      throw error;
    }
    this.#unproven = this.#headerOf(renewed);
    if (this.#expiresSoon(renewed)) {
      this.#brief = renewed.tokens.accessToken;
    }
    return renewed;
  }

  #demand(demand: SignInDemand): HostError {
    this.#context.demand(demand);
    const { reason, word, lacking } = demand;
    return new HostError('signInRequired', reason, { word, status: lacking ? 403 : 401 });
  }

  #headerOf({ tokens: { type, accessToken, refreshToken } }: LiveAccount): string {
    this.#context.hide(accessToken);
    if (refreshToken !== undefined) {
      this.#context.hide(refreshToken);
    }
    return `${type} ${accessToken}`;
  }
}
