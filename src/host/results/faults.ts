import { issueClause, issuesClause, keysOf, kindOf, type Issue } from '../errors/schemaIssues.ts';
import { MAX_DEPTH } from '../json/weight.ts';
import type { Sdk } from '../sdk/loadSdk.ts';

/** The SDK's schemas of the specification. */
export type SpecSchemas = Pick<Sdk, 'isSpecType' | 'specTypeSchemas'>;
export type SpecType = keyof Sdk['isSpecType'];

/**
 * What is wrong with a value that should have that type of the specification, as a clause such as
 * "`inputSchema.type` must be "object""; undefined if it is valid.
 */
export function faultOf(schemas: SpecSchemas, type: SpecType, value: unknown): string | undefined {
  if (isDeeperThan(value, MAX_DEPTH)) {
    return `it is nested more than ${MAX_DEPTH} levels deep`;
  }
  // First, because the other one returns a promise if the validator itself fails.
  if (schemas.isSpecType[type](value)) {
    return undefined;
  }
  const checked = schemas.specTypeSchemas[type]['~standard'].validate(value);
  const issues: readonly Issue[] = 'issues' in checked ? (checked.issues ?? []) : [];
  const [first, ...others] = issues;
  if (!first) {
    return 'it is not valid';
  }
  const stood = valueAt(value, keysOf(first));
  return issuesClause(issueClause(first, stood === undefined ? undefined : kindOf(stood)), others.length);
}

function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  if (depth === 0) {
    return true;
  }
  for (const name in value) {
    if (isDeeperThan((value as Readonly<Record<string, unknown>>)[name], depth - 1)) {
      return true;
    }
  }
  return false;
}

function valueAt(whole: unknown, keys: readonly unknown[]): unknown {
  let value = whole;
  for (const key of keys) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, String(key))) {
      return undefined;
    }
    value = (value as Readonly<Record<string, unknown>>)[String(key)];
  }
  return value;
}
