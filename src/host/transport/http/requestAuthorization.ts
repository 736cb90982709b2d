import type { FetchLike } from '@modelcontextprotocol/client';
import type { SentHeader } from '../../config/tokenText.ts';

/** Why a server refused a request for lack of an account, or of a permission of it. */
export interface AuthorizationRefusal {
  /** 401: no token, or one that isn't valid; 403: one without the scope that is needed. */
  readonly status: 401 | 403;
  /** The response's `WWW-Authenticate` header, as it is. */
  readonly challenge: string | undefined;
  /** The header that the request carried to be authorized; undefined for none. */
  readonly sent: SentHeader | undefined;
}

/** What the requests of one connection carry as their authorization (2025-03-26, basic/authorization). */
export interface RequestAuthorization {
  /** Sends the requests: where the server answers decides which addresses its sign-in may use. */
  readonly fetch: FetchLike;
  /**
   * The header with the token of the next request; undefined without one, and where the definition has a header of that
   * name, which is never replaced. A token that is about to expire is refreshed first.
   *
   * @throws HostError `signInRequired` if the issuer refuses to refresh it.
   */
  header(signal?: AbortSignal): Promise<SentHeader | undefined>;
  /**
   * The `DPoP` header of a request with this header: a proof for this request alone (RFC 9449, 7.1).
   * Undefined unless the token is bound to a key.
   */
  proof(
    sent: SentHeader,
    request: { readonly method: string; readonly url: string },
  ): Promise<string | undefined>;
  /** Call with the `DPoP-Nonce` of a response: later proofs have to contain it (RFC 9449, 9). */
  nonce(url: string, nonce: string): void;
  /** Call when the server has accepted a request that carried this header: it refuses neither token nor scope. */
  accepted(sent: SentHeader | undefined): void;
  /**
   * Handles a refusal. The server hasn't handled the request, so that sending it again does no harm.
   *
   * @returns `again` if `header` gives another token now; undefined if neither signing in nor a token would help.
   * @throws HostError `signInRequired` if you have to sign in, to set a token, or to grant more, first.
   */
  refused(refusal: AuthorizationRefusal, signal?: AbortSignal): Promise<'again' | undefined>;
}
