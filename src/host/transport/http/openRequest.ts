import type { JSONRPCRequest, RequestId, TransportSendOptions } from '@modelcontextprotocol/client';

/** A request that was sent, until its exchange with the server is over, which may be some time after the response. */
export class OpenRequest {
  readonly message: JSONRPCRequest;
  /** Headers of this request alone. */
  readonly headers: TransportSendOptions['headers'];
  readonly #answer = Promise.withResolvers<void>();
  readonly #cancel = new AbortController();
  #isAnswered = false;

  constructor(message: JSONRPCRequest, { headers, requestSignal }: TransportSendOptions = {}) {
    this.message = message;
    this.headers = headers;
    this.#answer.promise.catch(() => {});
    if (requestSignal?.aborted) {
      this.cancel();
    }
    requestSignal?.addEventListener('abort', () => this.cancel(), { once: true });
  }

  get id(): RequestId {
    return this.message.id;
  }

  /** Aborts when nobody waits for the exchange any longer. */
  get signal(): AbortSignal {
    return this.#cancel.signal;
  }

  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  /** Resolves when the response arrives, or nobody waits for it any longer; rejects when it is lost. */
  get answer(): Promise<void> {
    return this.#answer.promise;
  }

  /** Call when the response arrives. */
  answered(): void {
    this.#isAnswered = true;
    this.#answer.resolve();
  }

  fail(error: Error): void {
    this.#answer.reject(error);
  }

  cancel(): void {
    this.#answer.resolve();
    this.#cancel.abort();
  }
}
