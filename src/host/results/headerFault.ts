import { isRecord } from '../../base/values/record.ts';
import type { Schema } from '../schemas/jsonSchema.ts';

const HEADER = 'x-mcp-header';
/** A token of RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const PRIMITIVES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);
/** Keywords with schemas that no chain of `properties` reaches. */
const unreachable = [
  'items',
  'prefixItems',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'propertyNames',
  'oneOf',
  'anyOf',
  'allOf',
  'not',
  'if',
  'then',
  'else',
];
/** The same, with names that the author chooses. */
const unreachableMaps = ['patternProperties', 'dependentSchemas', '$defs', 'definitions'];

/**
 * Why a client over HTTP must leave a tool out (2026-07-28, basic/transports, custom headers from tool parameters): its
 * schema asks for arguments in HTTP headers in an invalid way. A clause; undefined if the schema is valid. It must not be
 * nested too deeply.
 */
export function headerFault(inputSchema: unknown): string | undefined {
  return faultIn(inputSchema, [], true, new Set());
}

function faultIn(
  schema: unknown,
  path: readonly string[],
  isReachable: boolean,
  names: Set<string>,
): string | undefined {
  if (!isRecord(schema)) {
    return undefined;
  }
  return (
    (HEADER in schema ? ownFault(schema, path, isReachable, names) : undefined) ??
    firstFault(Object.entries(partsOf(schema['properties'])), ([name, part]) =>
      faultIn(part, [...path, name], isReachable, names),
    ) ??
    firstFault(unreachable, (keyword) =>
      firstFault([schema[keyword]].flat(), (part) => faultIn(part, [...path, keyword], false, names)),
    ) ??
    firstFault(unreachableMaps, (keyword) =>
      firstFault(Object.values(partsOf(schema[keyword])), (part) =>
        faultIn(part, [...path, keyword], false, names),
      ),
    )
  );
}

function ownFault(
  schema: Schema,
  path: readonly string[],
  isReachable: boolean,
  names: Set<string>,
): string | undefined {
  const { [HEADER]: header, type } = schema;
  const place = path.length === 0 ? 'the schema itself' : `\`${path.join('.').slice(0, 200)}\``;
  if (!isReachable || path.length === 0) {
    return `\`${HEADER}\` of ${place} is not allowed there`;
  }
  if (typeof header !== 'string' || !TOKEN.test(header)) {
    return `\`${HEADER}\` of ${place} is not a valid name of an HTTP header`;
  }
  if (!PRIMITIVES.has(type)) {
    return `${place} has \`${HEADER}\`, but is not a string, an integer or a boolean`;
  }
  if (names.has(header.toLowerCase())) {
    return `\`${HEADER}\` of ${place} names the same header as another parameter`;
  }
  names.add(header.toLowerCase());
  return undefined;
}

function firstFault<T>(parts: readonly T[], faultOf: (part: T) => string | undefined): string | undefined {
  for (const part of parts) {
    const fault = faultOf(part);
    if (fault !== undefined) {
      return fault;
    }
  }
  return undefined;
}

function partsOf(value: unknown): Schema {
  return isRecord(value) ? value : {};
}
