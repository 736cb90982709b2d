import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/client';
import { isRecord } from '../../../base/record.ts';

/**
 * The requests of one connection that the server still owes an answer. What it sends to any other is nobody's
 * (basic/utilities/cancellation: an answer that comes after the cancellation is ignored).
 */
export class OpenRequests {
  /** The method of each by its id, as a text: some servers answer 7 with "7". */
  readonly #open = new Map<string, string>();

  /** Whether the server has nothing to do for us but to say that it is there. */
  get isIdle(): boolean {
    return [...this.#open.values()].every((method) => method === 'ping');
  }

  /** `cancelled` aborts when a request is cancelled by the end of its stream, of which no message tells. */
  sent(message: JSONRPCMessage, cancelled?: AbortSignal): void {
    if (!('method' in message)) {
      return;
    }
    if ('id' in message) {
      if (message.method === 'initialize') {
        // The probe before it has been given up.
        this.#open.clear();
      }
      const id = String(message.id);
      this.#open.set(id, message.method);
      cancelled?.addEventListener('abort', () => this.#open.delete(id), { once: true });
    } else if (message.method === 'notifications/cancelled') {
      const { requestId } = message.params as { readonly requestId?: RequestId };
      this.#open.delete(String(requestId));
    }
  }

  /** The server never got it. */
  unsent(message: JSONRPCMessage): void {
    if ('method' in message && 'id' in message) {
      this.#open.delete(String(message.id));
    }
  }

  /** The method of the open request that a message answers. */
  methodAnsweredBy(message: JSONRPCMessage): string | undefined {
    return isRecord(message) && !('method' in message) ? this.#open.get(String(message.id)) : undefined;
  }

  /**
   * True for an answer to a request that is open, for its progress, and for all that is neither. The SDK would
   * take an answer to `null` for the one to its first request. Takes whatever the server has written.
   */
  takes(message: JSONRPCMessage): boolean {
    if (!isRecord(message)) {
      return true;
    }
    if (!('method' in message)) {
      return this.#open.delete(String(message.id));
    }
    if (message.method !== 'notifications/progress') {
      return true;
    }
    const { progressToken } = (message.params ?? {}) as { readonly progressToken?: unknown };
    return this.#open.has(String(progressToken));
  }
}
