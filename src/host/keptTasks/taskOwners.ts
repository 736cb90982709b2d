import { isSafeInteger, isShape, type Guard, type Shape } from '../../base/values/shape.ts';
import { isMachine, thisMachine } from '../processes/groupRecord.ts';
import type { ProcessTable } from '../processes/processTable.ts';

const ownerFields = { machine: isMachine, host: isShape({ pid: isSafeInteger, start: isSafeInteger }) };

/** The window that follows a task: its extension host. */
export type TaskOwner = Shape<typeof ownerFields>;

export const isOwner: Guard<TaskOwner> = isShape(ownerFields);

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
