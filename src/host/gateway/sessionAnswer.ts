import type { ServerResponse } from 'node:http';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';

/** Milliseconds after which a client that waits gets a sign of life, again and again: some give up after minutes. */
const KEEP_ALIVE_MS = 15_000;

/**
 * The answer to one HTTP request in a session (basic/transports, sending messages to the server): JSON if it is one message,
 * which is all that most calls need, and otherwise a stream of events.
 */
export class SessionAnswer {
  readonly #response: ServerResponse;
  readonly #sessionId: string;
  readonly #keepAlive: NodeJS.Timeout;

  constructor(response: ServerResponse, sessionId: string) {
    this.#response = response;
    this.#sessionId = sessionId;
    this.#keepAlive = setInterval(() => this.#write(': keepalive\n\n'), KEEP_ALIVE_MS).unref();
    response.once('close', () => clearInterval(this.#keepAlive));
  }

  /** Begins the stream, unless that is done. */
  open(): void {
    const response = this.#response;
    if (!response.headersSent) {
      response.writeHead(200, {
        'content-type': 'text/event-stream',
        'cache-control': 'no-cache, no-transform',
        'mcp-session-id': this.#sessionId,
      });
      response.flushHeaders();
    }
  }

  /** Sends a message that others follow. */
  send(message: JSONRPCMessage): void {
    this.#write(eventOf(message));
  }

  /** Sends the last message, or none. */
  end(message?: JSONRPCMessage): void {
    clearInterval(this.#keepAlive);
    const response = this.#response;
    if (message && !response.headersSent) {
      response.setHeader('content-type', 'application/json');
      response.setHeader('mcp-session-id', this.#sessionId);
      response.end(JSON.stringify(message));
    } else {
      this.open();
      response.end(message && eventOf(message));
    }
  }

  #write(text: string): void {
    this.open();
    this.#response.write(text);
  }
}

function eventOf(message: JSONRPCMessage): string {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}

/** Answers a request that isn't served. */
export function sendFailure(response: ServerResponse, status: number, message: string): void {
  response.statusCode = status;
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }));
}
