import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import { redirectPage, type RedirectPage } from './redirectPage.ts';

const MAX_CONNECTIONS = 32;
const MAX_HEADER_BYTES = 8 * 1_024;
/** Milliseconds in which a request must be complete, so that nobody holds all connections. */
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
}

/**
 * Listens on 127.0.0.1 for the one answer of one sign-in (RFC 8252, 7.3). Anything but a GET of its path with the right
 * `state` gets 404.
 */
export class RedirectListener implements Disposable {
  readonly uri: string;
  readonly #server: Server;
  readonly #path: string;
  readonly #answer = Promise.withResolvers<RedirectAnswer>();
  #expected: { readonly state: string; readonly hosts: readonly string[] } | undefined;

  private constructor(server: Server, path: string, port: number) {
    this.#server = server;
    this.#path = path;
    this.uri = `http://127.0.0.1:${port}${path}`;
    server.on('request', (request: IncomingMessage, response: ServerResponse) =>
      this.#handle(request, response),
    );
  }

  /** @throws what the system says, such as `EADDRINUSE`. */
  static async listen({ port, path }: RedirectPlace): Promise<RedirectListener> {
    const server = createServer({
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: REQUEST_MS,
      requestTimeout: REQUEST_MS,
      connectionsCheckingInterval: 1_000,
      keepAlive: false,
    });
    server.maxConnections = MAX_CONNECTIONS;
    // Whatever is wrong with a connection ends only that one.
    server.on('clientError', (_error, socket) => socket.destroy());
    server.listen({ port, host: '127.0.0.1', exclusive: true });
    await once(server, 'listening');
    const address = server.address();
    return new RedirectListener(server, path, typeof address === 'object' && address ? address.port : port);
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
    this.#server.close();
    this.#server.closeAllConnections();
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
        this.#server.close();
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

/** Whether an answer has this `state`, once. */
export function hasState(parameters: URLSearchParams, state: string): boolean {
  const given = parameters.getAll('state');
  return given.length === 1 && given[0] === state;
}
