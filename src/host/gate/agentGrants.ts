import type { Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import type { ServerId } from '../config/serverDefinition.ts';

/** Which servers are offered to the editor's agent mode: each by an act of the person. */
export interface AgentGrants extends Disposable {
  readonly onDidChange: Event<void>;
  isGranted(id: ServerId): boolean;
  /** @throws what the file system says when the decision cannot be kept. */
  grant(id: ServerId, isGranted: boolean): Promise<void>;
}
