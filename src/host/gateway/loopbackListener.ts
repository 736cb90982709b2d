import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { listenerBounds } from '../json/bounds.ts';
import { refusalOf } from './admitRequest.ts';
import { BodyTooLarge, readBody } from './readBody.ts';

/** What one program on this machine may ask of the gateway at most. */
export interface ListenerLimits {
  /** Bytes of a request's body. */
  readonly bodyBytes: number;
  /** Milliseconds in which a request has to be here, head and body. Answers may take as long as they like. */
  readonly requestMs: number;
  readonly connections: number;
}

const defaultLimits: ListenerLimits = {
  bodyBytes: listenerBounds.bodyBytes,
  requestMs: 10_000,
  // The editor's client opens one for each call in flight, and with 200 of them up to a hundred more.
  connections: 1_024,
};

/** An admitted request. */
export interface AdmittedRequest {
  readonly path: string;
  readonly method: string;
  /** Without the token, whose work is done. */
  readonly headers: IncomingHttpHeaders;
  /** Its JSON; undefined where it has none. */
  readonly body: unknown;
  /** Closes when it has ended, or the client is gone. */
  readonly response: ServerResponse;
}

/** One HTTP server on the loopback address, with a random port and a random token that last as long as it. */
export class LoopbackListener {
  readonly authorization = `Bearer ${randomBytes(32).toString('base64url')}`;
  readonly #server: Server;
  readonly #limits: ListenerLimits;
  readonly #serve: (admitted: AdmittedRequest) => Promise<boolean>;
  #port = 0;

  /** `serve` answers the request; false for a path that it doesn't know. */
  constructor(serve: (admitted: AdmittedRequest) => Promise<boolean>, limits: Partial<ListenerLimits> = {}) {
    this.#serve = serve;
    this.#limits = { ...defaultLimits, ...limits };
    const { requestMs, connections } = this.#limits;
    this.#server = createServer(
      {
        requestTimeout: requestMs,
        headersTimeout: requestMs,
        connectionsCheckingInterval: Math.min(requestMs / 2, 1_000),
        maxHeaderSize: listenerBounds.headerBytes,
      },
      // Whatever fails here is a connection that has ended.
      (request, response) => void this.#answer(request, response).catch(() => response.destroy()),
    );
    this.#server.maxConnections = connections;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** @throws what the system says when no port can be had. */
  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    this.#port = typeof address === 'object' && address ? address.port : 0;
  }

  /** Ends at once, with every open answer. */
  async close(): Promise<void> {
    if (this.#server.listening) {
      const closed = once(this.#server, 'close');
      this.#server.close();
      this.#server.closeAllConnections();
      await closed;
    }
  }

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = refusalOf(incoming, this.#port, this.authorization);
    if (refusal) {
      turnAway(response, refusal);
      return;
    }
    const { method = 'GET', url = '/' } = incoming;
    let body: unknown;
    try {
      body = method === 'POST' ? await readBody(incoming, this.#limits.bodyBytes) : undefined;
    } catch (error) {
      if (error instanceof BodyTooLarge) {
        turnAway(response, 413);
      } else if (error instanceof SyntaxError) {
        turnAway(response, 400);
      } else {
        response.destroy();
      }
      return;
    }
    const { authorization: _, ...headers } = incoming.headers;
    const [path = '/'] = url.split('?');
    if (!(await this.#serve({ path, method, headers, body, response }))) {
      turnAway(response, 404);
    }
  }
}

/** What is left of the request is not read. */
function turnAway(response: ServerResponse, status: 400 | 403 | 404 | 413): void {
  const { req } = response;
  response.writeHead(status, { connection: 'close' }).end(() => {
    if (!req.complete) {
      req.socket.destroySoon();
    }
  });
}
