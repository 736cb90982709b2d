import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/client';

export interface PostedRequest {
  readonly kind: 'request';
  readonly id: RequestId;
  readonly method: string;
}

/** The kinds of messages that the SDK posts, as far as their responses are handled differently. */
export type Posted =
  | PostedRequest
  | { readonly kind: 'cancelled'; readonly id: RequestId }
  | { readonly kind: 'initialized' }
  | { readonly kind: 'other' };

export function posted(body: unknown): Posted {
  const message = JSON.parse(String(body)) as JSONRPCMessage;
  if (!('method' in message)) {
    return { kind: 'other' };
  }
  if ('id' in message) {
    return { kind: 'request', id: message.id, method: message.method };
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
 * The id of the request that a server's message responds to. Our ids are numbers; some servers return 7 as "7", which is
 * wrong (JSON-RPC 2.0: the same id), but can only be the response to that request.
 */
export function answeredBy(message: unknown): RequestId | null | undefined {
  const { method, id } = (message ?? {}) as { readonly method?: unknown; readonly id?: RequestId | null };
  if (method !== undefined) {
    return undefined;
  }
  return typeof id === 'string' && String(Number(id)) === id ? Number(id) : id;
}

/** Whether a message is the response to that request. */
export function isAnswerTo(request: RequestId, message: unknown): boolean {
  return answeredBy(message) === request;
}
