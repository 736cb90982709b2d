import { request as overHttp, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as overHttps } from 'node:https';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FetchLike } from '@modelcontextprotocol/client';
import { codingOf, unknownCoding, unpacked } from './unpacked.ts';

/** Connections that a server has closed which one request may come upon. */
const MAX_CLOSED = 20;

/**
 * `fetch` by Node's own client, which follows no redirect: the SDK does that itself. The global `fetch` gives
 * every answer up that is silent for five minutes, with no way to allow more, and hides a proxy's 407. The
 * editor patches this client for its proxies and certificates, as it does the other.
 *
 * What a server compresses although it was asked not to is unpacked as it is read.
 *
 * A server may close a connection just as it is used again. A request of which the system has taken no byte was
 * certainly not seen, and goes out over another connection, whatever it asks for (RFC 9112, 9.3.1). To know that, a
 * connection that was used before is looked at for a turn of the loop before anything is written to it. What was
 * written and not answered may have been seen, although the connection was closed: it is not sent again here.
 *
 * @throws the system's error (`ECONNREFUSED`, …), and AbortError when the signal aborts before the answer;
 * HostError `protocol` for an answer in a coding that is not known.
 */
export const nodeFetch: FetchLike = async (url, init = {}) => {
  const { signal, ...rest } = init;
  const asked = new Request(url, rest);
  const body = asked.body && new Uint8Array(await asked.arrayBuffer());
  const send = new URL(url).protocol === 'https:' ? overHttps : overHttp;
  const begin = (): ClientRequest =>
    send(url, {
      method: asked.method,
      // Some servers compress all the same: see `asResponse`.
      headers: { ...Object.fromEntries(asked.headers), 'accept-encoding': 'identity' },
      ...(signal && { signal }),
    });
  for (let closed = 0; ; closed += 1) {
    const request = begin();
    const sent = await sendOnce(request, body ?? undefined);
    if (sent.kind === 'answered') {
      return asResponse(sent.incoming);
    }
    if (!sent.isUnseen || signal?.aborted || closed >= MAX_CLOSED) {
      throw sent.error;
    }
  }
};

type Sent =
  | { readonly kind: 'answered'; readonly incoming: IncomingMessage }
  /** `isUnseen`: the connection was used before, and nothing of the request was written to it. */
  | { readonly kind: 'failed'; readonly error: Error; readonly isUnseen: boolean };

async function sendOnce(request: ClientRequest, body: Uint8Array | undefined): Promise<Sent> {
  const settled = Promise.withResolvers<Sent>();
  /** Bytes that went over the connection before this request; undefined while nothing of it may have been written. */
  let before: number | undefined;
  let isOver = false;
  request.on('response', (incoming) => settled.resolve({ kind: 'answered', incoming }));
  request.on('error', (error) => {
    isOver = true;
    const isUnseen =
      request.reusedSocket && (before === undefined || request.socket?.bytesWritten === before);
    settled.resolve({ kind: 'failed', error, isUnseen });
  });
  if (request.reusedSocket) {
    // What has come of the connection's end is read between the two.
    await nextTurn();
    await nextTurn();
  }
  if (!isOver) {
    before = request.socket?.bytesWritten;
    request.end(body);
  }
  return settled.promise;
}

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
