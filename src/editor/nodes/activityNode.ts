import type { RunningRequest } from '../../host/ledger/ledger.ts';
import type { LedgerEntry } from '../../host/ledger/ledgerEntry.ts';

/** What the list of activity consists of. */
export type ActivityNode =
  /** `request` is the latest state of it. */
  | { readonly kind: 'running'; readonly id: string; request: RunningRequest }
  | { readonly kind: 'entry'; readonly id: string; readonly entry: LedgerEntry }
  | { readonly kind: 'more'; readonly id: string; readonly hidden: number };
