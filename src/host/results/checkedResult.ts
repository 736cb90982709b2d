import type { StandardSchemaV1 } from '@modelcontextprotocol/client';
import type { Issue } from '../errors/schemaIssues.ts';
import type { Schema } from '../schemas/jsonSchema.ts';

/** The key of the outcome of our own check. JSON has no symbols: no server can write one. */
const OUTCOME = Symbol('outcome');

/** What a schema says about a value (Standard Schema, version 1). */
type Outcome = { readonly value: unknown } | { readonly issues: readonly { readonly message: string }[] };

/**
 * What the SDK gets in place of a result that was checked here: `shown`, which is little, so that its check takes no time.
 * With `issues`, the request fails.
 */
export function inPlaceOf(result: unknown, shown: Schema, issues?: readonly Issue[]): Schema {
  // As the SDK writes them, in one message.
  const outcome = issues ? { issues: [{ message: JSON.stringify(issues) }] } : { value: result };
  return { ...shown, [OUTCOME]: outcome };
}

const checked = {
  '~standard': {
    version: 1,
    vendor: 'mcp-host',
    validate: (value: unknown): Outcome =>
      (value as { readonly [OUTCOME]?: Outcome } | undefined)?.[OUTCOME] ?? { value },
  },
};

/**
 * The schema of the result of any request: gives the one that was checked here (`SoundMessages`), and any other one as it was
 * received.
 */
export function asChecked<T = unknown>(): StandardSchemaV1<unknown, T> {
  return checked as StandardSchemaV1<unknown, T>;
}
