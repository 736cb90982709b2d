/** The code of an error of the system (`ENOENT`) or of the protocol (`-32602`); undefined where there is none. */
export function errorCodeOf(error: unknown): string | number | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' || typeof code === 'number' ? code : undefined;
}
