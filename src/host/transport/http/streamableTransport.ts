import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { HostError, messageOf } from '../../errors/hostError.ts';
import { readReceived } from '../../json/receivedLine.ts';
import { hasType, isEventStream, readMessage, readWords } from './bodies.ts';
import { continuedEvents, type Continuation, type Opening } from './continuedEvents.ts';
import { HttpTransport, type HttpOptions } from './httpTransport.ts';
import { lostAnswer, lostSession, notResumed, onlyAccepted } from './lostAnswer.ts';
import { mayPass, networkCode } from './networkFailure.ts';
import type { OpenRequest } from './openRequest.ts';
import { fetchWithinOrigin } from './redirects.ts';
import { forgottenAtOnce, isRefusedForNow, saysUnknownSession } from './refusal.ts';
import { postHeaders, streamHeaders } from './requestHeaders.ts';
import { ServerStream, type StreamState } from './serverStream.ts';

/** Milliseconds for which a stream may stay open after its response. */
const LINGER_MS = 10_000;
/** Milliseconds in which connections may be refused when a stream is resumed: a server may be restarting. */
const REFUSED_MS = 5_000;

/** Streamable HTTP (2025-03-26, basic/transports, to 2026-07-28, basic/transports/streamable-http). */
export class StreamableTransport extends HttpTransport {
  readonly name = 'Streamable HTTP';
  /** Each request has a connection of its own, whose end cancels it from 2026-07-28 on. */
  readonly hasPerRequestStream = true;
  /** On which a legacy server sends on its own initiative. */
  readonly serverStream: ServerStream;
  /** Where the server answered last, which may be after a redirect. */
  #place: URL;
  #sessionId: string | undefined;
  /** Resolved by the next response of the server. */
  #nextAnswer = Promise.withResolvers<void>();

