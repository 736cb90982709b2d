import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type {
  FetchLike,
  JSONRPCMessage,
  JSONRPCRequest,
  RequestId,
  TransportSendOptions,
} from '@modelcontextprotocol/client';
import type { Logger } from '../../../base/logging/logger.ts';
import { cutTo } from '../../../base/text/words.ts';
import { Slices } from '../../../base/time/slices.ts';
import { HostError, messageOf } from '../../errors/hostError.ts';
import { textBounds } from '../../json/bounds.ts';
import { MESSAGE_WORK, readReceived, tooMuchText, type Received } from '../../json/receivedLine.ts';
import { answeredBy } from '../../json/receivedMessage.ts';
import type { Sdk } from '../../sdk/loadSdk.ts';
import { MessageTransport } from '../messageTransport.ts';
import { readWords } from './bodies.ts';
import type { ServerEvent } from './eventParser.ts';
import { lostAnswer, lostSession } from './lostAnswer.ts';
import { isLostInFlight } from './networkFailure.ts';
import { OpenRequest } from './openRequest.ts';
import { fetchWithinOrigin, redirectedTo, type PlacedResponse } from './redirects.ts';
import { isAboutRights, refusal, saysUnknownSession } from './refusal.ts';
import { errorAnswer, refusalWords } from './refusalWords.ts';
import { revisionIn } from './requestHeaders.ts';
import { whenAccepted } from './retryAfter.ts';
import type { StreamState } from './serverStream.ts';

/** Milliseconds in which other messages may also learn that their session is gone, so that they are not lost. */
const LAST_WORDS_MS = 1_000;
/** Milliseconds after which a cancelled request ends, even if the server wasn't notified yet. */
const CANCEL_MS = 5_000;

const SESSION_HEADER = 'mcp-session-id';
const INITIALIZED = 'notifications/initialized';

/** What a transport over HTTP needs. */
export interface HttpOptions {
  readonly sdk: Pick<Sdk, 'SdkHttpError' | 'SdkErrorCode'>;
  readonly url: URL;
  /** The headers of the definition. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether they have an `Authorization` of their own. */
  readonly hasAuthorization: boolean;
  readonly fetch: FetchLike;
  readonly logger: Logger;
}

/** What is known of how a server over HTTP answers. */
export interface HttpFacts {
  /** Of the transport, as the specification has it. */
  readonly name: string;
  /** The last response to a request; undefined before the first. */
  readonly answer: { readonly status: number; readonly type: string | undefined } | undefined;
  /** The session at the server, if it has one. */
  readonly sessionId: string | undefined;
  /** The stream on which the server sends on its own initiative; undefined where everything comes on one stream. */
  readonly stream: StreamState | undefined;
}

/**
 * What the two transports over HTTP have in common. `send` of a request resolves when its response has arrived, and
 * rejects when it no longer can: the client then rejects the request with the same error.
 */
export abstract class HttpTransport extends MessageTransport implements HttpFacts {
  protected readonly options: HttpOptions;
  readonly #open = new Map<RequestId, OpenRequest>();
  readonly #posting = new Set<Promise<unknown>>();
  readonly #closed = new AbortController();
  #loss: HostError | undefined;
  #revision: string | undefined;
  #answer: HttpFacts['answer'];

  constructor(options: HttpOptions) {
    super();
    this.options = options;
  }

  /** Why it ended, if this side didn't end it. */
  get loss(): HostError | undefined {
    return this.#loss;
  }

  get answer(): HttpFacts['answer'] {
    return this.#answer;
  }

  get stream(): StreamState | undefined {
    return undefined;
  }

  setProtocolVersion(revision: string): void {
    this.#revision = revision;
  }

  /**
   * @throws HostError `lost` if the response can't arrive any longer, `sessionLost` if the server doesn't know the
   * session, `refused`, `protocol`; SdkHttpError, whose status and body tell the client the server's era, for a refusal.
   */
  protected async transmit(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const cancelled = cancelledBy(message);
    if (isRequest(message)) {
      await this.#request(message, options);
    } else if (cancelled !== undefined) {
      await this.#cancelled(message, cancelled);
    } else {
      await this.notify(message, this.closed);
    }
  }

  close(): Promise<void> {
    if (!this.closed.aborted) {
      this.#closed.abort();
      this.#open.forEach((request) => request.cancel());
      this.onclose?.();
    }
    return Promise.resolve();
  }

