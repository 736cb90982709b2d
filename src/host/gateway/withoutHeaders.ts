import { isRecord } from '../tools/jsonSchema.ts';
import { dataKeywords, mapKeywords, MAX_SCHEMA_DEPTH } from '../tools/schemaBounds.ts';

/** Has a client repeat an argument in an HTTP header (basic/transports, custom headers from tool parameters). */
const HEADER = 'x-mcp-header';

/**
 * A tool's schema without its wish for HTTP headers: they are for those between a client and the server, and
 * nobody is between a client and the gateway, which would have to compare each with the argument. Clients do
 * without a tool whose wish is wrong, which says nothing of a server over stdio. What is too deep for
 * a validator stays as it is.
 */
export function withoutHeaders<T>(schema: T): T {
  return without(schema, false, 1) as T;
}

/** `isMap` where keys are names of the schema's author, and no keywords. */
function without(value: unknown, isMap: boolean, depth: number): unknown {
  if (depth > MAX_SCHEMA_DEPTH) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map((item) => without(item, false, depth + 1));
  }
  if (!isRecord(value)) {
    return value;
  }
  const entries = Object.entries(value).filter(([key]) => isMap || key !== HEADER);
  return Object.fromEntries(
    entries.map(([key, part]) => [
      key,
      !isMap && dataKeywords.has(key) ? part : without(part, !isMap && mapKeywords.has(key), depth + 1),
    ]),
  );
}
