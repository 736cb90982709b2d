import type { Sdk } from '../sdk/loadSdk.ts';

/** How deep an item of a list or a block of content may be nested; what is deeper nobody could compare or check. */
export const MAX_DEPTH = 256;
/** Characters of a place in a value, whose names are the server's. */
const MAX_PLACE = 200;

/** What of the SDK's schemas is asked. */
export type SpecSchemas = Pick<Sdk, 'isSpecType' | 'specTypeSchemas'>;
export type SpecType = keyof Sdk['isSpecType'];

interface Issue {
  readonly message: string;
  readonly path?: readonly unknown[] | undefined;
  readonly code?: string;
  readonly expected?: string;
  readonly values?: readonly unknown[];
}

/**
 * What is wrong with a value that should be of that type of the specification, as a clause such as
 * "`inputSchema.type` must be "object""; undefined for one that is as it should be.
 */
export function faultOf(schemas: SpecSchemas, type: SpecType, value: unknown): string | undefined {
  if (isDeeperThan(value, MAX_DEPTH)) {
    return `it is nested more than ${MAX_DEPTH} levels deep`;
  }
  // Asked first, because the other one answers with a promise where the validator itself fails.
  if (schemas.isSpecType[type](value)) {
    return undefined;
  }
  const checked = schemas.specTypeSchemas[type]['~standard'].validate(value);
  const issues: readonly Issue[] = 'issues' in checked ? (checked.issues ?? []) : [];
  const [first, ...others] = issues;
  if (!first) {
    return 'it is not valid';
  }
  const more = others.length > 0 ? `, and ${others.length} more` : '';
  return clauseOf(first, value) + more;
}

export function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  return depth === 0 || Object.values(value).some((part) => isDeeperThan(part, depth - 1));
}

function clauseOf(issue: Issue, whole: unknown): string {
  const keys = (issue.path ?? []).map((key) =>
    typeof key === 'object' && key !== null && 'key' in key ? key.key : key,
  );
  const place = keys.length > 0 ? `\`${placeOf(keys)}\`` : 'it';
  const value = valueAt(whole, keys);
  if (value === undefined) {
    return `${place} is missing`;
  }
  switch (issue.code) {
    case 'invalid_type':
      return `${place} must be ${withArticle(issue.expected ?? 'something else')}, not ${kindOf(value)}`;
    case 'invalid_value':
      return `${place} must be ${(issue.values ?? []).map((one) => JSON.stringify(one)).join(' or ')}`;
    case 'invalid_union':
      return `${place} is nothing that may stand there`;
    default:
      return `${place} is not valid: ${cut(issue.message)}`;
  }
}

/** As a person writes it: `arguments[0].name`. */
function placeOf(keys: readonly unknown[]): string {
  const place = keys
    .map((key, index) => (typeof key === 'number' ? `[${key}]` : `${index > 0 ? '.' : ''}${String(key)}`))
    .join('');
  return cut(place);
}

/** The mark tells that a secret may have been cut through. */
function cut(text: string): string {
  return text.length > MAX_PLACE ? `${text.slice(0, MAX_PLACE)}…` : text;
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

function withArticle(expected: string): string {
  switch (expected) {
    case 'array':
      return 'a list';
    case 'record':
    case 'object':
      return 'an object';
    case 'int':
      return 'a whole number';
    default:
      return `a ${expected}`;
  }
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'a list' : withArticle(typeof value);
}
