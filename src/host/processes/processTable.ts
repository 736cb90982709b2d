/** A process at a time at which it certainly had this id, which another process may have by now. */
export interface KnownProcess {
  readonly pid: number;
  /** From `ProcessTable.startOf`; only comparable on the same system. */
  readonly start: number;
}

/** The leader of the group of a launch. */
export interface LaunchedGroup extends KnownProcess {
  /** Random; each process of the launch has it in its environment, as `MARK`, unless it has removed it. */
  readonly mark: string;
}

/** The variable with the mark of a launch. */
export const MARK = 'MCP_HOST_LAUNCH';

/** A process that a launch has started, and that has left its group. */
export interface OutsideProcess extends KnownProcess {
  readonly name: string;
  /** It is part of this editor, or has a terminal, where the user may be at work. */
  readonly isSpared: boolean;
}

/** Whether an id can be that of one of our groups: `kill(0)` signals the sender's group, and `kill(-1)` all processes. */
export function isGroupId(pid: unknown): pid is number {
  return Number.isSafeInteger(pid) && Number(pid) > 1;
}

/** What the system knows about its processes. The asynchronous methods reject if the system doesn't tell. */
export interface ProcessTable {
  /**
   * The start of a process, which identifies it together with its id. Call while the process certainly has the id: in the
   * same turn as its spawn, or for this process. Undefined if the system doesn't tell.
   */
  startOf(pid: number): number | undefined;
  /** Whether exactly that process runs. */
  isRunning(process: KnownProcess): Promise<boolean>;
  /** The ids of all running processes of exactly that leader's group, including the leader, which may be gone. */
  membersOf(leader: KnownProcess): Promise<readonly number[]>;
  /**
   * The running processes of this user that have the mark of a launch, or that a process of the launch started whose
   * parents still run, outside the group. `editor` is the process that started the extension host: what it started is part
   * of the editor.
   */
  outsidersOf(group: LaunchedGroup, editor: number): Promise<readonly OutsideProcess[]>;
}
