import { createPrivateKey } from 'node:crypto';
import type {
  AddClientAuthentication,
  AuthorizationServerMetadata,
  DpopSession,
  FetchLike,
  OAuthClientInformationMixed,
  OAuthTokens,
} from '@modelcontextprotocol/client';
import type { UnknownRecord } from '../../../base/values/record.ts';
import type { SignInOptions } from '../../config/signInFields.ts';
import { HostError } from '../../errors/hostError.ts';
import { signInBounds } from '../../json/bounds.ts';
import type { Sdk } from '../../sdk/loadSdk.ts';
import type { Account, RegisteredClient, Tokens } from '../accounts/account.ts';
import { reading } from '../network/issuerAnswers.ts';

/** Whom a token is asked of, and as which client. */
export interface TokenSource {
  readonly issuer: string;
  /** Undefined where the default endpoints apply (2025-03-26). */
  readonly metadata: AuthorizationServerMetadata | undefined;
  readonly oauthClient: RegisteredClient;
  readonly options: SignInOptions;
  /** Character by character as the metadata has it; undefined if it is omitted. */
  readonly resource: string | undefined;
  readonly fetch: FetchLike;
  /** Signs what binds the tokens to a key. */
  readonly proof: DpopSession | undefined;
}

/** What a browser's answer is exchanged with. */
interface Answered {
  readonly code: string;
  readonly iss: string | undefined;
  readonly verifier: string;
  readonly redirectUri: string;
}

/**
 * Exchanges an authorization code; `iss` is compared first (RFC 9207, 2.4).
 *
 * @throws what the SDK throws; see `signInFailure`.
 */
export function exchangeCode(sdk: Sdk, source: TokenSource, answered: Answered): Promise<OAuthTokens> {
  const { code, iss, verifier, redirectUri } = answered;
  return sdk.exchangeAuthorization(source.issuer, {
    ...requestOf(sdk, source),
    authorizationCode: code,
    ...(iss !== undefined && { iss }),
    codeVerifier: verifier,
    redirectUri,
  });
}

/** @throws what the SDK throws; see `signInFailure`. */
export function refreshTokens(sdk: Sdk, source: TokenSource, refreshToken: string): Promise<OAuthTokens> {
  return sdk.refreshAuthorization(source.issuer, { ...requestOf(sdk, source), refreshToken });
}

/**
 * Signs in the client itself (OAuth 2.1, 4.2; extension `oauth-client-credentials`).
 *
 * @throws what the SDK throws; see `signInFailure`.
 */
export function requestOwnTokens(
  sdk: Sdk,
  source: TokenSource,
  scope: string | undefined,
): Promise<OAuthTokens> {
  const { clientInformation, addClientAuthentication } = clientAt(sdk, source);
  return sdk.fetchToken(
    {
      redirectUrl: undefined,
      clientMetadata: { redirect_uris: [] },
      clientInformation: () => ({ ...clientInformation, issuer: source.issuer }),
      ...(addClientAuthentication && { addClientAuthentication }),
      ...(source.proof && { dpop: () => source.proof }),
      tokens: () => undefined,
      saveTokens: never,
      redirectToAuthorization: never,
      saveCodeVerifier: never,
      codeVerifier: never,
      prepareTokenRequest: () =>
        new URLSearchParams({ grant_type: 'client_credentials', ...(scope !== undefined && { scope }) }),
    },
    source.issuer,
    optional(source),
  );
}

/**
 * Revokes what the issuer gave (RFC 7009): the refresh token, which ends the access tokens as well, or the access token.
 * False if the issuer can't.
 *
 * @throws what the network throws, and HostError `refused`.
 */
export async function revokeTokens(sdk: Sdk, source: TokenSource, { tokens }: Account): Promise<boolean> {
  // The SDK's type for OpenID providers doesn't have it.
  const endpoint = (source.metadata as UnknownRecord | undefined)?.['revocation_endpoint'];
  if (typeof endpoint !== 'string') {
    return false;
  }
  const [token, hint] =
    tokens.refreshToken === undefined
      ? [tokens.accessToken, 'access_token']
      : [tokens.refreshToken, 'refresh_token'];
  const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded' });
  const body = new URLSearchParams({ token, token_type_hint: hint });
  const { clientInformation, addClientAuthentication } = clientAt(sdk, source);
  if (addClientAuthentication) {
    await addClientAuthentication(headers, body, endpoint, source.metadata);
  } else {
    const { client_id: id, client_secret: secret } = clientInformation;
    const supported = source.metadata?.token_endpoint_auth_methods_supported ?? [];
    if (sdk.selectClientAuthMethod(clientInformation, supported) === 'client_secret_basic') {
      headers.set('authorization', `Basic ${btoa(`${id}:${secret ?? ''}`)}`);
    } else {
      body.set('client_id', id);
      if (secret !== undefined) {
        body.set('client_secret', secret);
      }
    }
  }
  const response = await source.fetch(endpoint, { method: 'POST', headers, body });
  await response.body?.cancel();
  if (!response.ok) {
    throw new HostError('refused', `the issuer refused to revoke the token with status ${response.status}`, {
      status: response.status,
    });
  }
  return true;
}

