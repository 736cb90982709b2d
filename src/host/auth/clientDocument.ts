import type { OAuthClientMetadata } from '@modelcontextprotocol/client';

/**
 * Where the publisher of MCP Host hosts the document that describes it to issuers, which is its client ID there (2026-07-28,
 * basic/authorization, client ID metadata documents); empty until there is one. `npm run generate` writes what to host.
 */
export const CLIENT_DOCUMENT_URL: string = '';

/** The browser may return to any port of this machine (RFC 8252, 7.3). */
const redirects = ['http://127.0.0.1/callback', 'http://localhost/callback'];

/** What issuers learn about MCP Host. */
export function clientMetadata(
  redirectUris: readonly string[],
  applicationType: 'native' | 'web',
  authMethod: string,
): OAuthClientMetadata {
  return {
    client_name: 'MCP Host for VS Code',
    redirect_uris: [...redirectUris],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: authMethod,
    // 2026-07-28, basic/authorization, dynamic client registration.
    application_type: applicationType,
  };
}

/** The document that has to be at an address. */
export function clientDocument(url: string): OAuthClientMetadata & { readonly client_id: string } {
  return { client_id: url, ...clientMetadata(redirects, 'native', 'none') };
}
