import { isDeepStrictEqual } from 'node:util';
import type {
  AuthorizationServerMetadata,
  OAuthProtectedResourceMetadata,
} from '@modelcontextprotocol/client';
import { visibleText } from '../../../base/text/visibleText.ts';
import { cutTo } from '../../../base/text/words.ts';
import { HostError } from '../../errors/hostError.ts';
import { signInBounds } from '../../json/bounds.ts';
import { loadSdk, type Sdk } from '../../sdk/loadSdk.ts';
import { hostText, type AddressCheck } from './addressCheck.ts';
import { unplainReason } from '../../addresses/webAddress.ts';
import { MetadataFetch } from './metadataFetch.ts';
import { oauthFetch } from './oauthFetch.ts';

/** What a server said about itself when it refused a request: parameters of its `WWW-Authenticate` header. */
export interface Challenge {
  /** The server wants only tokens that are bound to a key of the client (RFC 9449, 7.1). */
  readonly isDpop?: true;
  readonly resourceMetadataUrl?: string;
  /** Space-separated. */
  readonly scope?: string;
  readonly error?: string;
  readonly errorDescription?: string;
}

/** Who can sign you in to a server, and how. */
export interface Discovery {
  /** RFC 9728; undefined if the server has none (2025-03-26). */
  readonly resource: OAuthProtectedResourceMetadata | undefined;
  /** The `resource` parameter, character by character as the metadata has it; undefined without metadata. */
  readonly resourceIndicator: string | undefined;
  /** The issuer's identifier, compared with its own metadata (RFC 8414, 3.3). */
  readonly issuer: string;
  /** All issuers that the server accepts, in its order; the one above is among them. */
  readonly issuers: readonly string[];
  /** The issuer's metadata; undefined if it has none and the default endpoints apply (2025-03-26), and if it isn't asked. */
  readonly metadata: AuthorizationServerMetadata | undefined;
  /** Whether the issuer says that it supports PKCE with S256. */
  readonly hasPkce: boolean;
  /** Why an issuer that the server names before this one can't be used, as a clause. */
  readonly skipped?: string;
  /** The scopes to ask for, in the specification's order: the challenge's, else those of the resource; undefined for none. */
  readonly scope: string | undefined;
}

/** What is asked about a server. */
export interface DiscoveryRequest {
  /** What the server said when it refused a request. */
  readonly challenge?: Challenge | undefined;
  /** The issuer that the definition chooses among those of the server. */
  readonly issuer?: string | undefined;
  /** The issuer of the account that lacks a scope: asked before the others. */
  readonly before?: string | undefined;
  /** False if the grant has no refresh tokens (`client_credentials`): `offline_access` isn't asked for. Default: true. */
  readonly usesRefreshTokens?: boolean;
  /** Whether this host will ask that issuer for tokens. Default: true. */
  readonly asksIssuer?: (issuer: string) => boolean;
}

/** The server says that its tokens are for another address. */
export class OtherResource extends HostError {
  /** That address, if it is another name of the same server; undefined otherwise. */
  readonly address: string | undefined;

  constructor(server: URL, resource: string, isPlain: boolean) {
    const isSame = isPlain && isSameServer(server, new URL(resource));
    const shown = visibleText(cutTo(resource, MAX_SHOWN));
    const what = `'${hostText(server)}' says that its tokens are for another server ('${shown}'), so you can't sign in`;
    const help = isSame
      ? 'use that address in its definition, or ask whoever runs it'
      : 'whoever runs it has';
    super('protocol', `${what}; ${help} to correct that`);
    this.address = isSame ? resource : undefined;
  }
}

/** Characters of a claimed address in a message. */
const MAX_SHOWN = 300;
/** RFC 6749, 3.3. */
const scopeToken = /^[\x21\x23-\x5B\x5D-\x7E]+$/;

/**
 * Finds out who can sign you in to a server, and how (2026-07-28, basic/authorization/authorization-server-discovery). The
 * metadata of the resource is at the address in the challenge, else at the well-known path of the server's URL, else at
 * that of its root. Without it, the server's own origin is the issuer, whose metadata may be missing (2025-03-26).
 *
 * @throws HostError: `protocol` for metadata that is malformed, contradicts itself or names addresses that may not be asked;
 * `refused` with the status, `unreachable` or `timedOut` if it can't be had now. The reason of the signal if it aborts.
 */
export function discover(
  check: AddressCheck,
  request: DiscoveryRequest = {},
  signal?: AbortSignal,
): Promise<Discovery> {
  return discoverFor(check, request, (found) => found, signal);
}

