import type { LedgerRequest, SamplingFigures } from '../../../host/ledger/ledgerEntry.ts';

/** What a request is called in a row: which model a server's request went to is known in the end only, if it went. */
export function requestLabel({
  method,
  target,
  sampling,
}: Pick<LedgerRequest, 'method' | 'target'> & { readonly sampling?: SamplingFigures }): string {
  return method === 'sampling/createMessage' && sampling?.model === undefined ? 'Language model' : target;
}
