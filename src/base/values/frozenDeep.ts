/** Freezes a value that came from JSON, without going into parts that are frozen already; returns it. */
export function frozenDeep<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) {
    return value;
  }
  if (Array.isArray(value)) {
    value.forEach(frozenDeep);
  } else {
    for (const name in value) {
      frozenDeep(value[name]);
    }
  }
  return Object.freeze(value);
}
