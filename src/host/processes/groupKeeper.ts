import type { KnownProcess } from './processTable.ts';

/** Keeps the process groups that live, for whoever is there after this host. */
export interface GroupKeeper {
  begun(group: KnownProcess): void;
  /** Nothing of the group is left. */
  gone(group: KnownProcess): void;
  /** Resolves when nothing more is written or runs on behalf of this host. */
  close(): Promise<void>;
}
