/** Freezes a value that came from JSON, without going into parts that are frozen already; returns it. */
export function frozenDeep<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) {
    return value;
  }
  Object.values(value).forEach(frozenDeep);
  return Object.freeze(value);
}
