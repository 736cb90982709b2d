import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isRecord } from '../../../base/values/record.ts';
import type { WantedLevel } from './logLevels.ts';

/** The keys of the level, and of the client's capabilities, in each request (2026-07-28, server/utilities/logging; basic). */
const LOG_LEVEL_KEY = 'io.modelcontextprotocol/logLevel';
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';

/** The extensions that this host has at 2026-07-28; at earlier revisions there are none. */
const extensions = { 'io.modelcontextprotocol/tasks': {} } as const;

/**
 * A message to a modern server. A request gets the level, without which the server sends no log messages, and the extensions
 * next to the capabilities that the SDK declares in it.
 */
export function withMeta(message: JSONRPCMessage, level: WantedLevel): JSONRPCMessage {
  if (!('method' in message) || !('id' in message)) {
    return message;
  }
  const { params } = message;
  const meta: Record<string, unknown> = { ...params?._meta };
  if (level !== 'off') {
    meta[LOG_LEVEL_KEY] = level;
  }
  const capabilities = meta[CAPABILITIES_KEY];
  if (isRecord(capabilities)) {
    const others = isRecord(capabilities['extensions']) ? capabilities['extensions'] : {};
    meta[CAPABILITIES_KEY] = { ...capabilities, extensions: { ...others, ...extensions } };
  }
  return { ...message, params: { ...params, _meta: meta } };
}
