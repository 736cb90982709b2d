import { jsonFormat, type RecordFormat } from '../../base/files/recordFormat.ts';
import { hasTexts, isRecord, isTexts, type UnknownRecord } from '../../base/values/record.ts';
import type { Decision, DecisionKind } from './decision.ts';

/** A decision in its file. */
export interface Entry {
  /** The entries of the same key that you knew of when you decided: they no longer count. */
  readonly over: readonly string[];
  readonly decision: Decision;
}

/** Entries of this version; those of an unknown kind are of a later one. */
export function entryFormat(
  kindOf: (name: string) => DecisionKind | undefined,
  isNameOf: (name: string, key: string) => boolean,
): RecordFormat<Entry> {
  return jsonFormat(({ over, decision }, name) => {
    if (!isTexts(over) || !isDecision(decision)) {
      return undefined;
    }
    const kind = kindOf(decision.kind);
    if (!kind) {
      return 'newer';
    }
    return kind.isEntry(decision) && isNameOf(name, decision.key) ? { over, decision } : undefined;
  }, 1);
}

/** Whether the fields are those of every decision. */
function isDecision(value: unknown): value is Decision & UnknownRecord {
  return (
    isRecord(value) &&
    hasTexts(value, 'kind', 'key', 'serverId', 'label') &&
    typeof (value as UnknownRecord)['at'] === 'number'
  );
}
