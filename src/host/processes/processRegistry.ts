import type { Disposable } from '../../base/disposable.ts';

/** Is told of each process group that a transport starts, while it lives. */
export interface ProcessRegistry {
  /**
   * Call in the same turn as the spawn, when the leader's id cannot be another's yet. Dispose what this gives when
   * nothing of the group is left, which may be after its leader.
   */
  add(leader: number): Disposable;
}

/** Where nobody wants to know. */
export const unregistered: ProcessRegistry = { add: () => ({ dispose() {} }) };
