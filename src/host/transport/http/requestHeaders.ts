import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isRecord } from '../../../base/values/record.ts';

/** The key in `_meta` of the revision that a request is of, from 2026-07-28 on. */
const REVISION_KEY = 'io.modelcontextprotocol/protocolVersion';

/** Headers that say what a connection or a message already says: nothing else may set them. */
const reserved = new Set([
  'authorization',
  'dpop',
  'content-type',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'mcp-session-id',
]);

/** The parameter that `Mcp-Name` repeats, by method. */
const namedBy: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

/** The revision that a request names; undefined up to 2025-11-25, when only its connection has one. */
export function revisionIn(message: JSONRPCMessage): string | undefined {
  const revision = 'method' in message && 'id' in message ? message.params?._meta?.[REVISION_KEY] : undefined;
  return typeof revision === 'string' ? revision : undefined;
}

/**
 * The headers of a posted message: those of its connection, with what it says itself (2026-07-28,
 * basic/transports/streamable-http: standard request headers). `more` are headers of this message alone.
 */
export function postHeaders(
  connection: Headers,
  message: JSONRPCMessage,
  more: Readonly<Record<string, string>> = {},
): Headers {
  const headers = new Headers(connection);
  for (const [name, value] of Object.entries(more)) {
    if (!reserved.has(name.toLowerCase())) {
      headers.set(name, value);
    }
  }
  const revision = revisionIn(message);
  if (revision !== undefined && 'method' in message) {
    const { method, params } = message;
    headers.set('mcp-protocol-version', revision);
    headers.set('mcp-method', method);
    const named = params?.[namedBy.get(method) ?? ''];
    if (typeof named === 'string') {
      headers.set('mcp-name', headerValue(named));
    }
  }
  headers.set('content-type', 'application/json');
  const accepted = headers.get('accept')?.toLowerCase().split(',') ?? [];
  const types = [...accepted.map((type) => type.trim()), 'application/json', 'text/event-stream'];
  headers.set('accept', [...new Set(types)].join(', '));
  return headers;
}

/**
 * The headers that repeat the arguments of a call for which the tool's input schema names one (2026-07-28,
 * basic/transports, custom headers from tool parameters), which `headerFault` has checked.
 */
export function argumentHeaders(schema: unknown, args: unknown): Readonly<Record<string, string>> {
  const properties = isRecord(schema) ? schema['properties'] : undefined;
  if (!isRecord(properties) || !isRecord(args)) {
    return {};
  }
  const headers: Record<string, string> = {};
  for (const [name, part] of Object.entries(properties)) {
    const value = Object.hasOwn(args, name) ? args[name] : undefined;
    const header = isRecord(part) ? part['x-mcp-header'] : undefined;
    if (typeof header === 'string' && isHeaderValue(value)) {
      headers[`Mcp-Param-${header}`] = headerValue(String(value));
    }
    Object.assign(headers, argumentHeaders(part, value));
  }
  return headers;
}

/** A number that others may read as another one isn't sent. */
function isHeaderValue(value: unknown): value is string | boolean | number {
  return (
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    (Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value)))
  );
}

/** The headers of the GET for a stream of the connection. */
export function streamHeaders(connection: Headers): Headers {
  const headers = new Headers(connection);
  headers.set('accept', 'text/event-stream');
  return headers;
}

/** A text as a header can have it: in Base64 unless it is plain ASCII that no parser changes (2026-07-28). */
function headerValue(text: string): string {
  const isPlain =
    /^[\t\x20-\x7e]+$/.test(text) &&
    text.trim() === text &&
    !(text.startsWith('=?base64?') && text.endsWith('?='));
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}
