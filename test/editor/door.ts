import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

const base = 'http://127.0.0.1';

/** What stands behind the door, and who may come in. */
export interface DoorOptions {
  /** The socket of the server behind the door. */
  readonly socket: string;
  /** The secret that opens it. */
  readonly token: string;
  /** Where a person is sent who came with the token. */
  readonly landing: string;
  /** Called before a page of the server is loaded. */
  readonly onPage?: () => void;
}

/**
 * The only way to a server that listens on a socket: a port of this machine that asks for a token. The address
 * carries it once, as `?tkn=`, and from then on a cookie does. Without it, from another site, or by another
 * host name, every request is refused with 403.
 */
export class Door {
  readonly #server: Server;
  readonly #options: DoorOptions;
  readonly #tunnels = new Set<Duplex>();

  private constructor(options: DoorOptions) {
    this.#options = options;
    this.#server = createServer((incoming, response) => this.#answer(incoming, response));
    this.#server.on('upgrade', (incoming, socket) => this.#upgrade(incoming, socket));
  }

  /** Opens a door on a free port of 127.0.0.1. */
  static async open(options: DoorOptions): Promise<Door> {
    const door = new Door(options);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    door.#server.once('error', reject).listen(0, '127.0.0.1', resolve);
    await promise;
    return door;
  }

  /** The address to open in a browser; it carries the token. */
  get address(): string {
    return `http://127.0.0.1:${this.#port}/?tkn=${this.#options.token}`;
  }

  /** Closes the door and every connection through it. */
  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    this.#server.closeAllConnections();
    for (const tunnel of this.#tunnels) {
      tunnel.destroy();
    }
    await promise;
  }

  get #port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Cookies are shared by all ports of a host, so the name tells this door's. */
  get #cookie(): string {
    return `door-${this.#port}`;
  }

  #answer(incoming: IncomingMessage, response: ServerResponse): void {
    if (this.#bringsToken(incoming)) {
      const cookie = `${this.#cookie}=${this.#options.token}; Path=/; HttpOnly; SameSite=Strict`;
      response.writeHead(303, { location: this.#options.landing, 'set-cookie': cookie }).end();
    } else if (this.#mayPass(incoming)) {
      if (pathOf(incoming) === '/') {
        this.#options.onPage?.();
      }
      this.#pass(incoming, response);
    } else {
      response
        .writeHead(403, { 'content-type': 'text/plain' })
        .end('Open the address that npm start printed.\n');
    }
  }

  #bringsToken(incoming: IncomingMessage): boolean {
    const token = new URL(incoming.url ?? '/', base).searchParams.get('tkn');
    return (
      pathOf(incoming) === '/' && token !== null && isOwnHost(incoming) && isEqual(token, this.#options.token)
    );
  }

  #mayPass(incoming: IncomingMessage): boolean {
    const cookies = (incoming.headers.cookie ?? '').split(/; */);
    const ours = cookies.find((cookie) => cookie.startsWith(`${this.#cookie}=`));
    return (
      ours !== undefined &&
      isOwnHost(incoming) &&
      isOwnSite(incoming) &&
      isEqual(ours.slice(this.#cookie.length + 1), this.#options.token)
    );
  }

  #pass(incoming: IncomingMessage, response: ServerResponse): void {
    const { method, url, headers } = incoming;
    const onwards = request({ socketPath: this.#options.socket, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onwards.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
    response.on('close', () => onwards.destroy());
    incoming.pipe(onwards);
  }

  #upgrade(incoming: IncomingMessage, client: Duplex): void {
    client.on('error', () => client.destroy());
    if (!this.#mayPass(incoming)) {
      client.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
      return;
    }
    const { method, url, headers } = incoming;
    const onwards = request({ socketPath: this.#options.socket, method, path: url, headers });
    onwards.on('upgrade', (answer, server, head) => {
      client.write(`HTTP/1.1 101 Switching Protocols\r\n${headerLines(answer)}\r\n`);
      client.write(head);
      this.#join(client, server);
    });
    onwards.on('response', () => client.destroy());
    onwards.on('error', () => client.destroy());
    onwards.end();
  }

  #join(client: Duplex, server: Duplex): void {
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#tunnels.add(from);
      from.pipe(to);
      from.on('error', () => from.destroy());
      from.on('close', () => {
        this.#tunnels.delete(from);
        to.destroy();
      });
    }
  }
}

function pathOf({ url }: IncomingMessage): string {
  return new URL(url ?? '/', base).pathname;
}

/** Whether the request names this machine itself, so that no other name was made to point here. */
function isOwnHost(incoming: IncomingMessage): boolean {
  return /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(incoming.headers.host ?? '');
}

/** Whether the request comes from one of our own pages, or from nowhere; other ports are other sites. */
function isOwnSite({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  const isOwnOrigin = headers.origin === undefined || headers.origin === `http://${headers.host}`;
  return isOwnOrigin && (site === undefined || site === 'same-origin' || site === 'none');
}

/** Compares in a time that does not tell how much of it is right. */
function isEqual(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

function headerLines({ rawHeaders }: IncomingMessage): string {
  const lines = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}\r\n`);
  }
  return lines.join('');
}
