import { request as overHttp, type IncomingMessage } from 'node:http';
import { request as overHttps } from 'node:https';
import { Readable } from 'node:stream';
import type { FetchLike } from '@modelcontextprotocol/client';
import { codingOf, unknownCoding, unpacked } from './unpacked.ts';

/**
 * `fetch` by Node's own client, which follows no redirect: the SDK does that itself. The global `fetch` gives
 * every answer up that is silent for five minutes, with no way to allow more, and hides a proxy's 407. The
 * editor patches this client for its proxies and certificates, as it does the other.
 *
 * What a server compresses although it was asked not to is unpacked as it is read.
 *
 * @throws the system's error (`ECONNREFUSED`, …), and AbortError when the signal aborts before the answer;
 * HostError `protocol` for an answer in a coding that is not known.
 */
export const nodeFetch: FetchLike = async (url, init = {}) => {
  const { signal, ...rest } = init;
  const asked = new Request(url, rest);
  const body = asked.body && new Uint8Array(await asked.arrayBuffer());
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const send = new URL(url).protocol === 'https:' ? overHttps : overHttp;
  const request = send(url, {
    method: asked.method,
    // Some servers compress all the same: see `asResponse`.
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
  const coding = codingOf(incoming.headers['content-encoding']);
  const plain = coding === undefined ? incoming : unpacked(incoming, coding);
  const isBodiless = [204, 205, 304].includes(statusCode) || plain === undefined;
  if (isBodiless) {
    incoming.resume();
  }
  if (coding !== undefined) {
    headers.delete('content-encoding');
    headers.delete('content-length');
  }
  if (coding !== undefined && plain === undefined && statusCode >= 200 && statusCode < 300) {
    incoming.destroy();
    throw unknownCoding(coding);
  }
  // Two declarations of one class: Node's own, and the one of the web.
  const body = Readable.toWeb(plain ?? incoming) as unknown as ConstructorParameters<typeof Response>[0];
  return new Response(isBodiless ? null : (body ?? null), {
    status: statusCode,
    statusText: statusMessage,
    headers,
  });
}
