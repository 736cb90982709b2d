/** Why a server refused a request for lack of an account, or of a permission of it. */
export interface AuthorizationRefusal {
  /** 401: no token, or one that isn't valid; 403: one without the scope that is needed. */
  readonly status: 401 | 403;
  /** The response's `WWW-Authenticate` header, as it is. */
  readonly challenge: string | undefined;
  /** The `Authorization` header that the request carried. */
  readonly sent: string | undefined;
}

/** What the requests of one connection carry as their authorization (2025-03-26, basic/authorization). */
export interface RequestAuthorization {
  /**
   * The `Authorization` header of the next request; undefined without an account. A token that is about to expire is
   * refreshed first.
   *
   * @throws HostError `signInRequired` if the issuer refuses to refresh it.
   */
  header(signal?: AbortSignal): Promise<string | undefined>;
  /**
   * The `DPoP` header of a request with this `Authorization` header: a proof for this request alone (RFC 9449, 7.1).
   * Undefined unless the token is bound to a key.
   */
  proof(
    sent: string,
    request: { readonly method: string; readonly url: string },
  ): Promise<string | undefined>;
  /** Call with the `DPoP-Nonce` of a response: later proofs have to contain it (RFC 9449, 9). */
  nonce(url: string, nonce: string): void;
  /** Call when the server has accepted a request that carried this header: it refuses neither token nor scope. */
  accepted(sent: string | undefined): void;
  /**
   * Handles a refusal. The server hasn't handled the request, so that sending it again does no harm.
   *
   * @returns `again` if `header` gives another token now; undefined if signing in wouldn't help.
   * @throws HostError `signInRequired` if you have to sign in, or to grant more, first.
   */
  refused(refusal: AuthorizationRefusal, signal?: AbortSignal): Promise<'again' | undefined>;
}