  /** Aborts when the transport is closed. */
  protected get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** Posts a message that has no response. */
  protected abstract notify(message: JSONRPCMessage, signal: AbortSignal): Promise<void>;

  /** Posts a request. Rejects when its response can't arrive any longer; resolves when nothing more can. */
  protected abstract exchange(request: OpenRequest): Promise<void>;

  /** The headers of every request. */
  protected get connectionHeaders(): Headers {
    const headers = new Headers(this.options.headers);
    const state = { [SESSION_HEADER]: this.sessionId, 'mcp-protocol-version': this.#revision };
    Object.entries(state).forEach(([name, value]) => value !== undefined && headers.set(name, value));
    return headers;
  }

  /**
   * The successful response to what was posted; undefined if a JSON-RPC error in a refusal was the response (2026-07-28,
   * basic/transports/streamable-http: an unknown method is 404 with -32601).
   *
   * @throws as `transmit`.
   */
  protected async post(
    message: JSONRPCMessage,
    url: URL,
    headers: Headers,
    signal: AbortSignal,
  ): Promise<PlacedResponse | undefined> {
    const posting = this.#post(message, url, {
      method: 'POST',
      headers,
      body: JSON.stringify(message),
      signal,
    });
    this.#posting.add(posting);
    try {
      return await posting;
    } catch (error) {
      if (error instanceof HostError && error.code === 'sessionLost') {
        this.end(error);
      }
      throw error;
    } finally {
      this.#posting.delete(posting);
    }
  }

  /** Gives the message in an event to the client; `within` is the ID of the request on whose stream it is. */
  protected async receiveEvent({ type, data }: ServerEvent, within?: RequestId): Promise<void> {
    if (type === undefined && data !== undefined) {
      await this.receive(readReceived(data), within);
    }
  }

  /**
   * Gives messages that are being read to the client, one by one, so that an invalid one in a batch doesn't affect the
   * others (2025-03-26, basic: clients MUST receive batches). Resolves with the number of valid ones.
   */
  protected async receive(received: Iterable<Received | number>, within?: RequestId): Promise<number> {
    const slices = new Slices();
    let count = 0;
    for (const one of received) {
      if (typeof one === 'number') {
        slices.spend(one);
      } else {
        slices.spend(MESSAGE_WORK);
        count += one.kind === 'message' ? 1 : 0;
        await this.#receive(one, within);
      }
      if (slices.isUsedUp) {
        await slices.rest();
      }
    }
    return count;
  }

  /** Ends the transport for this reason; the open requests are lost. */
  protected end(loss: HostError): void {
    if (this.#loss || this.closed.aborted) {
      return;
    }
    this.#loss = loss;
    const others = loss.code === 'sessionLost' ? [...this.#posting] : [];
    void Promise.race([Promise.allSettled(others), delay(LAST_WORDS_MS, undefined, { ref: false })]).then(
      async () => {
        // Those that know better why they failed say so first.
        await nextTurn();
        this.#open.forEach((request) => request.fail(lostAnswer(loss)));
        // The reason comes first: closing rejects every request as if this side had ended the connection.
        await nextTurn();
        await this.close();
      },
    );
  }

  protected cancel(id: RequestId): void {
    this.#open.get(id)?.cancel();
  }

  /** The failure for a response that is no success. `words` is its body. */
  protected refused(placed: PlacedResponse, words: string, method?: string): HostError {
    const { hasAuthorization: authorization } = this.options;
    return refusal(placed.response.status, {
      authorization,
      redirect: redirectedTo(placed),
      body: words,
      method,
    });
  }

  /** The beginning of a body, without the session id, because it may be logged (2025-06-18, basic/transports). */
  protected async wordsOf(response: Response): Promise<string> {
    const words = await readWords(response);
    return this.sessionId === undefined ? words : words.replaceAll(this.sessionId, '…');
  }

  async #request(message: JSONRPCRequest, options: TransportSendOptions | undefined): Promise<void> {
    const request = new OpenRequest(message, options);
    this.#open.set(request.id, request);
    const exchange = this.exchange(request);
    void exchange
      .then(() => request.signal.aborted || options?.onRequestStreamEnd?.())
      .catch(() => {})
      .finally(() => this.#open.delete(request.id));
    try {
      await Promise.race([request.answer, exchange.then(() => request.answer)]);
    } catch (error) {
      const failure = isLostInFlight(error) ? lostAnswer(error) : error;
      if (failure instanceof HostError && failure.code === 'lost') {
        this.#tellOfLoss(message);
      }
      throw failure;
    }
  }

  /**
   * A lost connection cancels a request at a modern server (2026-07-28), but not at a legacy one (2025-03-26,
   * basic/transports), which would go on although no caller waits.
   */
  #tellOfLoss(message: JSONRPCRequest): void {
    if (this.#loss || message.method === 'initialize' || revisionIn(message) !== undefined) {
      return;
    }
    const params = { requestId: message.id, reason: 'The connection broke before the response.' };
    this.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params }).catch((error: unknown) =>
      this.#complain(`The cancellation could not be sent: ${messageOf(error)}`),
    );
  }

  /**
   * Notifies the server first, and then ends the request. A server that takes too long over it gets no notification: no
   * caller waits for that (basic/utilities/cancellation: notifications are "fire and forget").
   */
  async #cancelled(message: JSONRPCMessage, id: RequestId): Promise<void> {
    const tooLong = AbortSignal.timeout(CANCEL_MS);
    try {
      await this.notify(message, AbortSignal.any([this.closed, tooLong]));
    } catch (error) {
      if (!tooLong.aborted) {
        throw error;
      }
    } finally {
      this.cancel(id);
    }
  }

  async #post(
    message: JSONRPCMessage,
    url: URL,
    init: RequestInit & { readonly headers: Headers; readonly signal: AbortSignal },
  ): Promise<PlacedResponse | undefined> {
    const { fetch, hasAuthorization } = this.options;
    let place = url;
    const response = await whenAccepted(async () => {
      const placed = await fetchWithinOrigin(fetch, url, init);
      place = placed.url;
      return placed.response;
    }, init.signal);
    const placed = { response, url: place };
    if (isRequest(message)) {
      this.#answer = { status: response.status, type: response.headers.get('content-type') ?? undefined };
    }
    if (response.ok) {
      return placed;
    }
    const { status, statusText } = response;
    const text = await this.wordsOf(response);
    if (this.isInSession(init.headers) && saysUnknownSession(status, text)) {
      throw lostSession(refusalWords(text));
    }
    const method = 'method' in message ? message.method : undefined;
    const mayAnswer = method !== 'initialize' && status >= 400 && !isAboutRights(status);
    const answer = mayAnswer && isRequest(message) && errorAnswer(text, message.id);
    if (answer) {
      await this.#receive({ kind: 'message', message: answer });
      return undefined;
    }
    const isAtEnd = method === INITIALIZED && mayAnswer;
    const failure = this.refused(placed, text, isAtEnd ? method : undefined);
    // A refusal of the end of the handshake says nothing about the address or the transport.
    if (isAtEnd || (hasAuthorization && isAboutRights(status))) {
      throw failure;
    }
    const { SdkHttpError, SdkErrorCode } = this.options.sdk;
    const data = { status, statusText, text };
    throw new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, failure.message, data, { cause: failure });
  }

  /** Whether a request with these headers belongs to a session. */
  protected isInSession(headers: Headers): boolean {
    return headers.has(SESSION_HEADER);
  }

  async #receive(one: Received, within?: RequestId): Promise<void> {
    switch (one.kind) {
      case 'message':
        this.#answeredBy(one.message)?.answered();
        try {
          await this.deliver(one.message, within);
        } catch (error) {
          this.#complain(messageOf(error));
        }
        return;
      case 'noise':
        this.#complain(`The server sent an invalid message: ${cutTo(one.text, textBounds.sentence)}`);
        return;
      case 'tooMuch':
        this.#complain(tooMuchText(one.reason));
    }
  }

  #answeredBy(message: JSONRPCMessage): OpenRequest | undefined {
    const id = answeredBy(message);
    return id === undefined || id === null ? undefined : this.#open.get(id);
  }

  #complain(text: string): void {
    this.onerror?.(new Error(text));
  }
}

function isRequest(message: JSONRPCMessage): message is JSONRPCRequest {
  return 'method' in message && 'id' in message;
}

/** The request that a message cancels. */
export function cancelledBy(message: JSONRPCMessage): RequestId | undefined {
  const isCancellation = 'method' in message && message.method === 'notifications/cancelled';
  return isCancellation ? (message.params?.['requestId'] as RequestId | undefined) : undefined;
}
