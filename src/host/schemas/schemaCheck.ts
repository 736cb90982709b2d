import { runInNewContext } from 'node:vm';
import type { JsonSchemaType } from '@modelcontextprotocol/client';
import { isRecord } from '../../base/values/record.ts';
import { messageOf } from '../errors/hostError.ts';
import { loadSdk } from '../sdk/loadSdk.ts';
import { schemaBeyondBounds } from './subschemas.ts';

/** Milliseconds that a check may take: the patterns are the server's, and may run forever. */
const CHECK_MS = 1_000;
/** Characters of the validator's message: it names every item of a long list. */
const MAX_PROBLEM_TEXT = 20_000;

/** A schema that values can be checked against, or a clause that says why it can't be used. */
export type PreparedSchema =
  | {
      readonly kind: 'ready';
      /**
       * The validator's message about a value; undefined when it is valid.
       *
       * @throws an Error that says why values can't be checked, now and the next time.
       */
      readonly check: (value: unknown) => string | undefined;
    }
  | { readonly kind: 'unusable'; readonly reason: string };

/** Prepares the check of values against a server's schema, bounded in depth, parts and time (server/tools). */
export async function prepareSchema(schema: unknown): Promise<PreparedSchema> {
  const beyond = schemaBeyondBounds(schema);
  if (beyond !== undefined) {
    return { kind: 'unusable', reason: beyond };
  }
  const { AjvJsonSchemaValidator } = await loadSdk();
  try {
    // A new validator for each: schemas of two servers may have the same $id.
    const validate = inTime(() => {
      const validator = new AjvJsonSchemaValidator();
      ignoreInherited(validator, schema);
      return validator.getValidator(schema as JsonSchemaType);
    });
    let failure: Error | undefined;
    const check = (value: unknown): string | undefined => {
      if (failure) {
        throw failure;
      }
      try {
        const { valid, errorMessage } = inTime(() => validate(value));
        return valid ? undefined : errorMessage.slice(0, MAX_PROBLEM_TEXT);
      } catch (error) {
        failure = new Error(messageOf(error), { cause: error });
        throw failure;
      }
    };
    return { kind: 'ready', check };
  } catch (error) {
    return { kind: 'unusable', reason: messageOf(error) };
  }
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

/** Runs `work`, and ends it after `CHECK_MS` even in the middle of a regular expression. */
function inTime<T>(work: () => T): T {
  try {
    return runInNewContext('work()', { work }, { timeout: CHECK_MS }) as T;
  } catch (error) {
    const isTimeout = isRecord(error) && error['code'] === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
    throw isTimeout ? new Error(`the check took more than ${CHECK_MS} ms`, { cause: error }) : error;
  }
}
