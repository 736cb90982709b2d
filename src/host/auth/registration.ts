import type { FetchLike, OAuthClientMetadata } from '@modelcontextprotocol/client';
import type { Sdk } from '../sdk/loadSdk.ts';
import type { RegisteredClient } from './accounts/account.ts';
import { reading } from './network/issuerAnswers.ts';
import { isLoopbackUri } from './redirect/redirect.ts';
import { listedScopes, scopesIn, scopeText } from './tokens/scopes.ts';
import type { SignInPlan } from './signInPlan.ts';

/** What this host calls itself at issuers. */
const CLIENT_NAME = 'MCP Host for VS Code';

/**
 * How this host is known at the issuer of a plan with this redirect; registers it if necessary (RFC 7591). The redirect
 * is registered character by character, and again when it has changed.
 *
 * @throws what the SDK throws; see `signInFailure`.
 */
export async function clientFor(
  sdk: Sdk,
  plan: SignInPlan,
  redirectUri: string,
  fetch: FetchLike,
): Promise<RegisteredClient> {
  const { oauthClient } = plan;
  const { issuer } = plan.discovery;
  switch (oauthClient.kind) {
    case 'preRegistered':
    case 'metadataDocument':
      return { issuer, how: oauthClient.kind, clientId: oauthClient.clientId, redirectUri };
    case 'known':
      return oauthClient.oauthClient.redirectUri === redirectUri
        ? oauthClient.oauthClient
        : register(sdk, plan, redirectUri, fetch);
    case 'editor':
      throw new Error('the editor is known there itself');
    case 'register':
      return register(sdk, plan, redirectUri, fetch);
  }
}

async function register(
  sdk: Sdk,
  { discovery: { issuer, metadata }, scope }: SignInPlan,
  redirectUri: string,
  fetch: FetchLike,
): Promise<RegisteredClient> {
  const supported = metadata?.token_endpoint_auth_methods_supported ?? [];
  const registrable = scopeText(listedScopes(scope, metadata?.scopes_supported));
  const clientMetadata: OAuthClientMetadata = {
    client_name: CLIENT_NAME,
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: authMethod(supported),
    // 2026-07-28, basic/authorization, dynamic client registration.
    application_type: isLoopbackUri(redirectUri) ? 'native' : 'web',
  };
  const registered = await sdk.registerClient(issuer, {
    ...(metadata && { metadata }),
    clientMetadata,
    ...(registrable !== undefined && { scope: registrable }),
    fetchFn: reading('client', fetch),
  });
  const { client_id: clientId, client_secret: clientSecret, token_endpoint_auth_method: method } = registered;
  // RFC 7591, 3.2.1: seconds, and 0 for a secret that doesn't expire.
  const secretExpiresAt = (registered.client_secret_expires_at ?? 0) * 1_000;
  const allowed = scopeText(scopesIn(`${registrable ?? ''} ${registered.scope ?? ''}`));
  return {
    issuer,
    how: 'registered',
    clientId,
    redirectUri,
    ...(clientSecret !== undefined && { clientSecret }),
    ...(clientSecret !== undefined && secretExpiresAt > 0 && { secretExpiresAt }),
    ...(allowed !== undefined && { scope: allowed }),
    ...(method !== undefined && { tokenEndpointAuthMethod: method }),
  };
}

/** A program on your machine keeps no secret from you, so none is asked for if the issuer allows that. */
function authMethod(supported: readonly string[]): string {
  const known = ['none', 'client_secret_basic', 'client_secret_post'];
  return supported.length === 0 ? 'none' : (known.find((method) => supported.includes(method)) ?? 'none');
}
