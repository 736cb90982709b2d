import type { ProtocolEra } from './state/connectionState.ts';

/** What earlier starts of the same launch have found out. */
export interface EraCache {
  get(): Promise<CachedEra | undefined>;
  /** Undefined removes what turned out to be wrong. Never rejects. */
  set(era: CachedEra | undefined): Promise<void>;
}

export interface CachedEra {
  readonly era?: ProtocolEra | undefined;
  /** How the process ended with and without the probe, by `WayEnd.mark`. If alike, one try is enough next time. */
  readonly ends?: { readonly probed: string; readonly initialized: string } | undefined;
}
