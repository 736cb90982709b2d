import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Disposable } from '../../../base/lifetime/disposable.ts';
import { errorCodeOf } from '../../../base/values/errorCode.ts';
import { listenerBounds } from '../../json/bounds.ts';
import { redirectPage, type RedirectPage } from './redirectPage.ts';

/** Connections that wait at a time; another one ends the oldest, so that nobody keeps the browser away. */
const MAX_WAITING = 32;
/** Milliseconds in which a request must be complete. */
const REQUEST_MS = 5_000;

/** What the browser brought back. */
export interface RedirectAnswer {
  readonly parameters: URLSearchParams;
  /** Shows the browser what happened, and closes the listener. */
  readonly respond: (page: RedirectPage) => void;
}

/** Where to listen. */
export interface RedirectPlace {
  /** 0 for a free one. */
  readonly port: number;
  readonly path: string;
  /** The addresses of loopback, of which those count that this machine has; 127.0.0.1 without it. */
  readonly addresses?: readonly string[];
}

/** Whether this machine has no address such as the one to listen at. */
export function isNoAddress(error: unknown): boolean {
  return ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(String(errorCodeOf(error)));
}

/**
 * Listens on loopback for the one answer of one sign-in (RFC 8252, 7.3). Anything but a GET of its path with the right
 * `state` gets 404.
 */
export class RedirectListener implements Disposable {
  readonly uri: string;
  readonly #servers: readonly Server[];
  readonly #path: string;
  readonly #answer = Promise.withResolvers<RedirectAnswer>();
  #expected: { readonly state: string; readonly hosts: readonly string[] } | undefined;

  private constructor(servers: readonly Server[], path: string, port: number) {
    this.#servers = servers;
    this.#path = path;
    this.uri = `http://127.0.0.1:${port}${path}`;
    servers.forEach((server) =>
      server.on('request', (request: IncomingMessage, response: ServerResponse) =>
        this.#handle(request, response),
      ),
    );
  }

  /** @throws what the system says, such as `EADDRINUSE`. */
  static async listen({ port, path, addresses = ['127.0.0.1'] }: RedirectPlace): Promise<RedirectListener> {
    const tried = await Promise.allSettled(addresses.map((address) => listeningServer(port, address)));
    const servers = tried.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const errors = tried.flatMap((one): Error[] =>
      one.status === 'rejected' && one.reason instanceof Error ? [one.reason] : [],
    );
    const [error] = servers.length > 0 ? errors.filter((one) => !isNoAddress(one)) : errors;
    if (error !== undefined) {
      servers.forEach((server) => server.close());
      throw error;
    }
    const address = servers[0]?.address();
    return new RedirectListener(servers, path, typeof address === 'object' && address ? address.port : port);
  }

  /**
   * Waits for the answer with this `state`. A browser reaches the listener at `externalUri`.
   *
   * Never rejects.
   */
  answer(state: string, externalUri: string): Promise<RedirectAnswer> {
    const hosts = [this.uri, externalUri].map((uri) => new URL(uri).host);
    const { port } = new URL(this.uri);
    this.#expected = { state, hosts: [...hosts, `localhost:${port}`] };
    return this.#answer.promise;
  }

  dispose(): void {
    this.#expected = undefined;
    this.#servers.forEach((server) => {
      server.close();
      server.closeAllConnections();
    });
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const parameters = this.#parametersOf(request);
    if (!parameters) {
      response.writeHead(404, { connection: 'close' }).end();
      return;
    }
    // The next request with the same parameters gets 404.
    this.#expected = undefined;
    this.#answer.resolve({
      parameters,
      respond: (page) => {
        const { headers, body } = redirectPage(page);
        response.on('close', () => this.dispose());
        response.writeHead(200, { ...headers, connection: 'close' }).end(body);
        this.#servers.forEach((server) => server.close());
      },
    });
  }

  #parametersOf({ method, url = '', headers }: IncomingMessage): URLSearchParams | undefined {
    const { origin, host = '' } = headers;
    const asked = URL.parse(url, this.uri);
    const isExpected =
      this.#expected !== undefined &&
      method === 'GET' &&
      url.startsWith('/') &&
      asked?.pathname === this.#path &&
      this.#expected.hosts.includes(host.toLowerCase()) &&
      // A page that sends requests names its origin; the browser that follows a redirect doesn't.
      (origin === undefined || origin === 'null') &&
      hasState(asked.searchParams, this.#expected.state);
    return isExpected ? asked.searchParams : undefined;
  }
}

async function listeningServer(port: number, host: string): Promise<Server> {
  const server = createServer({
    maxHeaderSize: listenerBounds.redirectBytes,
    headersTimeout: REQUEST_MS,
    requestTimeout: REQUEST_MS,
    connectionsCheckingInterval: 1_000,
    keepAlive: false,
  });
  const waiting = new Set<Socket>();
  server.on('connection', (socket) => {
    waiting.add(socket);
    socket.on('close', () => waiting.delete(socket));
    const [oldest] = waiting;
    if (oldest && waiting.size > MAX_WAITING) {
      waiting.delete(oldest);
      oldest.destroy();
    }
  });
  // A complete request is answered, however long that takes.
  server.on('request', ({ socket }: IncomingMessage) => waiting.delete(socket));
  // Whatever is wrong with a connection ends only that one.
  server.on('clientError', (_error, socket) => socket.destroy());
  server.listen({ port, host, exclusive: true, ipv6Only: true });
  await once(server, 'listening');
  return server;
}

/** Whether an answer has this `state`, once. */
export function hasState(parameters: URLSearchParams, state: string): boolean {
  const given = parameters.getAll('state');
  return given.length === 1 && given[0] === state;
}
