/** How deep a value may be nested: what is deeper is no schema that anybody could read. */
const DEPTH = 500;

/**
 * The text of a JSON value, equal exactly when the values are: the order of an object's fields does not count.
 *
 * @throws RangeError when it is nested too deep.
 */
export function canonicalJson(value: unknown, depth = 0): string {
  if (typeof value !== 'object' || value === null) {
    return JSON.stringify(value) ?? 'null';
  }
  if (depth > DEPTH) {
    throw new RangeError('a value is nested too deep');
  }
  if (Array.isArray(value)) {
    return `[${value.map((one) => canonicalJson(one, depth + 1)).join(',')}]`;
  }
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field, depth + 1)}`);
  return `{${fields.join(',')}}`;
}
