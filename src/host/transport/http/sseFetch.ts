import type { FetchLike, JSONRPCMessage } from '@modelcontextprotocol/client';
import { HostError } from '../../errors/hostError.ts';
import { readEvents, readWords } from './bodies.ts';
import { eventResponse, type ServerEvent } from './eventParser.ts';
import { either, isEventStream, withText, withWords, type Exchange, type GuardOptions } from './exchange.ts';
import { handOnEvent } from './handOn.ts';
import { lostAnswer, lostSession } from './httpLife.ts';
import { isLostInFlight, unreachable } from './networkFailure.ts';
import { answeredBy, posted, type PostedRequest } from './posted.ts';
import { answeredByError, INITIALIZED, refusal, saysUnknownSession } from './refusal.ts';
import { whenAccepted } from './retryAfter.ts';

/**
 * The `fetch` for the SDK's transport for HTTP+SSE (2024-11-05). The stream is the session: when it ends, the transport
 * does, although `EventSource` would open another one and go on as if nothing had happened.
 */
export class SseFetch {
  readonly #options: GuardOptions;

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  readonly fetch: FetchLike = (url, init = {}) => {
    const exchange: Exchange = { url, init, sent: new Headers(init.headers) };
    return init.method === 'POST' ? this.#post(exchange) : this.#stream(exchange);
  };

  async #stream(exchange: Exchange): Promise<Response> {
    const { fetch, life, hasAuthorization } = this.#options;
    const { url, init } = exchange;
    if (life.loss) {
      throw life.loss;
    }
    let response: Response;
    try {
      response = await fetch(url, init);
    } catch (error) {
      const loss = error instanceof HostError ? error : unreachable(error);
      if (loss && !init.signal?.aborted) {
        // `EventSource` keeps only the message of the error, and would try again.
        life.end(loss);
      }
      throw error;
    }
    if (isEventStream(response)) {
      return eventResponse(this.#events(exchange, response), response);
    }
    const { status } = response;
    const body = await readWords(response);
    if (status >= 400 && (status !== 401 || hasAuthorization)) {
      // `EventSource` keeps only the status.
      life.end(refusal(status, { authorization: hasAuthorization, body }));
    }
    return withText(response, body);
  }

  async *#events({ url, init }: Exchange, response: Response): AsyncGenerator<ServerEvent> {
    const { life } = this.#options;
    let loss = new HostError('unreachable', 'the server closed its event stream');
    try {
      for await (const event of readEvents(response)) {
        if (event.type === 'endpoint') {
          checkEndpoint(new URL(url), event.data?.toString('utf8') ?? '');
        }
        await handOnEvent(event, life, (message) => this.#settle(message));
        yield event;
      }
    } catch (error) {
      loss = error instanceof HostError ? error : loss;
    }
    if (!init.signal?.aborted) {
      life.end(loss);
      throw loss;
    }
  }

  #settle(message: JSONRPCMessage): void {
    const id = answeredBy(message);
    if (id !== undefined && id !== null) {
      this.#options.life.settled(id);
    }
  }

  async #post(exchange: Exchange): Promise<Response> {
    const { life } = this.#options;
    const message = posted(exchange.init.body);
    if (message.kind === 'cancelled') {
      life.cancelled(message.id);
    }
    if (message.kind !== 'request') {
      const method = message.kind === 'initialized' ? INITIALIZED : undefined;
      return this.#send(exchange, exchange.init.signal ?? undefined, { method });
    }
    const { signal } = life.cancelOf(message.id);
    try {
      return await this.#send(exchange, either(exchange.init.signal, signal), { request: message });
    } catch (error) {
      if (signal.aborted) {
        // Nobody waits for the response; an error would only be logged.
        return new Response(null, { status: 202 });
      }
      throw !exchange.init.signal?.aborted && isLostInFlight(error) ? lostAnswer(error) : error;
    }
  }

  /** @throws HostError `sessionLost`, or `refused`, for which the SDK's error has the status only in its message. */
  async #send(
    exchange: Exchange,
    signal: AbortSignal | undefined,
    { request, method }: { readonly request?: PostedRequest; readonly method?: string | undefined },
  ): Promise<Response> {
    const { fetch, hasAuthorization, life } = this.#options;
    const { url, init } = exchange;
    const response = await whenAccepted(() => fetch(url, { ...init, signal: signal ?? null }), signal);
    if (response.ok) {
      return withText(response, await readWords(response));
    }
    const { status } = response;
    const refused = await withWords(response, exchange);
    if (saysUnknownSession(status, refused.words)) {
      throw lostSession();
    }
    // The SDK handles authorization and redirects.
    if ((status === 401 && !hasAuthorization) || (status >= 300 && status < 400)) {
      return refused.response;
    }
    const answered = request && (await answeredByError(request.id, request.method, refused.response, life));
    if (answered) {
      return answered;
    }
    throw refusal(status, { authorization: hasAuthorization, body: refused.words, method });
  }
}

/** @throws HostError `protocol` for another origin, which would get the headers of the definition. */
function checkEndpoint(url: URL, endpoint: string): void {
  const { origin } = URL.canParse(endpoint, url.href) ? new URL(endpoint, url) : url;
  if (origin !== url.origin) {
    throw new HostError(
      'protocol',
      `the server asks for its messages at another origin, ${origin}, which is not allowed`,
    );
  }
}
