import type {
  JSONRPCMessage,
  RequestId,
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/server';
import { listenerBounds } from '../json/bounds.ts';
import { asMessage } from '../json/receivedMessage.ts';
import type { AdmittedRequest } from './loopbackListener.ts';
import { sendFailure, SessionAnswer } from './sessionAnswer.ts';

/** What a POST asks for: its answer ends with the last of its requests. */
interface Exchange {
  readonly answer: SessionAnswer;
  readonly open: Set<RequestId>;
}

/**
 * The session of a legacy client over Streamable HTTP (basic/transports, session management). What the SDK's transport does
 * with requests, responses and streams of the web takes longer than a call.
 */
export class SessionTransport implements Transport {
  onclose?: () => void;
  onmessage?: NonNullable<Transport['onmessage']>;
  readonly sessionId: string;
  #versions: readonly string[] = [];
  /** By each request that isn't answered. */
  readonly #exchanges = new Map<RequestId, Exchange>();
  /** What belongs to no request goes there, while the client listens. */
  #listening: SessionAnswer | undefined;
  #hasBegun = false;
  #isClosed = false;

  constructor(sessionId: string) {
    this.sessionId = sessionId;
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  setSupportedProtocolVersions(versions: readonly string[]): void {
    this.#versions = versions;
  }

  /** Answers one request of the client; the first one begins the session. */
  answer(request: AdmittedRequest): void {
    const { method, headers, response } = request;
    const version = headers['mcp-protocol-version'];
    if (this.#hasBegun && version !== undefined && !this.#versions.includes(String(version))) {
      sendFailure(response, 400, `Bad Request: Unsupported protocol version: ${String(version)}`);
      return;
    }
    switch (method) {
      case 'POST':
        this.#post(request);
        break;
      case 'GET':
        this.#listen(request);
        break;
      case 'DELETE':
        response.end();
        void this.close();
        break;
      default:
        response.setHeader('allow', 'GET, POST, DELETE');
        sendFailure(response, 405, 'Method not allowed.');
    }
  }

  /** What nobody waits for any longer is dropped. */
  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if ('method' in message) {
      const id = options?.relatedRequestId;
      (id === undefined ? this.#listening : this.#exchanges.get(id)?.answer)?.send(message);
    } else if (message.id !== undefined) {
      this.#settle(message.id, message);
    }
    return Promise.resolve();
  }

  close(): Promise<void> {
    if (!this.#isClosed) {
      this.#isClosed = true;
      const answers = new Set([...this.#exchanges.values()].map(({ answer }) => answer));
      this.#exchanges.clear();
      answers.forEach((answer) => answer.end());
      this.#listening?.end();
      this.onclose?.();
    }
    return Promise.resolve();
  }

  #post({ headers, body, response }: AdmittedRequest): void {
    const { accept = '', 'content-type': type = '' } = headers;
    if (!accept.includes('application/json') || !accept.includes('text/event-stream')) {
      const wanted = 'Client must accept both application/json and text/event-stream';
      sendFailure(response, 406, `Not Acceptable: ${wanted}`);
      return;
    }
    if (!/^\s*application\/json\s*(;|$)/i.test(type)) {
      sendFailure(response, 415, 'Unsupported Media Type: Content-Type must be application/json');
      return;
    }
    const messages = this.#messagesIn(body);
    if (!messages) {
      sendFailure(response, 400, 'Bad Request: The body is no message that this session can take');
      return;
    }
    this.#hasBegun = true;
    const ids = messages.flatMap((message) => requestIdOf(message) ?? []);
    if (ids.length === 0) {
      response.writeHead(202).end();
    } else {
      const exchange = { answer: new SessionAnswer(response, this.sessionId), open: new Set(ids) };
      ids.forEach((id) => this.#exchanges.set(id, exchange));
      response.once('close', () => exchange.open.forEach((id) => this.#abandon(id)));
    }
    for (const message of messages) {
      this.onmessage?.(message);
      if ('method' in message && message.method === 'notifications/cancelled') {
        // There will be no response.
        this.#settle(message.params?.['requestId'] as RequestId);
      }
    }
  }

  /** The messages of a body, unless one of them is malformed, or is a request that may not come in this session now. */
  #messagesIn(body: unknown): readonly JSONRPCMessage[] | undefined {
    const values: readonly unknown[] = Array.isArray(body) ? body.slice(0, listenerBounds.batch + 1) : [body];
    const messages = values.flatMap((value) => asMessage(value) ?? []);
    const ids = messages.flatMap((message) => requestIdOf(message) ?? []);
    const isNew = new Set(ids).size === ids.length && !ids.some((id) => this.#exchanges.has(id));
    const begins = messages.some((message) => 'method' in message && message.method === 'initialize');
    return messages.length > 0 &&
      messages.length === values.length &&
      messages.length <= listenerBounds.batch &&
      isNew &&
      begins !== this.#hasBegun
      ? messages
      : undefined;
  }

  #listen({ headers, response }: AdmittedRequest): void {
    if (headers.accept?.includes('text/event-stream') !== true) {
      sendFailure(response, 406, 'Not Acceptable: Client must accept text/event-stream');
    } else if (this.#listening) {
      sendFailure(response, 409, 'Conflict: Only one SSE stream is allowed per session');
    } else {
      const answer = new SessionAnswer(response, this.sessionId);
      this.#listening = answer;
      response.once('close', () => (this.#listening = undefined));
      answer.open();
    }
  }

  /** Ends one request of an exchange, with its response if there is one. */
  #settle(id: RequestId, message?: JSONRPCMessage): void {
    const exchange = this.#exchanges.get(id);
    if (exchange) {
      this.#exchanges.delete(id);
      exchange.open.delete(id);
      if (exchange.open.size === 0) {
        exchange.answer.end(message);
      } else if (message) {
        exchange.answer.send(message);
      }
    }
  }

  /** The client is gone, and no answer is kept for one that reconnects. */
  #abandon(id: RequestId): void {
    if (this.#exchanges.delete(id)) {
      const params = { requestId: id, reason: 'The client is gone.' };
      this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
    }
  }
}

function requestIdOf(message: JSONRPCMessage): RequestId | undefined {
  return 'method' in message && 'id' in message ? message.id : undefined;
}
