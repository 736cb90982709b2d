import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/client';
import { isRecord } from '../../base/record.ts';

/**
 * The message that a value is; undefined when it is none (basic: ids are strings or integers, and never
 * null). The SDK knows no member besides those of JSON-RPC, and drops a message with one, or with
 * `"params": null`, `"error": null` or `"_meta": null`, without a word to whoever waits for it: such members are left out. An error
 * without an id is the answer to `addressee`, where there can be no other.
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

/** The response; what is malformed in it becomes an error, so that whoever waits for it hears so at once. */
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
    const { _meta: meta, ...rest } = result;
    if (meta === undefined || isRecord(meta)) {
      return { jsonrpc, id, result };
    }
    if (meta === null) {
      return { jsonrpc, id, result: rest };
    }
  }
  return {
    jsonrpc: '2.0',
    id,
    error: { code: -32603, message: 'The answer is no response of JSON-RPC 2.0.' },
  };
}
