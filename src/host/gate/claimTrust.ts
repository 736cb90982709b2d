import type { DecisionStore } from '../decisions/decisionStore.ts';
import { hasTexts } from '../../base/hasTexts.ts';
import type { Decision, DecisionKind } from '../decisions/decision.ts';
import type { ServerId } from '../config/serverDefinition.ts';

/** That what a server claims about its tools (`annotations`) is believed, as long as its launch is this one. */
interface TrustDecision extends Decision {
  readonly kind: 'trust';
  /** Of the launch. */
  readonly fingerprint: string;
}

export const trustDecisionKind: DecisionKind<TrustDecision> = {
  name: 'trust',
  isEntry: (fields) => hasTexts(fields, 'fingerprint'),
  keyParts: ({ fingerprint }) => [fingerprint],
  words: {
    what: () => 'is trusted in what it claims of its tools',
    detail: () => 'For its launch as it was then',
    undone: () => 'Reads of this server are asked about again, and its claims are no longer passed on.',
  },
};

/** Whose claims of their tools the person believes: each for one launch. */
export class ClaimTrust {
  readonly #store: DecisionStore;

  constructor(store: DecisionStore) {
    this.#store = store;
  }

  isTrusted(id: ServerId, launch: string): boolean {
    return this.#store.getOf(trustDecisionKind, this.#keyOf(id, launch))?.fingerprint === launch;
  }

  /** @throws what the file system says when it cannot be kept. */
  async trust(serverId: ServerId, label: string, launch: string, isTrusted: boolean): Promise<void> {
    const key = this.#keyOf(serverId, launch);
    this.#store.refresh(key);
    const kept = this.#store.get(key);
    if (isTrusted) {
      const decision: TrustDecision = {
        kind: 'trust',
        key,
        serverId,
        label,
        at: Date.now(),
        fingerprint: launch,
      };
      await this.#store.put(decision);
    } else if (kept) {
      await this.#store.forget(kept.id);
    }
  }

  #keyOf(id: ServerId, launch: string): string {
    return this.#store.keyOf(trustDecisionKind, id, launch);
  }
}
