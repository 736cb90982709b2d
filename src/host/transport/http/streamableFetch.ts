import type { FetchLike, RequestId } from '@modelcontextprotocol/client';
import { HostError } from '../../errors/hostError.ts';
import { readWords } from './bodies.ts';
import { continuedEvents, type Opening } from './continuedEvents.ts';
import { eventResponse, type ServerEvent } from './eventParser.ts';
import {
  either,
  hasType,
  inSessionOf,
  isEventStream,
  isInSession,
  withText,
  withWords,
  type Exchange,
  type GuardOptions,
} from './exchange.ts';
import { handOnEvent } from './handOn.ts';
import { lostAnswer, lostSession, notResumed, onlyAccepted } from './httpLife.ts';
import { jsonAnswer } from './jsonAnswer.ts';
import { isLostInFlight, mayPass, networkCode } from './networkFailure.ts';
import { isAnswerTo, posted, type PostedRequest } from './posted.ts';
import {
  answeredByError,
  forgottenAtOnce,
  isRefusedForNow,
  refusal,
  refusedInitialized,
  saysUnknownSession,
} from './refusal.ts';
import { refusalWords } from './refusalWords.ts';
import { whenAccepted } from './retryAfter.ts';
import { ServerStream } from './serverStream.ts';

/** Milliseconds for which a stream may stay open after its response. */
const LINGER_MS = 10_000;
/** Milliseconds in which connections may be refused when a stream is resumed: a server may be restarting. */
const REFUSED_MS = 5_000;
/** Milliseconds after which a cancelled request ends, even if the server wasn't notified yet. */
const CANCEL_MS = 5_000;

/**
 * The `fetch` for the SDK's Streamable HTTP transport: the SDK gets streams that never break, and a refusal or a
 * `HostError` when a response can no longer arrive. It never opens the server's own stream: see `ServerStream`.
 */
export class StreamableFetch {
  readonly serverStream: ServerStream;
  readonly #options: GuardOptions;
  /** Where the server answered last, which may be after a redirect. */
  #place: string | URL | undefined;
  /** Resolved by the next response of the server. */
  #nextAnswer = Promise.withResolvers<void>();

  constructor(options: GuardOptions) {
    this.#options = options;
    this.serverStream = new ServerStream(options, {
      open: (get, lastEventId, signal) => this.#open(get, lastEventId, signal),
      answered: (signal) => this.#answered(signal),
    });
  }

  readonly fetch: FetchLike = (url, init = {}) => {
    const exchange: Exchange = { url, init, sent: new Headers(init.headers) };
    return init.method === 'POST' ? this.#post(exchange) : this.#options.fetch(url, init);
  };

  async #post(exchange: Exchange): Promise<Response> {
    const message = posted(exchange.init.body);
    switch (message.kind) {
      case 'request':
        return this.#request(message, exchange);
      case 'cancelled':
        return this.#cancelled(message.id, exchange);
      case 'initialized': {
        await this.serverStream.begin(streamRequest({ ...exchange, url: this.#place ?? exchange.url }));
        const response = await this.#notify(exchange).catch(forgottenAtOnce);
        if (!response.ok) {
          return refusedInitialized(response);
        }
        this.serverStream.initialized();
        // After a 202, the SDK would open another stream.
        return new Response(null, { status: 204 });
      }
      case 'other':
        return this.#notify(exchange);
    }
  }

  async #notify(exchange: Exchange, signal = exchange.init.signal ?? undefined): Promise<Response> {
    const response = await this.#send(exchange, signal);
    return response.ok ? withText(response, await readWords(response)) : response;
  }

  /**
   * Notifies the server first, and then ends the request, which the SDK leaves to us. A server that takes too long over it
   * isn't told: nobody waits for that (basic/utilities/cancellation: notifications are "fire and forget").
   */
  async #cancelled(id: RequestId, exchange: Exchange): Promise<Response> {
    const tooLong = AbortSignal.timeout(CANCEL_MS);
    try {
      return await this.#notify(exchange, either(exchange.init.signal, tooLong));
    } catch (error) {
      if (tooLong.aborted && exchange.init.signal?.aborted !== true) {
        return new Response(null, { status: 202 });
      }
      throw error;
    } finally {
      this.#options.life.cancelled(id);
    }
  }

