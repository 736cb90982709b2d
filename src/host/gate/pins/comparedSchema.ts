import { schemaWithout } from '../../schemas/subschemas.ts';
import { canonicalJson } from '../../../base/values/canonicalJson.ts';

/** By the schema's object, which does not change. */
const stripped = new WeakMap<object, unknown>();

/**
 * A schema as a model gets it, and as it is compared: without `$comment`, which has no effect (JSON Schema, core,
 * 8.3). Because both are the same, nothing reaches a model that was not compared.
 */
export function withoutComments<T>(schema: T): T {
  if (typeof schema !== 'object' || schema === null) {
    return schema;
  }
  if (!stripped.has(schema)) {
    stripped.set(schema, mayHaveComments(schema) ? schemaWithout(schema, isComment) : schema);
  }
  return stripped.get(schema) as T;
}

/** A look at the text takes a tenth of the time: few schemas have comments. */
function mayHaveComments(schema: object): boolean {
  try {
    return JSON.stringify(schema).includes('"$comment"');
  } catch {
    // It is nested too deeply to be written.
    return true;
  }
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
