import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/client';
import { isRecord } from '../../base/values/record.ts';

/**
 * A value as a message; undefined if it isn't one (basic: ids are strings or integers, and never null). Members that
 * JSON-RPC doesn't know, and `"params": null`, `"error": null` and `"_meta": null`, are left out: the SDK drops messages
 * with them, and their requests would never end. An error without an id is the response to `addressee`, if given.
 */
export function asMessage(value: unknown, addressee?: RequestId): JSONRPCMessage | undefined {
  if (!isRecord(value)) {
    return undefined;
  }
  const { jsonrpc, method, params } = value;
  const isForNobody = (value['id'] ?? null) === null && 'error' in value && method === undefined;
  const id = isForNobody && addressee !== undefined ? addressee : value['id'];
  const hasId = typeof id === 'string' || Number.isSafeInteger(id);
  if (method === undefined) {
    return hasId && ('result' in value || 'error' in value)
      ? responseTo(id as string | number, value)
      : undefined;
  }
  if (
    jsonrpc !== '2.0' ||
    typeof method !== 'string' ||
    (!hasId && id !== undefined) ||
    !(params === undefined || params === null || isRecord(params))
  ) {
    return undefined;
  }
  return {
    jsonrpc,
    ...(hasId && { id: id as string | number }),
    method,
    ...(isRecord(params) && { params }),
  };
}

/** The response; a malformed one becomes an error, so that its request fails at once. */
function responseTo(
  id: string | number,
  { jsonrpc, result, error }: Readonly<Record<string, unknown>>,
): JSONRPCMessage {
  if (jsonrpc === '2.0' && isRecord(error)) {
    const { code, message, data } = error;
    if (Number.isSafeInteger(code) && typeof message === 'string') {
      return {
        jsonrpc,
        id,
        error: { code: code as number, message, ...(data !== undefined && { data }) },
      };
    }
  } else if (jsonrpc === '2.0' && (error === undefined || error === null) && isRecord(result)) {
    const meta = result['_meta'];
    if (meta === undefined || isRecord(meta)) {
      return { jsonrpc, id, result };
    }
    if (meta === null) {
      const { _meta: _, ...rest } = result;
      return { jsonrpc, id, result: rest };
    }
  }
  return {
    jsonrpc: '2.0',
    id,
    error: { code: -32603, message: 'The response is not valid JSON-RPC 2.0.' },
  };
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
