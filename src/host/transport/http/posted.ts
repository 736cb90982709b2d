import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/client';
import { asMessage } from '../receivedMessage.ts';

/** What a POST of the SDK carries, as far as its answer is treated differently. */
export type Posted =
  | { readonly kind: 'request'; readonly id: RequestId }
  | { readonly kind: 'cancelled'; readonly id: RequestId }
  | { readonly kind: 'initialized' }
  | { readonly kind: 'other' };

export function posted(body: unknown): Posted {
  const message = JSON.parse(String(body)) as JSONRPCMessage;
  if (!('method' in message)) {
    return { kind: 'other' };
  }
  if ('id' in message) {
    return { kind: 'request', id: message.id };
  }
  const cancelled = message.params?.['requestId'];
  switch (message.method) {
    case 'notifications/initialized':
      return { kind: 'initialized' };
    case 'notifications/cancelled':
      return typeof cancelled === 'number' || typeof cancelled === 'string'
        ? { kind: 'cancelled', id: cancelled }
        : { kind: 'other' };
    default:
      return { kind: 'other' };
  }
}

/**
 * The messages in a text of a server, which may be a batch (2025-03-26, basic: clients MUST receive them), as
 * `asMessage` gives them; what is none is left for the SDK to complain of. Undefined when it is no JSON.
 */
export function messagesIn(text: string): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return (Array.isArray(value) ? (value as unknown[]) : [value]).map((one) => asMessage(one) ?? one);
  } catch {
    return undefined;
  }
}

/** The id of the request that a message of a server answers. */
export function answeredBy(message: unknown): RequestId | null | undefined {
  const { method, id } = (message ?? {}) as { readonly method?: unknown; readonly id?: RequestId | null };
  return method === undefined ? id : undefined;
}

/** Whether a message answers that request; the SDK, too, takes "7" for 7. */
export function isAnswerTo(request: RequestId, message: unknown): boolean {
  const id = answeredBy(message);
  return id !== undefined && id !== null && String(id) === String(request);
}
