import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isRecord } from '../../../base/values/record.ts';

/** The key of the client's capabilities in each request (2026-07-28, basic). */
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';

/** The extensions that this host has at 2026-07-28; at earlier revisions there are none. */
const extensions = { 'io.modelcontextprotocol/tasks': {} } as const;

/** Declares the extensions in a request to a modern server, next to the capabilities that the SDK declares in it. */
export function withExtensions(message: JSONRPCMessage): JSONRPCMessage {
  if (!('method' in message) || !('id' in message)) {
    return message;
  }
  const { params } = message;
  const meta = params?._meta;
  const capabilities = meta?.[CAPABILITIES_KEY];
  if (!isRecord(capabilities)) {
    return message;
  }
  const others = isRecord(capabilities['extensions']) ? capabilities['extensions'] : {};
  const declared = { ...capabilities, extensions: { ...others, ...extensions } };
  return { ...message, params: { ...params, _meta: { ...meta, [CAPABILITIES_KEY]: declared } } };
}
