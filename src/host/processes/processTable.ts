/** A process at a time at which it certainly had this id, which another process may have by now. */
export interface KnownProcess {
  readonly pid: number;
  /** From `ProcessTable.startOf`; only comparable on the same system. */
  readonly start: number;
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
}
