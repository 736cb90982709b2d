import type { DecisionStore } from '../decisions/decisionStore.ts';
import { keyOf } from '../decisions/decisionKey.ts';
import type { ServerId } from '../config/serverDefinition.ts';

/** Whose claims of their tools the person believes: each for one launch. */
export class ClaimTrust {
  readonly #store: DecisionStore;

  constructor(store: DecisionStore) {
    this.#store = store;
  }

  isTrusted(id: ServerId, launch: string): boolean {
    const decision = this.#store.get(this.#keyOf(id, launch));
    return decision?.kind === 'trust' && decision.fingerprint === launch;
  }

  /** @throws what the file system says when it cannot be kept. */
  async trust(serverId: ServerId, label: string, launch: string, isTrusted: boolean): Promise<void> {
    const key = this.#keyOf(serverId, launch);
    this.#store.refresh(key);
    const kept = this.#store.get(key);
    if (isTrusted) {
      await this.#store.put({ kind: 'trust', key, serverId, label, fingerprint: launch, at: Date.now() });
    } else if (kept) {
      await this.#store.forget(kept.id);
    }
  }

  #keyOf(id: ServerId, launch: string): string {
    return keyOf('trust', this.#store.remoteName, id, launch);
  }
}
