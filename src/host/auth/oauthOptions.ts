/** The field `oauth` of a definition, with its variables replaced. */
export interface OAuthOptions {
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** PEM, PKCS#8. */
  readonly privateKey?: string;
  readonly scopes?: readonly string[];
  /** Chooses among the issuers that the server names. */
  readonly issuer?: string;
  readonly clientMetadataUrl?: string;
  readonly redirectUri?: string;
  readonly grantType?: 'authorization_code' | 'client_credentials';
  readonly assumePkce?: boolean;
  readonly omitResource?: boolean;
}

/** How to sign in to a server, as its definition says. */
export function oauthOf(definition: object): OAuthOptions {
  return (definition as { readonly oauth?: OAuthOptions }).oauth ?? {};
}
