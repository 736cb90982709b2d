import type { StandardSchemaV1 } from '@modelcontextprotocol/client';
import { isRecord } from '../../base/values/record.ts';
import type { Schema } from '../schemas/jsonSchema.ts';
import { issuesOf, type SpecSchemas, type SpecType } from './faults.ts';

/** The key of the outcome of our own check. JSON has no symbols: no server can write one. */
const OUTCOME = Symbol('outcome');

/** What a schema says about a value (Standard Schema, version 1). */
type Outcome = { readonly value: unknown } | { readonly issues: readonly { readonly message: string }[] };

/** What the SDK gets in place of a result that was checked here: `shown`, which is little, so that its check takes no time. */
export function inPlaceOf(result: unknown, shown: Schema): Schema {
  return withOutcome({ value: result }, shown);
}

/** As `inPlaceOf`, but the request fails if `shown` isn't of that type. */
export function inPlaceIfSound(schemas: SpecSchemas, type: SpecType, result: unknown, shown: Schema): Schema {
  const issues = issuesOf(schemas, type, shown);
  // As the SDK writes them, in one message.
  return issues
    ? withOutcome({ issues: [{ message: JSON.stringify(issues) }] }, shown)
    : inPlaceOf(result, shown);
}

/**
 * The schema of the result of any request: gives the one that was checked here (`SoundMessages`), and any other one as it was
 * received.
 */
export function asChecked<T = unknown>(): StandardSchemaV1<unknown, T> {
  return checked as StandardSchemaV1<unknown, T>;
}

const checked = {
  '~standard': {
    version: 1,
    vendor: 'mcp-host',
    validate: (value: unknown): Outcome => outcomeIn(value) ?? { value },
  },
};

function outcomeIn(shown: unknown): Outcome | undefined {
  return isRecord(shown) ? (shown as { readonly [OUTCOME]?: Outcome })[OUTCOME] : undefined;
}

function withOutcome(outcome: Outcome, shown: Schema): Schema {
  return { ...shown, [OUTCOME]: outcome };
}
