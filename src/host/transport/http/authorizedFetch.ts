import type { FetchLike } from '@modelcontextprotocol/client';
import type { RequestAuthorization } from './requestAuthorization.ts';

/**
 * How often one request is sent again after a refusal: with a nonce, with a refreshed token, and with one that replaced it
 * meanwhile.
 */
const MAX_AGAIN = 3;

/**
 * A `fetch` by way of the authorization's. Requests to `origin` carry the authorization; no other origin gets it
 * (2025-06-18, basic/authorization, token handling). A request that the server refuses for lack of a token or of a scope
 * was not handled, and is sent again if there is another token. Each body is a text, which can be sent again. `streams`
 * says whether a GET matters to the connection; `fetch` is the authorization's, maybe watched.
 *
 * @throws as `RequestAuthorization`.
 */
export function authorizedFetch(
  authorization: RequestAuthorization,
  origin: string,
  streams: 'needed' | 'optional',
  fetch: FetchLike = authorization.fetch,
): FetchLike {
  return async (url, init = {}) => {
    if (new URL(url).origin !== origin) {
      return fetch(url, init);
    }
    const signal = init.signal ?? undefined;
    for (let again = 0; ; again += 1) {
      const sent = await authorization.header(signal);
      const proof =
        sent === undefined
          ? undefined
          : await authorization.proof(sent, { method: init.method ?? 'GET', url: String(url) });
      const added = { ...(sent && { [sent.header]: sent.value }), dpop: proof };
      const response = await fetch(url, withHeaders(init, added));
      const nonce = response.headers.get('dpop-nonce');
      if (nonce !== null) {
        authorization.nonce(String(url), nonce);
      }
      const status = refusedWith(response);
      if (status === undefined) {
        authorization.accepted(sent);
        return response;
      }
      // Neither the end of a session nor a stream that a server need not have is a reason to ask for a sign-in.
      const isOptional = streams === 'optional' && init.method === 'GET' && sent === undefined;
      if (init.method === 'DELETE' || isOptional || again === MAX_AGAIN) {
        return response;
      }
      const challenge = response.headers.get('www-authenticate') ?? undefined;
      if (
        (await orDrained(response, authorization.refused({ status, challenge, sent }, signal))) !== 'again'
      ) {
        return response;
      }
      await response.body?.cancel();
    }
  };
}

function withHeaders(init: RequestInit, added: Readonly<Record<string, string | undefined>>): RequestInit {
  const headers = new Headers(init.headers);
  Object.entries(added).forEach(([name, value]) => value !== undefined && headers.set(name, value));
  return { ...init, headers };
}

/** 401, or 403 for lack of a scope (RFC 6750, 3.1); undefined for any other response. */
function refusedWith({ status, headers }: Response): 401 | 403 | undefined {
  if (status === 401) {
    return status;
  }
  const lacksScope = /\berror\s*=\s*"?insufficient_scope\b/i.test(headers.get('www-authenticate') ?? '');
  return status === 403 && lacksScope ? status : undefined;
}

/** Lets go of the response if handling its refusal fails. */
async function orDrained<T>(response: Response, handled: Promise<T>): Promise<T> {
  try {
    return await handled;
  } catch (error) {
    await response.body?.cancel();
    throw error;
  }
}
