import type { Disposable } from '../../base/lifetime/disposable.ts';
import type { KnownProcess } from './processTable.ts';

/** Knows each process group that a transport started, while it runs. */
export interface ProcessRegistry {
  /**
   * Call in the same turn as the spawn, before the leader's id can belong to another process. Dispose the result when
   * the whole group has ended, which may be after its leader.
   */
  add(leader: number): Disposable;
}

/** Knows no process group. */
export const unregistered: ProcessRegistry = { add: () => ({ dispose() {} }) };

/** Keeps the process groups that run, for what ends them when this host is gone. */
export interface GroupKeeper {
  begun(group: KnownProcess): void;
  /** The whole group has ended. */
  gone(group: KnownProcess): void;
  /** Resolves when nothing is written or runs for this host any longer. */
  close(): Promise<void>;
}
