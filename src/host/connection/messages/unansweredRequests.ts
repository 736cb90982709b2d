import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/client';

/**
 * The JSON-RPC requests of one connection that the server has not answered, including pings and those of the handshake;
 * `RequestsInFlight` has what you asked of the server. Messages about other requests are ignored
 * (basic/utilities/cancellation: an answer after the cancellation).
 */
export class UnansweredRequests {
  /** The method of each by its id as a string: some servers answer 7 with "7". */
  readonly #methods = new Map<string, string>();

  /** Whether there is no request except pings. */
  get isIdle(): boolean {
    return [...this.#methods.values()].every((method) => method === 'ping');
  }

  /** `cancelled` aborts when the end of its stream cancels a request; there is no message for that. */
  sent(message: JSONRPCMessage, cancelled?: AbortSignal): void {
    if (!('method' in message)) {
      return;
    }
    if ('id' in message) {
      if (message.method === 'initialize') {
        // The SDK no longer waits for the probe before it.
        this.#methods.clear();
      }
      const id = String(message.id);
      this.#methods.set(id, message.method);
      cancelled?.addEventListener('abort', () => this.#methods.delete(id), { once: true });
    } else if (message.method === 'notifications/cancelled') {
      const { requestId } = message.params as { readonly requestId?: RequestId };
      this.#methods.delete(String(requestId));
    }
  }

  /** Call when a message did not reach the server. */
  unsent(message: JSONRPCMessage): void {
    if ('method' in message && 'id' in message) {
      this.#methods.delete(String(message.id));
    }
  }

  /**
   * The method of the request that a message answers, which ends the request; undefined for any other message of the server.
   * False for an answer or progress that belongs to none of these requests: the SDK would take an answer to `null` for the
   * one to its first request.
   */
  takes(message: JSONRPCMessage): string | undefined | false {
    if (!('method' in message)) {
      const id = String(message.id);
      const method = this.#methods.get(id);
      return this.#methods.delete(id) && method;
    }
    if (message.method !== 'notifications/progress') {
      return undefined;
    }
    const { progressToken } = (message.params ?? {}) as { readonly progressToken?: unknown };
    return this.#methods.has(String(progressToken)) ? undefined : false;
  }
}
