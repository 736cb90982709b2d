/** An object of JSON. */
export type Json = Readonly<Record<string, unknown>>;

/** Codes of JSON-RPC 2.0, and the one that MCP adds (server/resources: error handling). */
export const errorCodes = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  resourceNotFound: -32002,
} as const;

/** An error as it goes over the wire, in both directions. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** What answers the other side: `signal` aborts when the request is cancelled. */
export interface Handlers {
  readonly request: (method: string, params: Json, signal: AbortSignal) => unknown;
  readonly notification: (method: string) => void;
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** One side of a JSON-RPC connection, a message on each line (basic/transports: stdio). */
export class Peer {
  readonly #write: (line: string) => void;
  readonly #handlers: Handlers;
  /** Requests of this side without an answer. */
  readonly #waiting = new Map<unknown, Waiting>();
  /** Requests of the other side in progress. */
  readonly #working = new Map<unknown, AbortController>();
  #lastId = 0;

  constructor(write: (line: string) => void, handlers: Handlers) {
    this.#write = write;
    this.#handlers = handlers;
  }

  notify(method: string, params: Json = {}): void {
    this.#send({ method, params });
  }

  /**
   * Asks the other side. When the signal aborts, the other side is notified of the cancellation.
   *
   * @throws RpcError with the answer of the other side.
   */
  async ask(method: string, params: Json, signal: AbortSignal): Promise<Json> {
    signal.throwIfAborted();
    const id = ++this.#lastId;
    const cancel = (): void => {
      this.notify('notifications/cancelled', {
        requestId: id,
        reason: 'The request it was for is cancelled.',
      });
      this.#waiting.get(id)?.reject(new Error('cancelled'));
    };
    signal.addEventListener('abort', cancel);
    try {
      const result = await new Promise<unknown>((resolve, reject) => {
        this.#waiting.set(id, { resolve, reject });
        this.#send({ id, method, params });
      });
      return isJson(result) ? result : {};
    } finally {
      signal.removeEventListener('abort', cancel);
      this.#waiting.delete(id);
    }
  }

  /** Takes one line from the other side. */
  receive(line: string): void {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      this.#fail(undefined, new RpcError(errorCodes.parse, 'This line is not JSON.'));
      return;
    }
    // Since 2025-06-18 there are no batches.
    if (!isJson(message) || message['jsonrpc'] !== '2.0') {
      this.#fail(
        undefined,
        new RpcError(errorCodes.invalidRequest, 'This is not a message of JSON-RPC 2.0.'),
      );
      return;
    }
    const { id, method, params } = message;
    if (typeof method !== 'string') {
      this.#answered(message);
    } else if (id === undefined) {
      this.#notified(method, isJson(params) ? params : {});
    } else if (typeof id === 'string' || typeof id === 'number') {
      void this.#work(id, method, params);
    } else {
      this.#fail(undefined, new RpcError(errorCodes.invalidRequest, 'The id must be a string or a number.'));
    }
  }

  #answered({ id, result, error }: Json): void {
    const waiting = this.#waiting.get(id);
    if (isJson(error)) {
      waiting?.reject(new RpcError(Number(error['code']), String(error['message']), error['data']));
    } else {
      waiting?.resolve(result);
    }
  }

  #notified(method: string, params: Json): void {
    if (method === 'notifications/cancelled') {
      this.#working.get(params['requestId'])?.abort();
    } else {
      this.#handlers.notification(method);
    }
  }

  async #work(id: string | number, method: string, params: unknown): Promise<void> {
    const controller = new AbortController();
    this.#working.set(id, controller);
    try {
      if (params !== undefined && !isJson(params)) {
        throw new RpcError(errorCodes.invalidParams, 'The parameters must be an object.');
      }
      const result = await this.#handlers.request(method, params ?? {}, controller.signal);
      if (!controller.signal.aborted) {
        this.#send({ id, result });
      }
    } catch (error) {
      // A cancelled request gets no answer (basic/utilities/cancellation).
      if (!controller.signal.aborted) {
        this.#fail(id, error);
      }
    } finally {
      this.#working.delete(id);
    }
  }

  #fail(id: string | number | undefined, error: unknown): void {
    const { code, message, data } =
      error instanceof RpcError ? error : new RpcError(errorCodes.internal, String(error));
    this.#send({
      ...(id !== undefined && { id }),
      error: { code, message, ...(data !== undefined && { data }) },
    });
  }

  #send(message: Json): void {
    this.#write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }
}

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
