import { hasTexts } from '../../../base/hasTexts.ts';
import type { Decision, DecisionKind } from '../../decisions/decision.ts';
import type { DecisionStore } from '../../decisions/decisionStore.ts';
import type { ServerId } from '../../config/serverDefinition.ts';

/** That what a server showed was pinned: not a decision of yours, but kept with them, so that lost pins are noticed. */
interface PinnedDecision extends Decision {
  readonly kind: 'pinned';
  /** Of the launch. */
  readonly fingerprint: string;
}

export const pinnedDecisionKind: DecisionKind<PinnedDecision> = {
  name: 'pinned',
  isEntry: (fields) => hasTexts(fields, 'fingerprint'),
  keyParts: ({ fingerprint }) => [fingerprint],
};

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
    return this.#store.getOf(pinnedDecisionKind, key) !== undefined || this.#store.isUnreadable(key);
  }

  /** @throws what the file system says when it cannot be kept. */
  async add(serverId: ServerId, label: string, launch: string): Promise<void> {
    if (!this.has(serverId, launch)) {
      const key = this.#keyOf(serverId, launch);
      const decision: PinnedDecision = {
        kind: 'pinned',
        key,
        serverId,
        label,
        at: Date.now(),
        fingerprint: launch,
      };
      await this.#store.put(decision);
    }
  }

  #keyOf(id: ServerId, launch: string): string {
    return this.#store.keyOf(pinnedDecisionKind, id, launch);
  }
}
