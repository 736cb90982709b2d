/** How long a server that failed is left alone: `firstMs`, doubled after each try up to `maxMs`. */
export interface BackoffPolicy {
  readonly firstMs: number;
  readonly maxMs: number;
  /** Tries after the first failure; then the server stays failed until the person asks. */
  readonly tries: number;
  /** A server that ran this long had no trouble starting: the tries count anew. */
  readonly stableMs: number;
}

export const defaultBackoff: BackoffPolicy = { firstMs: 1_000, maxMs: 60_000, tries: 5, stableMs: 60_000 };
