import { isDeeperThan } from '../../base/values/isDeeperThan.ts';
import { issueClause, issuesClause, keysOf, kindOf, type Issue } from '../errors/schemaIssues.ts';
import { MAX_DEPTH } from '../json/weight.ts';
import type { Sdk } from '../sdk/loadSdk.ts';

/** The SDK's schemas of the specification. */
export type SpecSchemas = Pick<Sdk, 'isSpecType' | 'specTypeSchemas'>;
export type SpecType = keyof Sdk['isSpecType'];

/** A value that has its type, without members that the specification doesn't know; or what is wrong, as a clause. */
export type Checked = { readonly value: unknown } | { readonly fault: string };

/** Why a value can't be checked or compared, as a clause: it is nested too deeply. */
export function deepFault(value: unknown): string | undefined {
  return isDeeperThan(value, MAX_DEPTH) ? `it is nested more than ${MAX_DEPTH} levels deep` : undefined;
}

/** As `checkedAs`, for a value that may be nested too deeply. */
export function checkedDeep(schemas: SpecSchemas, type: SpecType, value: unknown): Checked {
  const fault = deepFault(value);
  return fault === undefined ? checkedAs(schemas, type, value) : { fault };
}

/** The value as the SDK's schema of that type gives it. It must not be nested too deeply. */
export function checkedAs(schemas: SpecSchemas, type: SpecType, value: unknown): Checked {
  const checked = validated(schemas, type, value);
  if (!checked?.issues) {
    return checked ?? { fault: 'it cannot be checked' };
  }
  const issues: readonly Issue[] = checked.issues;
  const [first, ...others] = issues;
  if (!first) {
    return { fault: 'it is not valid' };
  }
  const stood = valueAt(value, keysOf(first));
  const clause = issueClause(first, stood === undefined ? undefined : kindOf(stood));
  return { fault: issuesClause(clause, others.length) };
}

/** What the SDK's schema of that type has against a value, if anything. */
export function issuesOf(schemas: SpecSchemas, type: SpecType, value: unknown): readonly Issue[] | undefined {
  return validated(schemas, type, value)?.issues;
}

function validated(schemas: SpecSchemas, type: SpecType, value: unknown) {
  const checked = schemas.specTypeSchemas[type]['~standard'].validate(value);
  if (checked instanceof Promise) {
    // The validator itself has failed, and would be tried once more.
    checked.catch(() => {});
    return undefined;
  }
  return checked;
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
