import { isRecord } from '../../base/values/record.ts';
/** References that are followed in a row: a longer chain is taken as a circle. */
const MAX_REFERENCES = 16;

export type Schema = Readonly<Record<string, unknown>>;

/** A schema with its references resolved, and `null` taken out. */
export interface ResolvedSchema {
  readonly schema: Schema;
  /** True when `null` is allowed beside what `schema` says. */
  readonly isNullable: boolean;
}

/**
 * Follows local references (`#/$defs/…`) and takes `null` out of a union, as generators write optional
 * fields. Keywords beside a reference win over its target. Nothing is ever fetched.
 *
 * Undefined for what can't be resolved: another document, a circle, a missing target.
 */
export function resolveSchema(value: unknown, root: unknown): ResolvedSchema | undefined {
  let schema = value;
  let isNullable = false;
  for (let followed = 0; followed < MAX_REFERENCES; followed += 1) {
    if (schema === true) {
      return { schema: {}, isNullable };
    }
    if (!isRecord(schema)) {
      return undefined;
    }
    const { $ref, ...beside } = schema;
    if ($ref !== undefined) {
      const target = typeof $ref === 'string' ? targetOf($ref, root) : undefined;
      if (!isRecord(target)) {
        return undefined;
      }
      schema = { ...target, ...beside };
      continue;
    }
    const alternatives = withoutNull(schema);
    if (!alternatives) {
      return { schema, isNullable };
    }
    isNullable = true;
    schema = alternatives;
  }
  return undefined;
}

/** The schema without its alternative `null`; undefined when it has none. */
function withoutNull(schema: Schema): Schema | undefined {
  const { type, anyOf, oneOf, nullable, ...rest } = schema;
  if (Array.isArray(type)) {
    const others: readonly unknown[] = type.filter((name) => name !== 'null');
    return others.length < type.length && others.length === 1 ? { ...schema, type: others[0] } : undefined;
  }
  for (const union of [anyOf, oneOf]) {
    if (Array.isArray(union)) {
      const others: readonly unknown[] = union.filter((part) => !(isRecord(part) && part['type'] === 'null'));
      const [only] = others;
      return others.length < union.length && others.length === 1 && isRecord(only)
        ? { ...only, ...rest }
        : undefined;
    }
  }
  return nullable === true && type !== undefined ? { type, ...rest } : undefined;
}

/** What a reference of the form `#/$defs/Name` points to, by JSON Pointer (RFC 6901). */
export function targetOf(reference: string, root: unknown): unknown {
  if (reference !== '#' && !reference.startsWith('#/')) {
    return undefined;
  }
  let target = root;
  for (const part of reference.split('/').slice(1)) {
    const key = decoded(part)?.replaceAll('~1', '/').replaceAll('~0', '~');
    if (key === undefined || typeof target !== 'object' || target === null || !Object.hasOwn(target, key)) {
      return undefined;
    }
    target = (target as Schema)[key];
  }
  return target;
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

/** The type a schema names, or the one that its other keywords imply. */
export function typeOf(schema: Schema): string | undefined {
  const { type } = schema;
  if (typeof type === 'string') {
    return type;
  }
  if (Array.isArray(type)) {
    return type.length === 1 && typeof type[0] === 'string' ? type[0] : undefined;
  }
  if (isRecord(schema['properties'])) {
    return 'object';
  }
  return schema['items'] === undefined ? undefined : 'array';
}

export function textAt(schema: Schema, key: string): string | undefined {
  const value = schema[key];
  return typeof value === 'string' ? value : undefined;
}

export function numberAt(schema: Schema, key: string): number | undefined {
  const value = schema[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** The names that `required` lists. */
export function requiredNames(schema: Schema): ReadonlySet<string> {
  const { required } = schema;
  return new Set(Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []);
}
