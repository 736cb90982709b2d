/** The pause before a failed server is started again: `firstMs`, doubled after each try up to `maxMs`. */
export interface BackoffPolicy {
  readonly firstMs: number;
  readonly maxMs: number;
  /** Tries after the first failure; then the server stays failed until the user starts it. */
  readonly tries: number;
  /** After a server ran this long, its tries are counted from zero again. */
  readonly stableMs: number;
}

export const defaultBackoff: BackoffPolicy = { firstMs: 1_000, maxMs: 60_000, tries: 5, stableMs: 60_000 };
