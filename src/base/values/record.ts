/** An object whose fields nobody has checked. */
export type UnknownRecord = Readonly<Record<string, unknown>>;

/** True for an object that isn't an array: what JSON calls an object. */
export function isRecord(value: unknown): value is UnknownRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether each field has a text. */
export function isTextRecord(value: unknown): value is Readonly<Record<string, string>> {
  return isRecord(value) && isTexts(Object.values(value));
}

export function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

/** True for an object with a text under each of these names. */
export function hasTexts<K extends string>(
  value: unknown,
  ...names: readonly K[]
): value is UnknownRecord & Readonly<Record<K, string>> {
  return isRecord(value) && names.every((name) => typeof value[name] === 'string');
}

/** Those of the named members that are there. */
export function picked<T extends object, K extends keyof T>(from: T, ...names: readonly K[]): Pick<T, K> {
  const members: Partial<T> = {};
  for (const name of names) {
    if (from[name] !== undefined) {
      members[name] = from[name];
    }
  }
  return members as Pick<T, K>;
}
