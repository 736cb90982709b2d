/** Whether two values of JSON are the same. */
export function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || one === null || typeof other !== 'object' || other === null) {
    return one === other;
  }
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  return (
    Array.isArray(one) === Array.isArray(other) &&
    keys.length === others.length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame(memberOf(one, key), memberOf(other, key)))
  );
}

export function memberOf(value: object, key: string): unknown {
  return (value as Readonly<Record<string, unknown>>)[key];
}
