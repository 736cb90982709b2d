/** Takes `null` for what is left out, as many serializers write it; `except` names where it is a value. */
export function withoutNulls<T extends Readonly<Record<string, unknown>>>(record: T, except?: string): T {
  const isLeftOut = ([name, value]: readonly [string, unknown]): boolean => value === null && name !== except;
  return Object.entries(record).some(isLeftOut)
    ? (Object.fromEntries(Object.entries(record).filter((entry) => !isLeftOut(entry))) as T)
    : record;
}
