import type {
  AuthorizationServerMetadata,
  OAuthProtectedResourceMetadata,
} from '@modelcontextprotocol/client';

/** What a server said about itself when it refused a request: parameters of its `WWW-Authenticate` header. */
export interface Challenge {
  readonly resourceMetadataUrl?: string;
  /** Space-separated. */
  readonly scope?: string;
  readonly error?: string;
  readonly errorDescription?: string;
}

/** Who can sign you in to a server, and how. */
export interface Discovery {
  /** The address of the server that was asked, as `URL.href`. */
  readonly serverUrl: string;
  /** RFC 9728; undefined if the server has none (2025-03-26). */
  readonly resource: OAuthProtectedResourceMetadata | undefined;
  /** The `resource` parameter, character by character as the metadata has it; undefined without metadata. */
  readonly resourceIndicator: string | undefined;
  /** The issuer's identifier, compared with its own metadata (RFC 8414, 3.3). */
  readonly issuer: string;
  /** All issuers that the server accepts, in its order; the one above is among them. */
  readonly issuers: readonly string[];
  /** The issuer's metadata; undefined if it has none and the default endpoints apply (2025-03-26). */
  readonly metadata: AuthorizationServerMetadata | undefined;
  /** Whether the issuer says that it supports PKCE with S256. */
  readonly hasPkce: boolean;
  /** The scopes to ask for, in the specification's order: the challenge's, else those of the resource; undefined for none. */
  readonly scope: string | undefined;
}
