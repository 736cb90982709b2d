import type { Event } from '../../base/event.ts';
import type { WorkspaceFolder } from '../config/serverDefinition.ts';

/** The workspace's folders, in their order. */
export interface RootsSource {
  readonly folders: readonly WorkspaceFolder[];
  readonly onDidChange: Event<void>;
}
