import type { Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import type { LedgerEnd, LedgerEntry, LedgerRequest } from './ledgerEntry.ts';

/** A request that has not ended. */
export interface RunningRequest extends LedgerRequest {
  readonly id: string;
  readonly at: number;
  /** True once the server has been asked; before that the person is. */
  readonly isSent: boolean;
  cancel(): void;
}

/** Keeps the books on one request. */
export interface OpenEntry {
  /** The request goes to the server now. */
  sent(): void;
  /** What became of it; a second call does nothing. `secrets` are values that are written nowhere. */
  end(end: LedgerEnd, secrets?: Iterable<string>): void;
}

/** What the gate writes down of each request. */
export interface Ledger extends Disposable {
  /** An entry, a running request, or the filter of neither: something to show has changed. */
  readonly onDidChange: Event<void>;
  readonly running: readonly RunningRequest[];
  /** The latest entries, newest first. */
  readonly entries: readonly LedgerEntry[];
  begin(request: LedgerRequest, cancel: () => void): OpenEntry;
}
