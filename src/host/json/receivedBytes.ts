/** Bytes of JSON as which a server has sent a value, where that is known. */
const known = new WeakMap<object, number>();

/** Remembers, as long as the value exists, in how many bytes it came: nobody needs to print it to find out. */
export function setReceivedBytes<T extends object>(value: T, bytes: number | undefined): T {
  if (bytes !== undefined) {
    known.set(value, bytes);
  }
  return value;
}

/** The bytes in which a value came; undefined if nobody has remembered them. */
export function receivedBytes(value: unknown): number | undefined {
  return typeof value === 'object' && value !== null ? known.get(value) : undefined;
}
