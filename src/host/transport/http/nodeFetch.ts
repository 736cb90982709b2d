import { request as overHttp, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as overHttps } from 'node:https';
import type { LookupFunction, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FetchLike } from '@modelcontextprotocol/client';
import { codingOf, unknownCoding, unpacked } from './unpacked.ts';

/** How many closed connections one request may meet. */
const MAX_CLOSED = 20;

/** Why a request leaves a connection that it was given. */
const unchecked = new Error('the connection was opened without a check of its address');

/**
 * `fetch` with Node's HTTP client, without redirects: see `fetchWithinOrigin`. The global `fetch` aborts each
 * response that is silent for five minutes, which no option changes, and hides a proxy's 407. The editor patches this
 * client for its proxies and certificates, as it does `fetch`.
 *
 * A response that a server compresses although it was asked not to is decompressed while it is read.
 *
 * A server may close a connection just when it is used again. If no byte of a request was written, the server can't have
 * seen it, and it is sent over another connection, whatever it asks for (RFC 9112, 9.3.1). To detect this, nothing is
 * written to a reused connection until one iteration of the event loop has passed. A request that was written and not
 * answered may have been seen, and is not sent again here.
 *
 * @throws the system's error (`ECONNREFUSED`, …); AbortError when the signal aborts before the response; HostError
 * `protocol` for an unknown content coding.
 */
export const nodeFetch: FetchLike = (url, init) => fetchByNode(url, init);

/** As `nodeFetch`, over a Unix socket or a named pipe, without a proxy. */
export function nodeFetchOver(socketPath: string): FetchLike {
  return (url, init) => fetchByNode(url, init, undefined, socketPath);
}

/** Which connections the requests of a caller use. */
export interface Connecting {
  /** Resolves names. An address in the URL itself isn't looked up, nor a name that a proxy resolves. */
  readonly lookup: LookupFunction;
  /** Whether a request may use a connection that is already open; otherwise that is closed. */
  mayUse(open: Socket): boolean;
  /** Called with the connection over which a response begins. */
  answered?(socket: Socket): void;
}

/** As `nodeFetch`, over the connections of the caller. */
export function nodeFetchBy(connecting: Connecting): FetchLike {
  return (url, init) => fetchByNode(url, init, connecting);
}

/**
 * As `nodeFetch`, but each name is resolved by `lookup`, which fails for an address that must not be asked. A connection
 * that is already open isn't used: nothing has checked where it leads.
 */
export function nodeFetchWith(lookup: LookupFunction): FetchLike {
  return nodeFetchBy({ lookup, mayUse: () => false });
}

async function fetchByNode(
  url: string | URL,
  init: RequestInit = {},
  connecting?: Connecting,
  socketPath?: string,
): Promise<Response> {
  const { signal, ...rest } = init;
  const { body: given, ...others } = rest;
  // A text needs no stream, unless `Request` has to say what type it is.
  const isText = typeof given === 'string' && new Headers(rest.headers).has('content-type');
  const asked = new Request(url, isText ? others : rest);
  const body = isText ? Buffer.from(given) : asked.body && new Uint8Array(await asked.arrayBuffer());
  const send = new URL(url).protocol === 'https:' ? overHttps : overHttp;
  const begin = (): ClientRequest =>
    send(url, {
      method: asked.method,
      // Some servers compress nevertheless: see `asResponse`.
      headers: { ...Object.fromEntries(asked.headers), 'accept-encoding': 'identity' },
      ...(signal && { signal }),
      ...(connecting && { lookup: connecting.lookup }),
      ...(socketPath !== undefined && { socketPath }),
    });
  for (let closed = 0; ;) {
    const request = begin();
    if (connecting) {
      request.once('socket', (socket) => {
        if (request.reusedSocket && !connecting.mayUse(socket)) {
          request.destroy(unchecked);
        }
      });
      request.once('response', ({ socket }) => connecting.answered?.(socket));
    }
    const sent = await sendOnce(request, body ?? undefined);
    if (sent.kind === 'answered') {
      return asResponse(sent.incoming);
    }
    if (sent.error !== unchecked) {
      if (!sent.isUnseen || signal?.aborted || closed >= MAX_CLOSED) {
        throw sent.error;
      }
      closed += 1;
    }
  }
}

type Sent =
  | { readonly kind: 'answered'; readonly incoming: IncomingMessage }
  /** `isUnseen`: nothing of the request was written to a reused connection. */
  | { readonly kind: 'failed'; readonly error: Error; readonly isUnseen: boolean };

async function sendOnce(request: ClientRequest, body: Uint8Array | undefined): Promise<Sent> {
  const settled = Promise.withResolvers<Sent>();
  /** Bytes written to the connection before this request; undefined before it is written. */
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
    // If the server has closed the connection, the event loop reads that in between.
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
  // Two declarations of one class: Node's, and the one of the DOM.
  const body = Readable.toWeb(plain ?? incoming) as unknown as ConstructorParameters<typeof Response>[0];
  return new Response(isBodiless ? null : (body ?? null), {
    status: statusCode,
    statusText: statusMessage,
    headers,
  });
}
