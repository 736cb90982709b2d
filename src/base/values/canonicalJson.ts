import { isDeeperThan } from './isDeeperThan.ts';

/** How deep a value may be nested. Nobody could read a schema that is deeper. */
const DEPTH = 500;

/** Whether `canonicalJson` throws for a value. */
export function isNestedTooDeep(value: unknown): boolean {
  return isDeeperThan(value, DEPTH + 1);
}

/**
 * The text of a JSON value, equal exactly when the values are: the order of an object's fields does not count,
 * nor that of a list's items where they are `unordered`.
 *
 * @throws RangeError when it is nested too deep.
 */
export function canonicalJson(value: unknown, items: 'ordered' | 'unordered' = 'ordered', depth = 0): string {
  if (typeof value !== 'object' || value === null) {
    return JSON.stringify(value) ?? 'null';
  }
  if (depth > DEPTH) {
    throw new RangeError('a value is nested too deep');
  }
  if (Array.isArray(value)) {
    const texts = value.map((one) => canonicalJson(one, items, depth + 1));
    return `[${(items === 'unordered' ? texts.sort() : texts).join(',')}]`;
  }
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field, items, depth + 1)}`);
  return `{${fields.join(',')}}`;
}
