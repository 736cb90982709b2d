import type { JsonSchemaType } from '@modelcontextprotocol/client';
import { isRecord } from '../../base/values/record.ts';
import type { Sdk } from '../sdk/loadSdk.ts';

/** Characters of the validator's message: it names every item of a long list. */
const MAX_PROBLEM_TEXT = 20_000;

/** The validator's message about a value; undefined when it is valid. */
export type SchemaCheck = (value: unknown) => string | undefined;

/** @throws an Error that says why the schema can't be used. */
export function compiledSchema(Validator: Sdk['AjvJsonSchemaValidator'], schema: unknown): SchemaCheck {
  // A new validator for each: schemas of two servers may have the same $id.
  const validator = new Validator();
  ignoreInherited(validator, schema);
  const validate = validator.getValidator(schema as JsonSchemaType);
  return (value) => {
    const { valid, errorMessage } = validate(value);
    return valid ? undefined : errorMessage.slice(0, MAX_PROBLEM_TEXT);
  };
}

/**
 * Lets a property be called `toString` or `constructor`: what each object inherits does not count as given. The SDK has no
 * option for that, so that of its validator is set.
 */
function ignoreInherited(validator: object, schema: unknown): void {
  const engineFor: unknown = Reflect.get(validator, '_engineFor');
  const engine: unknown =
    typeof engineFor === 'function' ? Reflect.apply(engineFor, validator, [schema]) : undefined;
  const options = isRecord(engine) ? engine['opts'] : undefined;
  if (isRecord(options)) {
    Object.assign(options, { ownProperties: true });
  }
}
