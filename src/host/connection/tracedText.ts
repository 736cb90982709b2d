import { isRecord } from '../../base/record.ts';
import { lightBounds, logBounds } from '../errors/bounds.ts';
import { excessOf } from '../json/weight.ts';

/** A message as a log that traces shows it: of a large one, what it is. */
export function tracedText(message: unknown): string {
  if (excessOf(message, lightBounds) === undefined) {
    return JSON.stringify(message);
  }
  const { jsonrpc, id, method, result, error, params } = isRecord(message) ? message : {};
  const large = Object.entries({ result, error, params }).find(([, value]) => value !== undefined);
  const names = isRecord(large?.[1]) ? Object.keys(large[1]).slice(0, 20) : [];
  const text = JSON.stringify({ jsonrpc, id, method, ...(large && { [large[0]]: names }) });
  return `${text.slice(0, logBounds.messageCharacters)} (too large to be shown whole)`;
}
