import { keyOf } from '../../decisions/decisionKey.ts';
import type { DecisionStore } from '../../decisions/decisionStore.ts';
import type { ServerId } from '../../config/serverDefinition.ts';

/**
 * Of which launches something was pinned, kept with the person's decisions: who loses these is asked about the launch
 * again, and who loses the pins alone is told.
 */
export class PinRecord {
  readonly #store: DecisionStore;

  constructor(store: DecisionStore) {
    this.#store = store;
  }

  /** Also by other windows until this moment; what cannot be read may say it. */
  has(id: ServerId, launch: string): boolean {
    const key = this.#keyOf(id, launch);
    this.#store.refresh(key);
    return this.#store.get(key)?.kind === 'pinned' || this.#store.isUnreadable(key);
  }

  /** @throws what the file system says when it cannot be kept. */
  async add(serverId: ServerId, label: string, launch: string): Promise<void> {
    if (!this.has(serverId, launch)) {
      const key = this.#keyOf(serverId, launch);
      await this.#store.put({ kind: 'pinned', key, serverId, label, fingerprint: launch, at: Date.now() });
    }
  }

  #keyOf(id: ServerId, launch: string): string {
    return keyOf('pinned', this.#store.remoteName, id, launch);
  }
}
