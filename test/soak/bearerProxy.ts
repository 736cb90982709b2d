import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import { pipeline } from 'node:stream';
import type { GatewayEndpoint } from '../../src/host/gateway/gateway.ts';
import { closeServer, listen } from '../fixtures/servers/serve.ts';

/**
 * For a client that can send no `Authorization`: passes each request on with the endpoint's, and all else as it
 * came. Of a `Host` or `Origin` on loopback it changes the port alone, so that a foreign one gets there foreign.
 */
export class BearerProxy {
  readonly #server: Server;
  readonly #target: URL;

  constructor({ url, headers }: GatewayEndpoint) {
    this.#target = new URL(url);
    this.#server = createServer((incoming, response) => {
      const { hostname, port } = this.#target;
      const outgoing = httpRequest({
        hostname,
        port,
        method: incoming.method,
        path: incoming.url,
        headers: { ...this.#headersOf(incoming), authorization: headers.Authorization },
      });
      outgoing.on('response', (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        response.flushHeaders();
        pipeline(answer, response, () => {});
      });
      outgoing.on('error', () => response.destroy());
      response.on('close', () => outgoing.destroy());
      incoming.pipe(outgoing);
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}${this.#target.pathname}`;
  }

  async listen(): Promise<void> {
    await listen(this.#server);
  }

  close(): Promise<void> {
    return closeServer(this.#server);
  }

  get #port(): string {
    const address = this.#server.address();
    return typeof address === 'object' && address ? String(address.port) : '0';
  }

  #headersOf({ headers }: IncomingMessage): IncomingMessage['headers'] {
    const { host, origin } = headers;
    return {
      ...headers,
      ...(host !== undefined && { host: this.#toTarget(host) }),
      ...(origin !== undefined && { origin: this.#toTarget(origin) }),
    };
  }

  #toTarget(place: string): string {
    const [, loopback, port] = /^((?:http:\/\/)?(?:127\.0\.0\.1|localhost)):(\d+)$/.exec(place) ?? [];
    return port === this.#port ? `${loopback}:${this.#target.port}` : place;
  }
}