/**
 * As `discover`, and what you make of it. Where a server names several issuers, one that fails, or of which you can make
 * nothing, is left out for the next one.
 *
 * @throws also the HostError that you throw for the first issuer, if you throw for all.
 */
export async function discoverFor<T>(
  check: AddressCheck,
  request: DiscoveryRequest,
  use: (found: Discovery) => T | Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const sdk = await loadSdk();
  const fetch = new MetadataFetch(oauthFetch(check), signal);
  const { server } = check;
  const resource = await resourceMetadata(sdk, server, request.challenge?.resourceMetadataUrl, fetch);
  if (resource) {
    checkResource(sdk, server, resource.resource);
  }
  const named = resource?.authorization_servers ?? [];
  const issuers = named.length > 0 ? named : [new URL('/', server).href];
  let skipped: HostError | undefined;
  for (const chosen of chosenIssuers(server, issuers, request)) {
    try {
      const metadata = await usableMetadata(sdk, check, chosen, resource, request, fetch);
      const found = metadata?.issuer ?? chosen;
      const refreshing = request.usesRefreshTokens === false ? undefined : metadata;
      return await use({
        resource,
        resourceIndicator: resource?.resource,
        issuer: found,
        issuers: issuers.map((one) => (one === chosen ? found : one)),
        metadata,
        hasPkce: metadata?.code_challenge_methods_supported?.includes('S256') ?? false,
        scope: scopeOf(sdk, server, request.challenge?.scope, resource, refreshing),
        ...(skipped && { skipped: skipped.message }),
      });
    } catch (error) {
      if (!(error instanceof HostError) || signal?.aborted) {
        throw error;
      }
      skipped ??= error;
    }
  }
  throw skipped ?? malformed(`'${hostText(server)}'`, 'names no issuer');
}

/** The metadata of an issuer, whose endpoints may be used; undefined if it isn't asked, or needs none (2025-03-26). */
async function usableMetadata(
  sdk: Sdk,
  check: AddressCheck,
  issuer: string,
  resource: OAuthProtectedResourceMetadata | undefined,
  { asksIssuer = () => true }: DiscoveryRequest,
  fetch: MetadataFetch,
): Promise<AuthorizationServerMetadata | undefined> {
  if (!asksIssuer(issuer)) {
    return undefined;
  }
  const { server } = check;
  const metadata = await issuerMetadata(sdk, server, issuer, fetch);
  if (resource && !metadata) {
    throw malformed(`the issuer '${hostText(issuer)}' of '${hostText(server)}'`, 'publishes no metadata');
  }
  if (metadata) {
    await checkEndpoints(check, metadata);
  }
  return metadata;
}

async function resourceMetadata(
  sdk: Sdk,
  server: URL,
  url: string | undefined,
  fetch: MetadataFetch,
): Promise<OAuthProtectedResourceMetadata | undefined> {
  const options = url === undefined ? {} : { resourceMetadataUrl: url };
  try {
    return await sdk.discoverOAuthProtectedResourceMetadata(server, options, fetch.fetch);
  } catch (error) {
    // The SDK has one error for what isn't there and for what failed.
    if (url === undefined && fetch.foundNothing) {
      return undefined;
    }
    throw fetch.failure(error, `'${hostText(server)}'`);
  }
}

/**
 * The metadata of an issuer of a server; undefined if it publishes none.
 *
 * @throws HostError as `discover` does.
 */
export async function issuerMetadata(
  sdk: Sdk,
  server: URL,
  issuer: string,
  fetch: MetadataFetch,
): Promise<AuthorizationServerMetadata | undefined> {
  const who = `the issuer '${hostText(issuer)}' of '${hostText(server)}'`;
  try {
    // Compares the issuer with that of the metadata, except for one slash at the end, which libraries of servers add.
    return await sdk.discoverAuthorizationServerMetadata(issuer, { fetchFn: fetch.fetch });
  } catch (error) {
    if (error instanceof sdk.IssuerMismatchError) {
      throw malformed(who, 'has metadata of another issuer', error);
    }
    throw fetch.failure(error, who);
  }
}

/** RFC 9728, 3.3 and 7.6, RFC 8707, 2: the resource is this server, in a form that every parser reads in the same way. */
function checkResource(sdk: Sdk, server: URL, resource: string): void {
  const isOfServer = (): boolean =>
    sdk.checkResourceAllowed({
      requestedResource: sdk.resourceUrlFromServerUrl(server),
      configuredResource: resource,
    });
  const isPlain =
    resource.length <= signInBounds.identifierCharacters &&
    unplainReason(resource) === undefined &&
    !resource.includes('#');
  if (!isPlain || !isOfServer()) {
    throw new OtherResource(server, resource, isPlain);
  }
}

