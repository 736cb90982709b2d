import type { FetchLike } from '@modelcontextprotocol/client';
import { afterTimeout, type After } from '../../../base/time/clock.ts';
import { HostError } from '../../errors/hostError.ts';
import { signInBounds } from '../../json/bounds.ts';
import { readUpTo } from '../../transport/http/bodies.ts';
import { unreachable } from '../../transport/http/networkFailure.ts';
import { nodeFetchWith } from '../../transport/http/nodeFetch.ts';
import { unpackFailure } from '../../transport/http/unpacked.ts';
import { hostText, type AddressCheck } from './addressCheck.ts';

const redirects = [301, 302, 303, 307, 308];
/** What belongs to one origin only. */
const originHeaders = ['authorization', 'dpop'];

/**
 * The `fetch` of all requests for a sign-in, other than those of the MCP server itself. Follows redirects of a GET, to
 * addresses that are checked like the first. A redirect of any other method fails, because the request has codes, tokens or
 * secrets in it (RFC 9700, 4.12), also if the caller wants to follow it itself. Sends no cookies.
 *
 * @throws the reason of the signal if the caller aborts; otherwise HostError: `protocol` for an address that may not be asked or a
 * response that can't be read, `unreachable`, `timedOut`.
 */
export function oauthFetch(check: AddressCheck, after: After = afterTimeout): FetchLike {
  return async (url, init = {}) => {
    const start = new URL(url);
    const abort = new AbortController();
    const stop = (): void => abort.abort(init.signal?.reason);
    init.signal?.addEventListener('abort', stop);
    let isLate = false;
    const timer = after(signInBounds.ms, () => {
      isLate = true;
      abort.abort();
    });
    try {
      init.signal?.throwIfAborted();
      return await follow(check, start, { ...init, signal: abort.signal });
    } catch (error) {
      init.signal?.throwIfAborted();
      throw isLate ? lateFailure(start, error) : failureOf(error, start);
    } finally {
      timer.dispose();
      init.signal?.removeEventListener('abort', stop);
    }
  };
}

async function follow(check: AddressCheck, start: URL, init: RequestInit): Promise<Response> {
  const method = (init.method ?? 'GET').toUpperCase();
  const headers = sentHeaders(init);
  for (let url = start, followed = 0; ; followed += 1) {
    await check.request(url);
    const response = await nodeFetchWith(check.lookupFor(url))(url, { ...init, method, headers });
    if (!redirects.includes(response.status)) {
      return await wholeResponse(response, url);
    }
    await response.body?.cancel();
    const target = redirectTarget(response, url);
    if (method !== 'GET') {
      throw invalid(
        url,
        'redirects a request that can have secrets in it, which is never sent elsewhere; it has to name its final address',
      );
    }
    if (target === undefined || followed === signInBounds.redirects) {
      throw invalid(
        url,
        target === undefined
          ? 'redirects to no valid address'
          : `redirects more than ${signInBounds.redirects} times; it has to name its final address`,
      );
    }
    if (target.origin !== url.origin) {
      originHeaders.forEach((name) => headers.delete(name));
    }
    url = target;
  }
}

function sentHeaders(init: RequestInit): Headers {
  const headers = new Headers(init.headers);
  headers.delete('cookie');
  if (!headers.has('accept')) {
    headers.set('accept', 'application/json');
  }
  // No later request uses it: see `nodeFetchWith`.
  headers.set('connection', 'close');
  return headers;
}

function redirectTarget(response: Response, url: URL): URL | undefined {
  const location = response.headers.get('location') ?? '';
  return location !== '' && URL.canParse(location, url.href) ? new URL(location, url) : undefined;
}

async function wholeResponse(response: Response, url: URL): Promise<Response> {
  const { bytes, isWhole } = await readUpTo(response, signInBounds.bytes);
  if (!isWhole) {
    throw invalid(url, 'sent more than 1 MiB, the maximum of a response');
  }
  const { status, statusText, headers } = response;
  return new Response(response.body && new Uint8Array(bytes), { status, statusText, headers });
}

function failureOf(error: unknown, url: URL): HostError {
  for (let one = error; one instanceof Error; one = one.cause) {
    if (one instanceof HostError) {
      return one;
    }
  }
  if (unpackFailure(error)) {
    return invalid(url, 'sent a response that cannot be decompressed', error);
  }
  // Anything else is HTTP that Node's parser or `Response` refuses, such as a status of 999.
  return unreachable(error, `'${hostText(url)}'`) ?? invalid(url, 'sent a malformed response', error);
}

function lateFailure(url: URL, cause: unknown): HostError {
  const message = `'${hostText(url)}' did not answer within ${signInBounds.ms / 1_000} seconds; try again later`;
  return new HostError('timedOut', message, { cause });
}

function invalid(url: URL, what: string, cause?: unknown): HostError {
  return new HostError('protocol', `'${hostText(url)}', which is needed for signing in, ${what}`, { cause });
}
