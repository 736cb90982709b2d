import type { ServerId } from '../../config/serverDefinition.ts';
import type { SentHeader } from '../../config/tokenText.ts';

/** Which server an account is for: never its name alone (SECURITY: credentials reach no other server). */
export interface AccountOwner {
  readonly server: ServerId;
  /** The address of the server with its variables replaced, as `URL.href`. */
  readonly url: string;
}

/** How this host is known at an issuer. */
export interface RegisteredClient {
  readonly issuer: string;
  readonly how: 'preRegistered' | 'metadataDocument' | 'registered';
  readonly clientId: string;
  /** Only for a registered client: the secret of a pre-registered one is an input. */
  readonly clientSecret?: string;
  /** Milliseconds since the epoch; undefined if the secret doesn't expire. */
  readonly secretExpiresAt?: number;
  /** The redirect URI that was registered, character by character. */
  readonly redirectUri?: string;
  /** The scopes that it was registered to ask for, and those that the issuer says; undefined for none. */
  readonly scope?: string;
  /** How the client authenticates at the token endpoint, if the registration says so. */
  readonly tokenEndpointAuthMethod?: string;
}

export interface Tokens {
  readonly accessToken: string;
  /** `Bearer`, unless the issuer says otherwise. */
  readonly type: string;
  readonly refreshToken?: string;
  /** Milliseconds since the epoch; undefined if the issuer didn't say. */
  readonly expiresAt?: number;
  /** What was granted, in the issuer's order; undefined if the issuer says neither more nor less than was asked for. */
  readonly scope?: string;
}

interface KeptAccount extends AccountOwner {
  /** Random; another one after each sign-in, the same after a refresh. */
  readonly id: string;
  /** When you signed in, or set the token, in milliseconds since the epoch. */
  readonly since: number;
}

/** What is known about a server's account at an issuer. */
interface AccountFacts extends KeptAccount {
  readonly issuer: string;
  /** What was asked for; space-separated. */
  readonly askedScope?: string;
  /** Who is signed in, as far as the issuer tells: a name or an address for people, and the subject. */
  readonly name?: string;
  readonly subject?: string;
}

/** An account with its tokens, which this host got from the issuer. */
export interface Account extends AccountFacts {
  readonly oauthClient: RegisteredClient;
  /** The `resource` of each token request, character by character as the metadata has it; undefined if it is omitted. */
  readonly resource?: string;
  readonly tokens: Tokens;
  /** The private key that the tokens are bound to (RFC 9449), as JWK for ES256; undefined for bearer tokens. */
  readonly proofKey?: string;
}

/** That a server may use one of the editor's own accounts. The editor keeps the token: it is never stored here. */
export interface EditorUse extends AccountFacts {
  readonly editor: EditorAccount;
  readonly tokens?: never;
  readonly proofKey?: never;
}

/** An account that you have added to the editor. */
export interface EditorAccount {
  /** The id of the editor's authentication provider. */
  readonly provider: string;
  /** What the provider is called. */
  readonly providerName: string;
  /** The id of the account at the provider, and its name for people. */
  readonly id: string;
  readonly label: string;
}

/** A token, such as an API key, that you have set for a server that takes it in place of a sign-in. */
export interface SetToken extends KeptAccount, SentHeader {
  readonly tokens?: never;
}

export type StoredAccount = Account | EditorUse | SetToken;

/** The account of a sign-in, whose token is at hand. */
export type LiveAccount = Account | (Omit<EditorUse, 'tokens'> & { readonly tokens: Tokens });

/** What the requests to a server carry. */
export type UsedAccount = LiveAccount | SetToken;

export function isSetToken(account: StoredAccount | UsedAccount): account is SetToken {
  return 'header' in account;
}