/** Whether an address is the same except for a slash at its end, a name of this machine, or encryption. */
function isSameServer(server: URL, claimed: URL): boolean {
  const [before, after] = [server, claimed].map((url) => ({
    host: ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname) ? 'localhost' : url.hostname,
    rest: `${url.port}${withoutSlash(url.pathname)}${url.search}`,
  }));
  const isSafer = server.protocol === claimed.protocol || claimed.protocol === 'https:';
  return isSafer && isDeepStrictEqual(before, after);
}

/** The one that the definition selects; else all in the server's order, that of your account before the others. */
function chosenIssuers(
  server: URL,
  issuers: readonly string[],
  { issuer: wanted, before }: DiscoveryRequest,
): readonly string[] {
  const who = `'${hostText(server)}'`;
  if (issuers.length > signInBounds.issuers) {
    throw malformed(who, `names more than ${signInBounds.issuers} issuers`);
  }
  for (const issuer of issuers) {
    // RFC 8414, 2: no query and no fragment.
    const reason =
      issuer.length > signInBounds.identifierCharacters
        ? 'is too long'
        : (unplainReason(issuer) ?? (/[?#]/.test(issuer) ? 'has a query or a fragment' : undefined));
    if (reason !== undefined) {
      throw malformed(who, `names an issuer that ${reason}`);
    }
  }
  if (wanted === undefined) {
    return issuers.toSorted((a, b) => Number(isSameIssuer(b, before)) - Number(isSameIssuer(a, before)));
  }
  const chosen = issuers.find((one) => isSameIssuer(one, wanted));
  if (chosen === undefined) {
    throw new HostError(
      'invalidDefinition',
      `the issuer '${hostText(wanted ?? '')}' in the definition isn't one that ${who} names (${issuers.map((one) => `'${hostText(one)}'`).join(', ')}); remove it or select one of these`,
    );
  }
  return [chosen];
}

/** The browser opens the one endpoint, and the other one gets codes and secrets: neither may be anywhere else. */
async function checkEndpoints(check: AddressCheck, metadata: AuthorizationServerMetadata): Promise<void> {
  const { issuer, authorization_endpoint: authorize, token_endpoint: token } = metadata;
  for (const [name, endpoint] of [
    ['authorization_endpoint', authorize],
    ['token_endpoint', token],
  ] as const) {
    const reason = unplainReason(endpoint);
    if (reason !== undefined) {
      throw malformed(`the issuer '${hostText(issuer)}'`, `names a \`${name}\` that ${reason}`);
    }
  }
  await check.browser(new URL(authorize).href);
  await check.request(new URL(token));
}

/**
 * 2026-07-28, basic/authorization: the scopes of the challenge, else all of the resource, else none; `offline_access` only
 * if the issuer lists it, because only issuers know it. The same rule is inside the SDK's `auth`.
 */
function scopeOf(
  sdk: Sdk,
  server: URL,
  challenged: string | undefined,
  resource: OAuthProtectedResourceMetadata | undefined,
  refreshing: AuthorizationServerMetadata | undefined,
): string | undefined {
  const wanted =
    sdk.computeScopeUnion(challenged) ?? sdk.computeScopeUnion(...(resource?.scopes_supported ?? []));
  const isOffline = refreshing?.scopes_supported?.includes('offline_access');
  const scope = wanted && sdk.computeScopeUnion(wanted, isOffline ? 'offline_access' : undefined);
  if (
    scope &&
    (scope.length > signInBounds.scopeCharacters || !scope.split(' ').every((one) => scopeToken.test(one)))
  ) {
    throw malformed(`'${hostText(server)}'`, 'asks for scopes that are malformed or too many');
  }
  return scope;
}

function malformed(who: string, what: string, cause?: unknown): HostError {
  const message = `${who} ${what}, so you can't sign in; whoever runs it has to correct that`;
  return new HostError('protocol', message, { cause });
}

function isSameIssuer(one: string, other: string | undefined): boolean {
  return other !== undefined && withoutSlash(one) === withoutSlash(other);
}

function withoutSlash(issuer: string): string {
  return issuer.endsWith('/') ? issuer.slice(0, -1) : issuer;
}
