import { schemaWithout } from '../../schemas/subschemas.ts';
import { canonicalJson } from '../../../base/values/canonicalJson.ts';

/** Those that have comments, by the schema's object, which does not change. */
const stripped = new WeakMap<object, unknown>();
/** Levels that are searched for comments. */
const MAX_LOOK = 256;

/**
 * A schema as a model gets it, and as it is compared: without `$comment`, which has no effect (JSON Schema, core,
 * 8.3). Because both are the same, nothing reaches a model that was not compared.
 */
export function withoutComments<T>(schema: T): T {
  if (typeof schema !== 'object' || schema === null || !mayHaveComments(schema)) {
    return schema;
  }
  if (!stripped.has(schema)) {
    stripped.set(schema, schemaWithout(schema, isComment));
  }
  return stripped.get(schema) as T;
}

/** Few schemas have comments: a look takes a fiftieth of the time. */
function mayHaveComments(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  if (depth > MAX_LOOK) {
    return true;
  }
  if (Array.isArray(value)) {
    return value.some((part) => mayHaveComments(part, depth + 1));
  }
  for (const name in value) {
    if (
      name === '$comment' ||
      mayHaveComments((value as Readonly<Record<string, unknown>>)[name], depth + 1)
    ) {
      return true;
    }
  }
  return false;
}

/** Only a text: a reference could use an object as a schema. */
function isComment(keyword: string, value: unknown): boolean {
  return keyword === '$comment' && typeof value === 'string';
}

/**
 * The text of a schema, equal exactly when a model reads the same; the order of its keys does not count.
 *
 * @throws RangeError when it is nested too deeply.
 */
export function schemaText(schema: unknown): string {
  return canonicalJson(withoutComments(schema));
}

/** Keywords that constrain a value; the others describe it. */
const assertions: ReadonlySet<string> = new Set(
  [
    '$ref $dynamicRef $recursiveRef type nullable enum const format pattern multipleOf maximum',
    'exclusiveMaximum minimum exclusiveMinimum maxLength minLength maxItems minItems uniqueItems',
    'maxContains minContains maxProperties minProperties required dependentRequired dependencies',
    'dependentSchemas properties patternProperties additionalProperties unevaluatedProperties',
    'propertyNames items prefixItems contains additionalItems unevaluatedItems allOf anyOf oneOf not',
    'if then else',
  ]
    .join(' ')
    .split(' '),
);

/**
 * The text of what a schema admits, without descriptions and whatever its order: it identifies a tool under another
 * name.
 *
 * @throws RangeError when it is nested too deeply.
 */
export function shapeText(schema: unknown): string {
  return canonicalJson(
    schemaWithout(schema, (keyword) => !assertions.has(keyword)),
    'unordered',
  );
}
