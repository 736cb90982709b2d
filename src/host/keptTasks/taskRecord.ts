import { hasTexts } from '../../base/values/record.ts';
import type { FileKind } from '../auth/accounts/sealedFiles.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import type { TaskKey } from '../connection/requests/taskReport.ts';
import type { EntryKey } from '../ledger/ledger.ts';
import type { LedgerDecision, LedgerEntry } from '../ledger/ledgerEntry.ts';
import { isCaller, isDecision } from '../ledger/ledgerLine.ts';
import { isOwner, type TaskOwner } from './taskOwners.ts';

/** A call that has become a task of its server, as its entry in the activity has it. */
export interface CallOfTask extends EntryKey, Pick<LedgerEntry, 'caller' | 'server'> {
  readonly serverId: ServerId;
  readonly tool: string;
  readonly decision: LedgerDecision;
}

/** The task of a call as it is stored, encrypted: for this window until the call ends, and then for a later one. */
export interface TaskRecord extends CallOfTask {
  /** Identifies the workspace, as in the activity. */
  readonly workspace: string;
  readonly key: TaskKey;
  /** When the task was made, and until when the server keeps it, in milliseconds since the epoch. */
  readonly since: number;
  readonly until: number;
  /** Whether it has ended with a result, which the server keeps as long. */
  readonly hasResult: boolean;
  /** The window that follows it; undefined between two windows. */
  readonly owner?: TaskOwner | undefined;
}

export const taskFile: FileKind<TaskRecord, Pick<TaskRecord, 'id'>> = {
  name: 'task',
  parts: ({ id }) => [id],
  is: isTaskRecord,
};

function isTaskRecord(value: unknown): value is TaskRecord {
  if (!hasTexts(value, 'id', 'serverId', 'server', 'tool', 'workspace')) {
    return false;
  }
  const { at, sentBytes, since, until, caller, decision, key, hasResult, owner } = value as Readonly<
    Record<string, unknown>
  >;
  return (
    [at, sentBytes, since, until].every(Number.isFinite) &&
    isCaller(caller) &&
    isDecision(decision) &&
    hasTexts(key, 'id', 'place', 'era') &&
    (key.era === 'legacy' || key.era === 'modern') &&
    typeof hasResult === 'boolean' &&
    (owner === undefined || isOwner(owner))
  );
}
