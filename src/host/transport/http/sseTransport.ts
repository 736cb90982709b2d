import type { JSONRPCMessage, TransportSendOptions } from '@modelcontextprotocol/client';
import { HostError } from '../../errors/hostError.ts';
import { isEventStream, readEvents, readWords } from './bodies.ts';
import { cancelledBy, HttpTransport } from './httpTransport.ts';
import { unreachable } from './networkFailure.ts';
import type { OpenRequest } from './openRequest.ts';
import { fetchWithinOrigin, type PlacedResponse } from './redirects.ts';
import { streamHeaders } from './requestHeaders.ts';

/**
 * HTTP+SSE (2024-11-05, basic/transports): the server names the endpoint for messages on its stream, and responds there.
 * The stream is the session: when it ends, so does the transport.
 */
export class SseTransport extends HttpTransport {
  readonly name = 'HTTP+SSE';
  #endpoint: URL;

  constructor(options: ConstructorParameters<typeof HttpTransport>[0]) {
    super(options);
    this.#endpoint = options.url;
  }

  /**
   * Opens the stream; resolves when the server has named its endpoint.
   *
   * @throws HostError `unreachable`, `refused` or `protocol`.
   */
  async start(): Promise<void> {
    const { fetch, url } = this.options;
    const init = { method: 'GET', headers: streamHeaders(this.connectionHeaders), signal: this.closed };
    let placed: PlacedResponse;
    try {
      placed = await fetchWithinOrigin(fetch, url, init);
    } catch (error) {
      throw unreachable(error) ?? error;
    }
    if (!isEventStream(placed.response)) {
      throw this.refused(placed, await this.wordsOf(placed.response));
    }
    const named = Promise.withResolvers<void>();
    void this.#listen(placed, named);
    await named.promise;
  }

  async #listen({ response, url }: PlacedResponse, named: PromiseWithResolvers<void>): Promise<void> {
    let loss = new HostError('unreachable', 'the server closed its event stream');
    try {
      for await (const event of readEvents(response)) {
        if (event.type === 'endpoint') {
          this.#endpoint = endpointAt(url, event.data?.toString('utf8') ?? '');
          named.resolve();
        }
        await this.receiveEvent(event);
      }
    } catch (error) {
      loss = error instanceof HostError ? error : loss;
    }
    this.end(loss);
    named.reject(loss);
  }

  /** What is cancelled while it waits to be posted isn't posted. */
  protected override async transmit(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const cancelled = cancelledBy(message);
    if (cancelled !== undefined) {
      this.cancel(cancelled);
    }
    await super.transmit(message, options);
  }

  protected async notify(message: JSONRPCMessage, signal: AbortSignal): Promise<void> {
    await this.#send(message, signal);
  }

  protected async exchange(request: OpenRequest): Promise<void> {
    await this.#send(request.message, request.signal);
    await request.answer;
  }

  async #send(message: JSONRPCMessage, signal: AbortSignal): Promise<void> {
    const headers = this.connectionHeaders;
    headers.set('content-type', 'application/json');
    const placed = await this.post(message, this.#endpoint, headers, signal);
    await (placed && readWords(placed.response));
  }

  protected override isInSession(): boolean {
    return true;
  }
}

/** @throws HostError `protocol` for another origin, which would get the headers of the definition. */
function endpointAt(url: URL, endpoint: string): URL {
  const place = URL.canParse(endpoint, url.href) ? new URL(endpoint, url) : url;
  if (place.origin !== url.origin) {
    throw new HostError(
      'protocol',
      `the server asks for its messages at another origin, ${place.origin}, which is not allowed`,
    );
  }
  return place;
}
