/** A process as it was while its id was certainly its own: by now the id may be another's. */
export interface KnownProcess {
  readonly pid: number;
  /** What `ProcessTable.startOf` gave; never compared with that of another system. */
  readonly start: number;
}

/** Whether an id can be that of a group of ours: to a signal 0 means the sender's own group, and 1 with a minus every process there is. */
export function isGroupId(pid: unknown): pid is number {
  return Number.isSafeInteger(pid) && Number(pid) > 1;
}

/** What the system knows of its processes. What is asynchronous is rejected when the system does not tell. */
export interface ProcessTable {
  /**
   * By what a process is known again. Ask while the id is certainly its own: in the turn of its spawn, or of oneself.
   * Undefined when the system does not tell.
   */
  startOf(pid: number): number | undefined;
  /** Whether exactly that process runs. */
  isRunning(process: KnownProcess): Promise<boolean>;
  /** The ids of all that run in exactly that leader's group, itself included; the leader may be gone. */
  membersOf(leader: KnownProcess): Promise<readonly number[]>;
}
