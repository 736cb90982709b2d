import type { DpopSession, FetchLike } from '@modelcontextprotocol/client';
import { CancellationError } from '../../base/lifetime/cancellation.ts';
import { visibleText } from '../../base/text/visibleText.ts';
import { hasHeader, secretsOfHeader, type SentHeader } from '../config/tokenText.ts';
import { HostError } from '../errors/hostError.ts';
import type { AuthorizationRefusal, RequestAuthorization } from '../transport/http/requestAuthorization.ts';
import { isSetToken, type LiveAccount, type SetToken, type UsedAccount } from './accounts/account.ts';
import { parseChallenge } from './network/challenge.ts';
import type { Challenge } from './network/discovery.ts';
import { missingScopes } from './tokens/scopes.ts';
import type { ServerAccount } from './serverAccount.ts';
import { hostOf } from '../addresses/addressKind.ts';

/** Milliseconds before a token expires in which it is refreshed. */
const MARGIN_MS = 60_000;
/** Milliseconds after a sign-in in which its token can hardly have ended. */
const FRESH_MS = 60_000;

/** What a server requires of you. */
export interface SignInDemand {
  readonly challenge: Challenge;
  /** Why, as a clause: the message of the failure. */
  readonly reason: string;
  /** See `HostError.word`. */
  readonly word?: string;
  /** The account that lacks a scope; undefined if none is valid. */
  readonly lacking?: LiveAccount;
  /** The token that you set, which the server doesn't accept. */
  readonly refused?: SetToken;
  /** The server has refused a second token that was just issued: you aren't asked until you start it. */
  readonly isRepeated?: true;
  /** It wants a token, not a sign-in: its challenge is of another kind, such as `ApiKey`. */
  readonly isToken?: true;
}

/** Why a server without a sign-in doesn't run, as a clause. */
export const TOKEN_REQUIRED = 'the server requires a token, such as an API key';

/** Whether the same sign-in would satisfy both. */
export function isSameDemand(one: SignInDemand | undefined, other: SignInDemand): boolean {
  return (
    one?.challenge.scope === other.challenge.scope &&
    one?.lacking?.id === other.lacking?.id &&
    one?.refused?.id === other.refused?.id
  );
}

/** Why you have to sign in, or to set a token. */
export function reasonOf({ reason, word, lacking, refused, isToken }: SignInDemand): HostError {
  const needs = refused || isToken ? 'token' : undefined;
  return new HostError('signInRequired', reason, { word, needs, status: lacking ? 403 : 401 });
}

interface AuthorizationContext {
  readonly account: ServerAccount;
  readonly fetch: FetchLike;
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
  #unproven: SentHeader | undefined;
  /** Tokens that the server has refused right after they were issued, since you were last to be asked in any case. */
  readonly #refusedFresh = new Set<string>();
  /** A token that lives for less than the margin. */
  #brief: string | undefined;
  /** What signed the latest proof. */
  #proof: DpopSession | undefined;

  constructor(context: AuthorizationContext) {
    this.#context = context;
  }

  get fetch(): FetchLike {
    return this.#context.fetch;
  }

  get account(): ServerAccount {
    return this.#context.account;
  }

  async header(signal?: AbortSignal): Promise<SentHeader | undefined> {
    const account = await this.#context.account.current();
    if (!account || this.#isReplaced(account)) {
      return undefined;
    }
    if (isSetToken(account)) {
      return this.#headerOf(account);
    }
    return this.#headerOf(this.#expiresSoon(account) ? await this.#refreshed(account, signal) : account);
  }

  async proof(
    { value }: SentHeader,
    { method, url }: { readonly method: string; readonly url: string },
  ): Promise<string | undefined> {
    const account = await this.#context.account.current();
    this.#proof = account && !isSetToken(account) ? await this.#context.account.proofOf(account) : undefined;
    const [, accessToken = ''] = value.split(' ');
    return this.#proof?.buildProof({ htm: method, htu: url, accessToken });
  }

  nonce(url: string, nonce: string): void {
    this.#proof?.rememberNonce(url, nonce);
  }

