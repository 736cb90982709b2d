import type { FetchLike } from '@modelcontextprotocol/client';
import { hostOf } from '../addresses/addressKind.ts';
import { HostError } from '../errors/hostError.ts';
import type { Sdk } from '../sdk/loadSdk.ts';
import type { RegisteredClient } from './accounts/account.ts';
import { clientDocument, clientMetadata } from './clientDocument.ts';
import { reading } from './network/issuerAnswers.ts';
import { isLoopbackUri } from './redirect/redirect.ts';
import { scopesIn, scopeText } from './tokens/scopes.ts';
import type { SignInPlan } from './signInPlan.ts';

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
    case 'metadataDocument': {
      const { kind: how, clientId } = oauthClient;
      if (how === 'preRegistered' || !oauthClient.isPublished || isInDocument(clientId, redirectUri)) {
        return { issuer, how, clientId, redirectUri };
      }
      if (plan.discovery.metadata?.registration_endpoint === undefined) {
        throw returnsElsewhere(redirectUri);
      }
      return register(sdk, plan, redirectUri, fetch);
    }
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

/** Whether the document of the publisher names a redirect, at any port. */
function isInDocument(clientId: string, redirectUri: string): boolean {
  const url = new URL(redirectUri);
  url.port = '';
  return clientDocument(clientId).redirect_uris.includes(url.href);
}

/** The browser can't come back to where the document of MCP Host says. */
function returnsElsewhere(redirectUri: string): HostError {
  return new HostError(
    'signInRequired',
    `your browser returns to ${hostOf(redirectUri)}, which the document that describes MCP Host does not name; host a document of your own, and name it as "clientMetadataUrl" in "oauth" in the definition`,
    { needs: 'definition' },
  );
}

async function register(
  sdk: Sdk,
  { discovery: { issuer, metadata }, scope }: SignInPlan,
  redirectUri: string,
  fetch: FetchLike,
): Promise<RegisteredClient> {
  const supported = metadata?.token_endpoint_auth_methods_supported ?? [];
  const applicationType = isLoopbackUri(redirectUri) ? 'native' : 'web';
  const registerFor = (some: string | undefined) =>
    sdk.registerClient(issuer, {
      ...(metadata && { metadata }),
      clientMetadata: clientMetadata([redirectUri], applicationType, authMethod(supported)),
      ...(some !== undefined && { scope: some }),
      fetchFn: reading('client', fetch),
    });
  const listed = scopeText(scopesIn(scope).filter((one) => metadata?.scopes_supported?.includes(one)));
  const registered = await registerFor(scope).catch((error: unknown) => {
    // Some issuers register nobody for what they don't list, although they grant it when asked.
    const isForUnlisted = error instanceof sdk.RegistrationRejectedError && error.status === 400;
    if (isForUnlisted && listed !== scope) {
      return registerFor(listed);
    }
    throw error;
  });
  const { client_id: clientId, client_secret: clientSecret, token_endpoint_auth_method: method } = registered;
  // RFC 7591, 3.2.1: seconds, and 0 for a secret that doesn't expire.
  const secretExpiresAt = (registered.client_secret_expires_at ?? 0) * 1_000;
  const allowed = scopeText(scopesIn(`${scope ?? ''} ${registered.scope ?? ''}`));
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
