import type { FetchLike } from '@modelcontextprotocol/client';

const MAX_REDIRECTS = 5;

/** A response, and where it came from. */
export interface PlacedResponse {
  readonly response: Response;
  readonly url: URL;
}

/**
 * Follows redirects that keep the method and stay within the origin, to which the headers of the definition belong; from
 * http to https of one host, too. Any other redirect is the response.
 */
export async function fetchWithinOrigin(
  fetch: FetchLike,
  url: URL,
  init: RequestInit,
): Promise<PlacedResponse> {
  let place = url;
  for (let followed = 0; ; followed += 1) {
    const response = await fetch(place, init);
    const target = targetOf(response, place);
    if (!target || followed === MAX_REDIRECTS || !mayFollow(response.status, init.method, place, target)) {
      return { response, url: place };
    }
    await response.body?.cancel();
    place = target;
  }
}

/** The address to name instead, without its query, if a response redirects; https if that is what the server left. */
export function redirectedTo({ response, url }: PlacedResponse): string | undefined {
  const target = targetOf(response, url);
  if (!target) {
    return undefined;
  }
  Object.assign(target, { username: '', password: '', search: '', hash: '' });
  if (url.protocol === 'https:' && target.protocol === 'http:') {
    target.protocol = 'https:';
  }
  return target.href;
}

function targetOf({ status, headers }: Response, url: URL): URL | undefined {
  const location = [301, 302, 303, 307, 308].includes(status) ? headers.get('location') : null;
  return location !== null && URL.canParse(location, url.href) ? new URL(location, url) : undefined;
}

function mayFollow(status: number, method: string | undefined, from: URL, to: URL): boolean {
  const keepsMethod = method === 'GET' || status === 307 || status === 308;
  const keepsUser =
    (to.username === '' && to.password === '') ||
    (to.username === from.username && to.password === from.password);
  return keepsMethod && keepsUser && isWithinOrigin(from, to);
}

function isWithinOrigin(from: URL, to: URL): boolean {
  const becomesSafe =
    from.protocol === 'http:' &&
    to.protocol === 'https:' &&
    from.hostname === to.hostname &&
    from.port === '' &&
    to.port === '';
  return (from.protocol === to.protocol && from.host === to.host) || becomesSafe;
}
