import { isRecord } from '../../base/values/record.ts';
import { thisMachine, type Machine } from '../processes/groupRecord.ts';
import type { KnownProcess, ProcessTable } from '../processes/processTable.ts';

/** The window that follows a task: its extension host. */
export interface TaskOwner {
  readonly machine: Machine;
  readonly host: KnownProcess;
}

/** Which window follows a task. */
export interface TaskOwners {
  /** This window. */
  readonly self: TaskOwner;
  /** Whether the window is certainly gone. */
  isGone(owner: TaskOwner): Promise<boolean>;
}

/** Windows as the system knows their processes. */
export function taskOwners(table: ProcessTable): TaskOwners {
  const machine = thisMachine();
  return {
    self: { machine, host: { pid: process.pid, start: table.startOf(process.pid) ?? 0 } },
    isGone: async (owner) => {
      if (owner.machine.name !== machine.name) {
        return false;
      }
      return owner.machine.boot !== machine.boot || !(await table.isRunning(owner.host));
    },
  };
}

export function isOwner(value: unknown): value is TaskOwner {
  const { machine, host } = isRecord(value) ? value : {};
  return (
    isRecord(machine) &&
    [machine['name'], machine['boot']].every((text) => typeof text === 'string') &&
    isRecord(host) &&
    [host['pid'], host['start']].every(Number.isSafeInteger)
  );
}
