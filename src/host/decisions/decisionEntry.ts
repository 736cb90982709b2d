import { hasTexts, isRecord, isTexts, type UnknownRecord } from '../../base/values/record.ts';
import type { Decision, DecisionKind } from './decision.ts';

/** The version that this code writes. */
const SCHEMA_VERSION = 1;

/** For each older version, what makes its entry one of the next version. */
export type Migrations = Readonly<Record<number, (entry: UnknownRecord) => UnknownRecord>>;

const migrations: Migrations = {};

/** A decision in its file. */
export interface Entry {
  readonly decision: Decision;
  /** The entries of the same key that you knew of when you decided: they no longer count. */
  readonly over: readonly string[];
}

/** What a file holds; `newer` was written by a later version of this extension, or is of a kind of a later version. */
export type ReadEntry =
  | { readonly kind: 'entry'; readonly entry: Entry }
  | { readonly kind: 'newer' | 'unreadable' };

export function entryText({ decision, over }: Entry): string {
  return `${JSON.stringify({ version: SCHEMA_VERSION, over, decision }, undefined, 2)}\n`;
}

export function readEntry(
  text: string,
  kindOf: (name: string) => DecisionKind | undefined,
  steps: Migrations = migrations,
  current = SCHEMA_VERSION,
): ReadEntry {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { kind: 'unreadable' };
  }
  if (!isRecord(json) || !Number.isInteger(json['version'])) {
    return { kind: 'unreadable' };
  }
  const version = Number(json['version']);
  if (version > current) {
    return { kind: 'newer' };
  }
  let entry: UnknownRecord = json;
  for (let from = version; from < current; from += 1) {
    const step = steps[from];
    if (!step) {
      return { kind: 'unreadable' };
    }
    entry = step(entry);
  }
  const { over, decision } = entry;
  if (!isTexts(over) || !isDecision(decision)) {
    return { kind: 'unreadable' };
  }
  const kind = kindOf(decision.kind);
  if (!kind) {
    return { kind: 'newer' };
  }
  return kind.isEntry(decision) ? { kind: 'entry', entry: { decision, over } } : { kind: 'unreadable' };
}

/** Whether the fields are those of every decision. */
function isDecision(value: unknown): value is Decision & UnknownRecord {
  return (
    isRecord(value) &&
    hasTexts(value, 'kind', 'key', 'serverId', 'label') &&
    typeof (value as UnknownRecord)['at'] === 'number'
  );
}