  accepted(sent: SentHeader | undefined): void {
    if (isSameHeader(sent, this.#unproven)) {
      this.#unproven = undefined;
    }
  }

  async refused(
    { status, challenge: header, sent }: AuthorizationRefusal,
    signal?: AbortSignal,
  ): Promise<'again' | undefined> {
    if (!sent && hasHeader(this.#context.account.definition.headers, 'Authorization')) {
      return undefined;
    }
    // Without a header, the metadata may still be at its well-known address (2025-11-25, basic/authorization).
    const parsed = header === undefined ? {} : parseChallenge(header);
    const challenge = parsed ?? {};
    // Another window may have refreshed it, or signed out.
    this.#context.account.changed();
    const account = await this.#context.account.current();
    if (account && !this.#isReplaced(account) && !isSameHeader(this.#headerOf(account), sent)) {
      return 'again';
    }
    if (account && isSetToken(account)) {
      throw this.#refusedToken(challenge, account, status);
    }
    if (account?.proofKey !== undefined && challenge.error === 'use_dpop_nonce') {
      return 'again';
    }
    if (!parsed) {
      throw this.#demand({ challenge, reason: TOKEN_REQUIRED, word: 'token required', isToken: true });
    }
    if (status === 403) {
      return this.#lacks(challenge, account);
    }
    if (!account) {
      throw this.#demand({ challenge, reason: this.#context.account.absence });
    }
    const host = hostOf(account.issuer);
    this.#context.account.rejected(account);
    if (sent && isSameHeader(this.#unproven, sent)) {
      throw this.#demand(this.#refusedFreshToken(challenge, host, sent));
    }
    if (!this.#context.account.isRenewable(account)) {
      if (sent && this.#isFresh(account)) {
        throw this.#demand(this.#refusedFreshToken(challenge, host, sent));
      }
      throw this.#demand({
        challenge,
        reason: `your sign-in at ${host} has expired; sign in again`,
        word: 'sign-in expired',
      });
    }
    await this.#renewed(account, challenge, signal);
    return 'again';
  }

  /** Call to have you asked again, whatever the server has refused before. */
  forgetRefusals(): void {
    this.#refusedFresh.clear();
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
      throw lacking('the server requires permissions that you did not grant', challenge);
    }
    throw this.#demand({
      challenge,
      reason: 'the server requires more permissions than your sign-in has; sign in to grant them',
      word: 'more permissions required',
      lacking: account,
    });
  }

  #refusedFreshToken(challenge: Challenge, host: string, { value }: SentHeader): SignInDemand {
    this.#refusedFresh.add(value);
    const isRepeated = this.#refusedFresh.size > 1;
    const reason = isRepeated
      ? `the server refuses each token that ${host} issues; ask who runs the server, and start it to be asked again`
      : `the server refuses the token that ${host} has just issued; sign in again, and if that repeats, ask who runs the server`;
    return { challenge, reason, word: 'token refused', ...(isRepeated && { isRepeated }) };
  }

  #refusedToken(challenge: Challenge, account: SetToken, status: 401 | 403): HostError {
    if (status === 403) {
      return lacking('the token that you set lacks permissions that the server requires', challenge);
    }
    const isReplaced = this.#isReplaced(account);
    return this.#demand({
      challenge,
      reason: isReplaced
        ? `the server refuses the header '${account.header}' of its definition, which is sent in place of the token that you set; change one of the two`
        : 'the server refuses the token that you set; set another one',
      word: 'token refused',
      refused: account,
    });
  }

  /** Whether the definition has a header of the same name: that one is sent. */
  #isReplaced(account: UsedAccount): boolean {
    const name = isSetToken(account) ? account.header : 'Authorization';
    return hasHeader(this.#context.account.definition.headers, name);
  }

  /** Whether you have just signed in: the server may check tokens only from its second request on. */
  #isFresh({ since, tokens: { expiresAt = Infinity } }: LiveAccount): boolean {
    const now = this.#context.now();
    return now - since < FRESH_MS && now < expiresAt;
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
    return reasonOf(demand);
  }

  #headerOf(account: UsedAccount): SentHeader {
    if (isSetToken(account)) {
      secretsOfHeader(account).forEach((value) => this.#context.hide(value));
      return { header: account.header, value: account.value };
    }
    const { type, accessToken, refreshToken } = account.tokens;
    this.#context.hide(accessToken);
    if (refreshToken !== undefined) {
      this.#context.hide(refreshToken);
    }
    return { header: 'Authorization', value: `${type} ${accessToken}` };
  }
}

function lacking(what: string, { scope }: Challenge): HostError {
  const scopes = scope === undefined ? '' : `: ${visibleText(scope)}`;
  return new HostError('refused', `${what}${scopes}`, { status: 403 });
}

function isSameHeader(one: SentHeader | undefined, other: SentHeader | undefined): boolean {
  return one?.header === other?.header && one?.value === other?.value;
}
