import { isRecord } from '../../base/values/record.ts';
import { targetOf } from './jsonSchema.ts';

/** Levels of schemas; a validator recurses once for each. */
const MAX_SCHEMA_DEPTH = 64;
const MAX_SUBSCHEMAS = 20_000;

/** Keywords whose value is data, whatever it looks like. */
const dataKeywords: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'example', 'examples']);
/** Keywords whose value maps names of the author's choice to schemas. */
const mapKeywords: ReadonlySet<string> = new Set([
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
]);
const referenceKeywords = ['$ref', '$dynamicRef', '$recursiveRef'];

/**
 * Why a schema is not passed to a validator, as a clause: it is too deep or too large, or refers to what would
 * have to be fetched (server/tools: a reference to another document is never followed). Undefined if it
 * can be.
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

/** The first reference of a schema to a part that it doesn't have; undefined if there is none in the upper levels. */
export function unresolvedReference(schema: unknown): string | undefined {
  const left: Part[] = [{ value: schema, depth: 1, isMap: false }];
  for (let next = left.pop(); next && next.depth <= MAX_SCHEMA_DEPTH; next = left.pop()) {
    const { value, isMap } = next;
    const reference = isRecord(value) && !isMap ? value['$ref'] : undefined;
    const isPointer = typeof reference === 'string' && /^#(?:$|\/)/.test(reference);
    if (isPointer && targetOf(reference, schema) === undefined) {
      return reference;
    }
    left.push(...partsOf(next));
  }
  return undefined;
}

interface Part {
  readonly value: unknown;
  readonly depth: number;
  /** True for an object whose keys are names, not keywords. */
  readonly isMap: boolean;
}

/** What can be a schema in a schema, whether or not its keyword is known: a reference can point to it. */
function partsOf({ value, depth, isMap }: Part): readonly Part[] {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    return items.filter(isContainer).map((item) => ({ value: item, depth: depth + 1, isMap: false }));
  }
  return Object.entries(isRecord(value) ? value : {})
    .filter(([key, part]) => isContainer(part) && (isMap || !dataKeywords.has(key)))
    .map(([key, part]) => {
      const isNextMap = !isMap && mapKeywords.has(key) && isRecord(part);
      // A map, or the array of `allOf`, is one level with the schemas in it.
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
  // Not a keyword of JSON Schema: the validator would return a promise, and the check would end too early.
  return schema['$async'] === undefined ? undefined : "the schema has the keyword '$async'";
}

/** Whether a keyword with that value is left out. */
type IsLeftOut = (keyword: string, value: unknown) => boolean;

/**
 * A schema without some of its keywords, at every level; names that its author chose and data stay.
 * The same object if nothing is left out. What is too deep for a validator is unchanged.
 */
export function schemaWithout<T>(schema: T, isLeftOut: IsLeftOut): T {
  return without(schema, isLeftOut, false, 1) as T;
}

/** `isMap` where keys are names of the author's choice, not keywords. */
function without(value: unknown, isLeftOut: IsLeftOut, isMap: boolean, depth: number): unknown {
  if (depth > MAX_SCHEMA_DEPTH) {
    return value;
  }
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    const kept = items.map((item) => without(item, isLeftOut, false, depth + 1));
    return kept.every((item, index) => item === items[index]) ? value : kept;
  }
  if (!isRecord(value)) {
    return value;
  }
  const entries = Object.entries(value);
  const kept = entries
    .filter(([key, part]) => isMap || !isLeftOut(key, part))
    .map(([key, part]): [string, unknown] => [
      key,
      !isMap && dataKeywords.has(key)
        ? part
        : without(part, isLeftOut, !isMap && mapKeywords.has(key), depth + 1),
    ]);
  const isSame =
    kept.length === entries.length && kept.every(([, part], index) => part === entries[index]?.[1]);
  return isSame ? value : Object.fromEntries(kept);
}
