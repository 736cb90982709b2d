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
