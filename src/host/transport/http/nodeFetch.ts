import { request as overHttp, type IncomingMessage } from 'node:http';
import { request as overHttps } from 'node:https';
import { Readable } from 'node:stream';
import type { FetchLike } from '@modelcontextprotocol/client';

/**
 * `fetch` by Node's own client, which follows no redirect: the SDK does that itself. The global `fetch` gives
 * every answer up that is silent for five minutes, with no way to allow more, and hides a proxy's 407. The
 * editor patches this client for its proxies and certificates, as it does the other.
 *
 * @throws the system's error (`ECONNREFUSED`, …), and AbortError when the signal aborts before the answer.
 */
export const nodeFetch: FetchLike = async (url, init = {}) => {
  const { signal, ...rest } = init;
  const asked = new Request(url, rest);
  const body = asked.body && new Uint8Array(await asked.arrayBuffer());
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const send = new URL(url).protocol === 'https:' ? overHttps : overHttp;
  const request = send(url, {
    method: asked.method,
    // What is compressed would have to be unpacked here.
    headers: { ...Object.fromEntries(asked.headers), 'accept-encoding': 'identity' },
    ...(signal && { signal }),
  });
  request
    .on('response', resolve)
    .on('error', reject)
    .end(body ?? undefined);
  return asResponse(await promise);
};

function asResponse(incoming: IncomingMessage): Response {
  const { statusCode = 0, statusMessage = '', rawHeaders } = incoming;
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  }
  const isBodiless = [204, 205, 304].includes(statusCode);
  if (isBodiless) {
    incoming.resume();
  }
  // Two declarations of one class: Node's own, and the one of the web.
  const body = Readable.toWeb(incoming) as unknown as ConstructorParameters<typeof Response>[0];
  return new Response(isBodiless ? null : (body ?? null), {
    status: statusCode,
    statusText: statusMessage,
    headers,
  });
}
