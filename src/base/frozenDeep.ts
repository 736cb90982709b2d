/** Freezes a value as it came from JSON, down to parts that are frozen already; gives it back. */
export function frozenDeep<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) {
    return value;
  }
  Object.values(value).forEach(frozenDeep);
  return Object.freeze(value);
}