/** The tokens as they are stored; `now` in milliseconds since the epoch. @throws HostError `signInRequired` */
export function storedTokens(given: OAuthTokens, now: number, isBound: boolean): Tokens {
  const { access_token: accessToken, token_type: type, refresh_token: refreshToken, scope } = given;
  const isDpop = /^dpop$/i.test(type);
  if (isDpop ? !isBound : !/^bearer$/i.test(type)) {
    throw new HostError('signInRequired', 'the issuer gives tokens of a type that MCP Host does not support');
  }
  if (!/^[\x21-\x7e]+$/.test(accessToken)) {
    throw new HostError('signInRequired', 'the issuer gave a token with characters that no header can have');
  }
  if ([accessToken, refreshToken ?? ''].some(({ length }) => length > signInBounds.tokenCharacters)) {
    const most = signInBounds.tokenCharacters.toLocaleString('en-US');
    throw new HostError('signInRequired', `the issuer gave a token with more than ${most} characters`);
  }
  const seconds = given.expires_in ?? Number.NaN;
  return {
    accessToken,
    type: isDpop ? 'DPoP' : 'Bearer',
    ...(refreshToken !== undefined && { refreshToken }),
    ...(Number.isFinite(seconds) && { expiresAt: now + seconds * 1_000 }),
    ...(scope !== undefined && { scope }),
  };
}

function requestOf(sdk: Sdk, source: TokenSource) {
  return { ...clientAt(sdk, source), ...optional(source) };
}

function optional({ metadata, resource, fetch, proof }: TokenSource) {
  return {
    ...(proof && { dpop: proof }),
    ...(metadata && { metadata }),
    // As a text, because a URL would add a slash.
    ...(resource !== undefined && { resource }),
    fetchFn: reading('tokens', fetch),
  };
}

function clientAt(
  sdk: Sdk,
  { oauthClient, options }: TokenSource,
): {
  readonly clientInformation: OAuthClientInformationMixed;
  readonly addClientAuthentication?: AddClientAuthentication;
} {
  const { clientId, tokenEndpointAuthMethod: method } = oauthClient;
  const secret = oauthClient.how === 'preRegistered' ? options.clientSecret : oauthClient.clientSecret;
  const clientInformation = {
    client_id: clientId,
    ...(secret !== undefined && { client_secret: secret }),
    ...(method !== undefined && { token_endpoint_auth_method: method }),
  };
  if (oauthClient.how !== 'preRegistered' || options.privateKey === undefined) {
    return { clientInformation };
  }
  const { privateKey } = options;
  const alg = algorithmOf(privateKey);
  return {
    clientInformation,
    addClientAuthentication: sdk.createPrivateKeyJwtAuth({
      issuer: clientId,
      subject: clientId,
      privateKey,
      alg,
    }),
  };
}

/** The algorithm of RFC 7518, 3.1 for a key. @throws HostError `signInRequired` for a key that has none. */
function algorithmOf(pem: string): string {
  let key;
  try {
    key = createPrivateKey(pem);
  } catch {
    // The error may have parts of the key.
    throw new HostError('signInRequired', 'the private key of its definition is not a key in PEM format');
  }
  const { namedCurve = '' } = key.asymmetricKeyDetails ?? {};
  const curves: Readonly<Record<string, string>> = {
    prime256v1: 'ES256',
    secp384r1: 'ES384',
    secp521r1: 'ES512',
  };
  const algorithm = key.asymmetricKeyType === 'rsa' ? 'RS256' : curves[namedCurve];
  if (algorithm === undefined) {
    throw new HostError(
      'signInRequired',
      'the private key of its definition is neither an RSA nor an EC key',
    );
  }
  return algorithm;
}

function never(): never {
  throw new Error('this grant has no browser');
}
