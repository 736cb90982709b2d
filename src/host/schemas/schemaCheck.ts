import { runInNewContext } from 'node:vm';
import type { JsonSchemaType } from '@modelcontextprotocol/client';
import { isRecord } from '../../base/record.ts';
import { messageOf } from '../errors/hostError.ts';
import { loadSdk } from '../sdk/loadSdk.ts';
import { schemaBeyondBounds } from './schemaBounds.ts';

/** Milliseconds that a schema may take: its patterns are the server's, and may run for ever. */
const CHECK_MS = 1_000;
/** Characters of what the validator says: it names every item of a long list. */
const MAX_PROBLEM_TEXT = 20_000;

/** A schema that values can be checked against, or why it cannot be used: a clause. */
export type PreparedSchema =
  | {
      readonly kind: 'ready';
      /**
       * What the validator says is wrong with a value; undefined when nothing is.
       *
       * @throws an Error that says why values cannot be checked; it will be so the next time, too.
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
    // A validator of its own: schemas of two servers may carry the same $id.
    const validate = inTime(() => new AjvJsonSchemaValidator().getValidator(schema as JsonSchemaType));
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

/** Runs `work`, and ends it after `CHECK_MS` even in the middle of a regular expression. */
function inTime<T>(work: () => T): T {
  try {
    return runInNewContext('work()', { work }, { timeout: CHECK_MS }) as T;
  } catch (error) {
    const isTimeout = isRecord(error) && error['code'] === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
    throw isTimeout ? new Error(`the check took more than ${CHECK_MS} ms`, { cause: error }) : error;
  }
}
