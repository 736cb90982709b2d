import { isRecord } from '../../base/values/record.ts';
import type { LedgerContent } from './ledgerContent.ts';
import { isEntry, type LedgerEntry } from './ledgerEntry.ts';

/** An entry as a line of a file; its content as JSON, or as a string if it was cut. */
export function ledgerLineOf(entry: LedgerEntry, { args, result }: LedgerContent = {}): string {
  const content = {
    ...(args !== undefined && { args: parsed(args) }),
    ...(result !== undefined && { result: parsed(result) }),
  };
  return `${JSON.stringify({ ...entry, ...content })}\n`;
}

/** The entry in a line; undefined if the line is invalid, or from a later version. */
export function readLedgerLine(
  line: string,
): { readonly entry: LedgerEntry; readonly content?: LedgerContent } | undefined {
  const value = parsed(line);
  if (!isRecord(value)) {
    return undefined;
  }
  const { args, result, ...entry } = value;
  if (!isEntry(entry)) {
    return undefined;
  }
  const content: LedgerContent = {
    ...(args !== undefined && { args: textOf(args) }),
    ...(result !== undefined && { result: textOf(result) }),
  };
  return args === undefined && result === undefined ? { entry } : { entry, content };
}

function textOf(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content);
}

/** The value of a JSON text, or the text itself if it isn't JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
