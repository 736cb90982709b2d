import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as WebStream } from 'node:stream/web';
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
  bodyBytes: 8 * 1_024 * 1_024,
  requestMs: 10_000,
  connections: 256,
};

/** An admitted request; `body` is its JSON, undefined where it has none. Its signal aborts when the client is gone. */
export interface AdmittedRequest {
  readonly path: string;
  readonly request: Request;
  readonly body: unknown;
}

/** One HTTP server on the loopback address, with a random port and a random token that last as long as it. */
export class LoopbackListener {
  readonly authorization = `Bearer ${randomBytes(32).toString('base64url')}`;
  readonly #server: Server;
  readonly #limits: ListenerLimits;
  readonly #serve: (admitted: AdmittedRequest) => Promise<Response | undefined>;
  #port = 0;

  /** `serve` gives undefined for a path that it does not know. */
  constructor(
    serve: (admitted: AdmittedRequest) => Promise<Response | undefined>,
    limits: Partial<ListenerLimits> = {},
  ) {
    this.#serve = serve;
    this.#limits = { ...defaultLimits, ...limits };
    const { requestMs, connections } = this.#limits;
    this.#server = createServer(
      {
        requestTimeout: requestMs,
        headersTimeout: requestMs,
        connectionsCheckingInterval: Math.min(requestMs / 2, 1_000),
        maxHeaderSize: 16 * 1_024,
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
    const gone = new AbortController();
    const request = new Request(new URL(url, this.url), {
      method,
      headers: headersOf(incoming),
      signal: gone.signal,
    });
    response.on('close', () => {
      gone.abort();
      // The signal of a request that nobody holds any more may never abort.
      void request.signal;
    });
    const answer = await this.#serve({ path: new URL(request.url).pathname, request, body });
    if (!answer) {
      turnAway(response, 404);
      return;
    }
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.flushHeaders();
    // Node and the browser have each a type for the same stream.
    const stream: unknown = answer.body;
    if (stream) {
      await pipeline(Readable.fromWeb(stream as WebStream), response);
    } else {
      response.end();
    }
  }
}

function headersOf({ headers }: IncomingMessage): Headers {
  const copy = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    // The token's work is done.
    if (value !== undefined && name !== 'authorization') {
      copy.set(name, Array.isArray(value) ? value.join(', ') : value);
    }
  }
  return copy;
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
