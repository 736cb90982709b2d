/** Whether something kept or handed over is an object with a text under each of these names. */
export function hasTexts<T, K extends string>(
  value: T,
  ...names: readonly K[]
): value is T & Readonly<Record<K, string>> {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  const record = value as Readonly<Record<string, unknown>>;
  return names.every((name) => typeof record[name] === 'string');
}
