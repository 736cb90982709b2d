import { schemaWithout } from '../../schemas/schemaWithout.ts';
import { canonicalJson } from '../../../base/canonicalJson.ts';

/** A schema does not change once it is there. */
const stripped = new WeakMap<object, unknown>();

/**
 * A schema as a model is given it, and as it is compared: without `$comment`, which nobody acts by (JSON Schema, core,
 * 8.3). As long as both are this one, nothing reaches a model that was not compared.
 */
export function withoutComments<T>(schema: T): T {
  if (typeof schema !== 'object' || schema === null) {
    return schema;
  }
  if (!stripped.has(schema)) {
    stripped.set(schema, schemaWithout(schema, isComment));
  }
  return stripped.get(schema) as T;
}

/** Only a text is none that a reference could make a schema of. */
function isComment(keyword: string, value: unknown): boolean {
  return keyword === '$comment' && typeof value === 'string';
}

/**
 * The text of a schema, equal exactly when what a model reads of it is; the order of its keys does not count.
 *
 * @throws RangeError when it is nested too deep.
 */
export function schemaText(schema: unknown): string {
  return canonicalJson(withoutComments(schema));
}

/** Keywords that say what a value has to be; what else stands in a schema describes it. */
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
 * The text of what a schema admits, whatever it says of it and in whatever order: by that a tool with another name is
 * recognised.
 *
 * @throws RangeError when it is nested too deep.
 */
export function shapeText(schema: unknown): string {
  return canonicalJson(
    schemaWithout(schema, (keyword) => !assertions.has(keyword)),
    'unordered',
  );
}
