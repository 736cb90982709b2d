/** True for an object that isn't an array: what JSON calls an object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for an object with a text under each of these names. */
export function hasTexts<K extends string>(
  value: unknown,
  ...names: readonly K[]
): value is Readonly<Record<K, string>> {
  return isRecord(value) && names.every((name) => typeof value[name] === 'string');
}
