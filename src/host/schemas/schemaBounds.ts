import { isRecord } from '../../base/record.ts';

/** Schemas within schemas; a validator calls itself once for each. */
export const MAX_SCHEMA_DEPTH = 64;
const MAX_SUBSCHEMAS = 20_000;

/** Keywords whose value is data, whatever it looks like. */
export const dataKeywords: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'example', 'examples']);
/** Keywords whose value has names of the schema's author, with a schema each. */
export const mapKeywords: ReadonlySet<string> = new Set([
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
]);
const referenceKeywords = ['$ref', '$dynamicRef', '$recursiveRef'];

/**
 * Why a schema is not given to a validator, as a clause: it is too deep or too large, or refers to what would
 * have to be fetched (server/tools: a reference to another document is never followed). Undefined for one
 * that may be.
 */
export function schemaBeyondBounds(schema: unknown): string | undefined {
  const left: Part[] = [{ value: schema, depth: 1, isMap: false }];
  let count = 0;
  for (let next = left.pop(); next; next = left.pop()) {
    const { value, depth, isMap } = next;
    if (depth > MAX_SCHEMA_DEPTH) {
      return `the schema is more than ${MAX_SCHEMA_DEPTH} levels deep`;
    }
    count += isMap ? 0 : 1;
    if (count > MAX_SUBSCHEMAS) {
      return `the schema has more than ${MAX_SUBSCHEMAS} parts`;
    }
    const reason = isRecord(value) && !isMap ? unusableKeyword(value) : undefined;
    if (reason !== undefined) {
      return reason;
    }
    left.push(...partsOf(next));
  }
  return undefined;
}

interface Part {
  readonly value: unknown;
  readonly depth: number;
  /** True for an object whose keys are names, and no keywords. */
  readonly isMap: boolean;
}

/** What may be a schema in a schema, whether or not its keyword is known: a reference may lead to it. */
function partsOf({ value, depth, isMap }: Part): readonly Part[] {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    return items.filter(isContainer).map((item) => ({ value: item, depth: depth + 1, isMap: false }));
  }
  return Object.entries(isRecord(value) ? value : {})
    .filter(([key, part]) => isContainer(part) && (isMap || !dataKeywords.has(key)))
    .map(([key, part]) => {
      const isNextMap = !isMap && mapKeywords.has(key) && isRecord(part);
      // A map, or the array of `allOf`, is a level together with the schemas in it.
      return { value: part, depth: isNextMap || Array.isArray(part) ? depth : depth + 1, isMap: isNextMap };
    });
}

function isContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function unusableKeyword(schema: Readonly<Record<string, unknown>>): string | undefined {
  for (const keyword of referenceKeywords) {
    const reference = schema[keyword];
    if (typeof reference === 'string' && !reference.startsWith('#')) {
      return `the schema refers to another document, which is not fetched: ${reference.slice(0, 200)}`;
    }
  }
  // No keyword of JSON Schema: the validator would answer with a promise, which says nothing in time.
  return schema['$async'] === undefined ? undefined : "the schema has the keyword '$async'";
}
