import type { LaunchedGroup } from './processTable.ts';

/** Knows each process group that a transport started, while it runs. */
export interface ProcessRegistry {
  /**
   * Call in the same turn as the spawn, before the leader's id can belong to another process. `mark` is in the environment
   * of the launch.
   */
  add(leader: number, mark: string): RegisteredGroup;
}

export interface RegisteredGroup {
  /** Ends the group by `endGroup`, which may be after its leader, and what has left it. Resolves within four seconds. */
  end(endGroup: () => Promise<void>): Promise<void>;
}

/** Knows no process group. */
export const unregistered: ProcessRegistry = { add: () => ({ end: (endGroup) => endGroup() }) };

/** Keeps the process groups that run, for what ends them when this host is gone. */
export interface GroupKeeper {
  begun(group: LaunchedGroup): void;
  /** The whole group has ended. */
  gone(group: LaunchedGroup): void;
  /** Resolves when nothing is written or runs for this host any longer. */
  close(): Promise<void>;
}