  async #request({ id, method }: PostedRequest, exchange: Exchange): Promise<Response> {
    const { life } = this.#options;
    const cancel = life.cancelOf(id);
    const signal = either(exchange.init.signal, cancel.signal);
    signal.addEventListener('abort', () => life.settled(id), { once: true });
    try {
      const response = await this.#send(exchange, signal);
      if (!response.ok) {
        return (await answeredByError(id, method, response, life)) ?? response;
      }
      if (response.status === 202) {
        throw onlyAccepted((await withWords(response, exchange)).words);
      }
      if (isEventStream(response)) {
        const events = this.#answers(id, response, inSessionOf(response, exchange), { cancel, signal });
        return eventResponse(events, response);
      }
      if (hasType(response, 'application/json')) {
        return await jsonAnswer({ id, method }, response, life);
      }
      const words = await readWords(response);
      if (words === '' && !response.headers.has('content-type')) {
        throw lostAnswer();
      }
      return withText(response, words);
    } catch (error) {
      if (cancel.signal.aborted) {
        // Nobody waits for the response; an error would only be logged.
        return new Response(null, { status: 202 });
      }
      throw !signal.aborted && isLostInFlight(error) ? lostAnswer(error) : error;
    }
  }

  /** @throws HostError `sessionLost`, or `refused` if trying again doesn't help. */
  async #send(exchange: Exchange, signal: AbortSignal | undefined): Promise<Response> {
    const { fetch, hasAuthorization } = this.#options;
    const { url, init } = exchange;
    const response = await whenAccepted(() => fetch(url, { ...init, signal: signal ?? null }), signal);
    if (response.ok) {
      this.#nextAnswer.resolve();
      this.#nextAnswer = Promise.withResolvers();
      this.#place = url;
      return response;
    }
    const refused = await withWords(response, exchange);
    if (isInSession(exchange) && saysUnknownSession(response.status, refused.words)) {
      throw lostSession(refusalWords(refused.words));
    }
    if (hasAuthorization && (response.status === 401 || response.status === 403)) {
      throw refusal(response.status, { authorization: true, body: refused.words });
    }
    return refused.response;
  }

  async #answered(signal: AbortSignal): Promise<void> {
    const aborted = Promise.withResolvers<void>();
    const abort = (): void => aborted.resolve();
    signal.addEventListener('abort', abort, { once: true });
    await Promise.race([this.#nextAnswer.promise, aborted.promise]);
    signal.removeEventListener('abort', abort);
  }

  /** The events of the stream for a request, which is resumed when it breaks, until the response has arrived. */
  async *#answers(
    id: RequestId,
    first: Response,
    exchange: Exchange,
    { cancel, signal }: { readonly cancel: AbortController; readonly signal: AbortSignal },
  ): AsyncGenerator<ServerEvent> {
    const { life } = this.#options;
    let linger: NodeJS.Timeout | undefined;
    let refusedSince: number | undefined;
    const continuation = {
      isComplete: () => linger !== undefined,
      unlessNamed: lostAnswer,
      afterMany: (failures: number) => Promise.reject(notResumed(failures)),
      open: async (lastEventId: string | undefined): Promise<Opening> => {
        const opening = await this.#open(exchange, lastEventId, signal);
        refusedSince = opening.kind === 'nobodyThere' ? (refusedSince ?? Date.now()) : undefined;
        return refusedSince !== undefined && Date.now() - refusedSince >= REFUSED_MS
          ? { kind: 'never', reason: lostAnswer() }
          : opening;
      },
    };
    try {
      for await (const event of continuedEvents(first, continuation, signal)) {
        await handOnEvent(event, life, (message) => {
          if (!linger && isAnswerTo(id, message)) {
            life.settled(id);
            linger = setTimeout(() => cancel.abort(), LINGER_MS).unref();
          }
        });
        yield event;
      }
    } catch (error) {
      life.failed(id, error instanceof HostError ? error : lostAnswer(error));
    } finally {
      clearTimeout(linger);
      life.settled(id);
    }
  }

  /** Opens a stream again (2025-03-26, basic/transports, resumability and redelivery). */
  async #open(exchange: Exchange, lastEventId: string | undefined, signal: AbortSignal): Promise<Opening> {
    const { fetch, life, logger } = this.#options;
    const { url, init, sent: headers } = streamRequest(exchange);
    if (lastEventId) {
      headers.set('last-event-id', lastEventId);
    }
    try {
      const response = await fetch(url, { ...init, signal });
      if (isEventStream(response)) {
        return { kind: 'open', response };
      }
      const { status } = response;
      const { words } = await withWords(response, exchange);
      logger.log('debug', `A stream could not be opened again (status ${status}).`);
      if (isRefusedForNow(status)) {
        return { kind: 'notNow' };
      }
      if (isInSession(exchange) && saysUnknownSession(status, words)) {
        life.end(lostSession());
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

/** The GET for a stream, in place of a POST. */
function streamRequest({ url, init: { body: _body, ...init }, sent }: Exchange): Exchange {
  const headers = new Headers(sent);
  headers.delete('content-type');
  headers.set('accept', 'text/event-stream');
  return { url, init: { ...init, method: 'GET', headers }, sent: headers };
}