  constructor(options: HttpOptions) {
    super(options);
    this.#place = options.url;
    this.serverStream = new ServerStream(options.logger, {
      ask: (signal) => this.#get(undefined, signal),
      open: (lastEventId, signal) => this.#reopen(lastEventId, signal),
      answered: (signal) => this.#answered(signal),
      receive: (event) => this.receiveEvent(event),
      refused: async (response) => {
        const words = await this.wordsOf(response);
        return { words, failure: this.refused({ response, url: this.#place }, words) };
      },
      forgotten: (loss) => this.sessionId !== undefined && this.end(loss),
    });
  }

  override get sessionId(): string | undefined {
    return this.#sessionId;
  }

  override get stream(): StreamState {
    return this.serverStream.state;
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  /** Ends the session at the server (2025-03-26, basic/transports: clients SHOULD send DELETE). */
  async terminateSession(): Promise<void> {
    const init = { method: 'DELETE', headers: this.connectionHeaders, signal: this.closed };
    const { response } = await fetchWithinOrigin(this.options.fetch, this.options.url, init);
    await response.body?.cancel();
  }

  protected async notify(message: JSONRPCMessage, signal: AbortSignal): Promise<void> {
    const isInitialized = 'method' in message && message.method === 'notifications/initialized';
    if (isInitialized) {
      await this.serverStream.begin(this.closed);
    }
    try {
      const response = await this.#send(message, signal);
      await (response && readWords(response));
    } catch (error) {
      throw isInitialized ? forgottenAtOnce(error) : error;
    }
    if (isInitialized) {
      this.serverStream.initialized();
    }
  }

  protected async exchange(request: OpenRequest): Promise<void> {
    const response = await this.#send(request.message, request.signal, request.headers);
    if (response === undefined) {
      return;
    }
    if (request.message.method === 'initialize') {
      this.#sessionId = response.headers.get('mcp-session-id') ?? undefined;
    }
    if (response.status === 202) {
      throw onlyAccepted(await this.wordsOf(response));
    }
    if (isEventStream(response)) {
      await this.#follow(request, response);
    } else if (hasType(response, 'application/json')) {
      await this.#read(request, response);
    } else {
      throw unexpected(response, await readWords(response));
    }
  }

  async #send(
    message: JSONRPCMessage,
    signal: AbortSignal,
    more?: OpenRequest['headers'],
  ): Promise<Response | undefined> {
    const headers = postHeaders(this.connectionHeaders, message, more);
    const placed = await this.post(message, this.options.url, headers, signal);
    if (placed) {
      this.#nextAnswer.resolve();
      this.#nextAnswer = Promise.withResolvers();
      this.#place = placed.url;
    }
    return placed?.response;
  }

  async #answered(signal: AbortSignal): Promise<void> {
    const aborted = Promise.withResolvers<void>();
    const abort = (): void => aborted.resolve();
    signal.addEventListener('abort', abort, { once: true });
    await Promise.race([this.#nextAnswer.promise, aborted.promise]);
    signal.removeEventListener('abort', abort);
  }

  /** Reads the messages of a JSON body. An error without an id belongs to this request. */
  async #read(request: OpenRequest, response: Response): Promise<void> {
    const bytes = await readMessage(response);
    const count = await this.receive(readReceived(bytes, request.id), request.id);
    if (!request.isAnswered) {
      throw count === 0 && !isEmpty(bytes) ? invalid(bytes) : lostAnswer();
    }
  }

  /** Reads the stream for a request, which is resumed when it breaks, until the response has arrived. */
  async #follow(request: OpenRequest, first: Response): Promise<void> {
    let linger: NodeJS.Timeout | undefined;
    request.answer.then(
      () => (linger = setTimeout(() => request.cancel(), LINGER_MS).unref()),
      () => {},
    );
    let refusedSince: number | undefined;
    const continuation: Continuation = {
      isComplete: () => request.isAnswered,
      unlessNamed: lostAnswer,
      afterMany: (failures) => Promise.reject(notResumed(failures)),
      open: async (lastEventId) => {
        const opening = await this.#reopen(lastEventId, request.signal);
        refusedSince = opening.kind === 'nobodyThere' ? (refusedSince ?? Date.now()) : undefined;
        return refusedSince !== undefined && Date.now() - refusedSince >= REFUSED_MS
          ? { kind: 'never', reason: lostAnswer() }
          : opening;
      },
    };
    try {
      for await (const event of continuedEvents(first, continuation, request.signal)) {
        await this.receiveEvent(event, request.id);
      }
    } catch (error) {
      throw error instanceof HostError ? error : lostAnswer(error);
    } finally {
      clearTimeout(linger);
    }
  }

  #get(lastEventId: string | undefined, signal: AbortSignal): Promise<Response> {
    const headers = streamHeaders(this.connectionHeaders);
    if (lastEventId) {
      headers.set('last-event-id', lastEventId);
    }
    return this.options.fetch(this.#place, { method: 'GET', headers, signal });
  }

  /** Opens a stream again (2025-03-26, basic/transports, resumability and redelivery). */
  async #reopen(lastEventId: string | undefined, signal: AbortSignal): Promise<Opening> {
    try {
      const response = await this.#get(lastEventId, signal);
      if (isEventStream(response)) {
        return { kind: 'open', response };
      }
      const { status } = response;
      const words = await this.wordsOf(response);
      this.options.logger.log('debug', `A stream could not be opened again (status ${status}).`);
      if (isRefusedForNow(status)) {
        return { kind: 'notNow' };
      }
      if (this.sessionId !== undefined && saysUnknownSession(status, words)) {
        this.end(lostSession());
      }
      return { kind: 'never', reason: lostAnswer() };
    } catch (error) {
      if (error instanceof HostError && !mayPass(error)) {
        return { kind: 'never', reason: error };
      }
      return { kind: networkCode(error) === 'ECONNREFUSED' ? 'nobodyThere' : 'notNow' };
    }
  }
}

/** Whether a body has nothing in it, or an empty batch. */
function isEmpty(bytes: Buffer): boolean {
  return /^\s*(?:\[\s*\]\s*)?$/.test(bytes.toString('utf8', 0, 100));
}

/** The failure for a body of another type. */
function unexpected({ headers }: Response, words: string): HostError {
  const type = headers.get('content-type');
  return type === null && words === '' ? lostAnswer() : noMcp(`Unexpected content type: ${type}`);
}

/** The failure for a body without a message. */
function invalid(bytes: Buffer): HostError {
  try {
    JSON.parse(bytes.toString('utf8', 0, 2 ** 16));
    return noMcp('its answer is not a valid message');
  } catch (error) {
    return noMcp(messageOf(error));
  }
}

function noMcp(why: string): HostError {
  return new HostError('protocol', `the server does not answer as an MCP server: ${why}`);
}
