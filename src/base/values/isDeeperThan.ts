/** Whether objects and lists are nested in more levels than that. It stops there, however deep the rest is. */
export function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  if (depth === 0) {
    return true;
  }
  for (const name in value) {
    if (isDeeperThan((value as Readonly<Record<string, unknown>>)[name], depth - 1)) {
      return true;
    }
  }
  return false;
}
