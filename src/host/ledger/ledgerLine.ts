import { isRecord } from '../../base/values/record.ts';
import type { LedgerContent } from './ledgerContent.ts';
import {
  ledgerDecisions,
  ledgerMethods,
  ledgerOutcomes,
  type LedgerCaller,
  type LedgerDecision,
  type LedgerEntry,
} from './ledgerEntry.ts';

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

function isEntry(value: object): value is LedgerEntry {
  const entry: Partial<Record<keyof LedgerEntry, unknown>> = value;
  return (
    isCaller(entry.caller) &&
    [entry.id, entry.serverId, entry.server, entry.target].every((text) => typeof text === 'string') &&
    [entry.at, entry.durationMs, entry.sentBytes, entry.receivedBytes].every(Number.isFinite) &&
    isOneOf(ledgerMethods, entry.method) &&
    isDecision(entry.decision) &&
    isOneOf(ledgerOutcomes, entry.outcome) &&
    (entry.workspace === undefined || typeof entry.workspace === 'string') &&
    (entry.problem === undefined || typeof entry.problem === 'string') &&
    (entry.task === undefined || entry.task === 'ended' || entry.task === 'gone') &&
    (entry.count === undefined || Number.isInteger(entry.count)) &&
    (entry.sampling === undefined || isFigures(entry.sampling))
  );
}

function isFigures(value: unknown): boolean {
  return (
    isRecord(value) &&
    (value['model'] === undefined || typeof value['model'] === 'string') &&
    Number.isFinite(value['inputTokens']) &&
    Number.isFinite(value['outputTokens']) &&
    typeof value['isEdited'] === 'boolean'
  );
}

export function isDecision(value: unknown): value is LedgerDecision {
  return isOneOf(ledgerDecisions, value);
}

export function isCaller(caller: unknown): caller is LedgerCaller {
  if (!isRecord(caller)) {
    return false;
  }
  switch (caller['kind']) {
    case 'extension':
      return typeof caller['id'] === 'string' && typeof caller['label'] === 'string';
    case 'chat':
      return typeof caller['isInChat'] === 'boolean';
    default:
      return ['person', 'agentMode', 'server'].includes(String(caller['kind']));
  }
}

function isOneOf(names: readonly string[], value: unknown): boolean {
  return typeof value === 'string' && names.includes(value);
}
