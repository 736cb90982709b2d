import { hasTexts } from '../../base/values/record.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import type { Decision, DecisionKind } from '../decisions/decision.ts';
import type { DecisionStore } from '../decisions/decisionStore.ts';
import { asDefined, type Exposure, exposureDecisionKind, type ExposureDecision } from './exposure.ts';

/** A decision that holds for one launch of a server. */
interface LaunchedDecision extends Decision {
  readonly kind: 'trust' | 'pinned';
  /** The fingerprint of the launch. */
  readonly fingerprint: string;
}

const ofLaunch: Pick<DecisionKind<LaunchedDecision>, 'isEntry' | 'keyParts'> = {
  isEntry: (fields) => hasTexts(fields, 'fingerprint'),
  keyParts: ({ fingerprint }) => [fingerprint],
};

/** That a server's claims about its tools (`annotations`) are trusted. */
export const trustDecisionKind: DecisionKind<LaunchedDecision> = {
  name: 'trust',
  ...ofLaunch,
  words: {
    what: () => 'has trusted tool labels',
    detail: () => 'For its launch at that time',
    undone: () =>
      'You are asked about reads of this server again, and its tool labels are no longer passed on.',
  },
};

/** That a server's tools were pinned: not a decision of yours, but kept with them, so that lost pins are noticed. */
export const pinnedDecisionKind: DecisionKind<LaunchedDecision> = { name: 'pinned', ...ofLaunch };

/**
 * Your decisions about a server's tools: which are exposed, and, for one launch, whether its claims are trusted. With
 * them is kept of which launches something was pinned: without these decisions you are asked about the launch again,
 * and without the pins alone MCP Host knows that they are lost.
 *
 * What changes something throws what the file system says when it can't be kept.
 */
export class ToolDecisions {
  readonly #store: DecisionStore;
  #changing: Promise<unknown> = Promise.resolve();

  constructor(store: DecisionStore) {
    this.#store = store;
  }

  exposureOf(id: ServerId): Exposure {
    return this.#store.getOf(exposureDecisionKind, this.#store.keyOf(exposureDecisionKind, id)) ?? asDefined;
  }

  /** Changes run one after the other, each on what is decided at that moment, also by other windows. */
  expose(serverId: ServerId, label: string, make: (latest: Exposure) => Exposure): Promise<void> {
    const key = this.#store.keyOf(exposureDecisionKind, serverId);
    const done = this.#changing.then(async () => {
      this.#store.refresh(key);
      const { basis, except, newTools } = make(this.exposureOf(serverId));
      const kept = this.#store.get(key);
      if (basis !== 'definition' || except.length > 0 || newTools) {
        const exposure = { basis, except, ...(newTools && { newTools }) };
        const at = Date.now();
        const decision: ExposureDecision = { kind: 'exposure', key, serverId, label, at, ...exposure };
        await this.#store.put(decision);
      } else if (kept) {
        await this.#store.forget(kept.id);
      }
    });
    this.#changing = done.catch(() => {});
    return done;
  }

  isTrusted(id: ServerId, launch: string): boolean {
    const key = this.#store.keyOf(trustDecisionKind, id, launch);
    return this.#store.getOf(trustDecisionKind, key)?.fingerprint === launch;
  }

  async trust(serverId: ServerId, label: string, launch: string, isTrusted: boolean): Promise<void> {
    const key = this.#store.keyOf(trustDecisionKind, serverId, launch);
    this.#store.refresh(key);
    const kept = this.#store.get(key);
    if (isTrusted) {
      await this.#put('trust', serverId, label, launch);
    } else if (kept) {
      await this.#store.forget(kept.id);
    }
  }

  /** Whether something was pinned, also by other windows until now; an unreadable decision may say so. */
  wasPinned(id: ServerId, launch: string): boolean {
    const key = this.#store.keyOf(pinnedDecisionKind, id, launch);
    this.#store.refresh(key);
    return this.#store.getOf(pinnedDecisionKind, key) !== undefined || this.#store.isUnreadable(key);
  }

  async markPinned(serverId: ServerId, label: string, launch: string): Promise<void> {
    // In memory mostly, and what is there needs no look at the disk.
    const key = this.#store.keyOf(pinnedDecisionKind, serverId, launch);
    if (!this.#store.getOf(pinnedDecisionKind, key) && !this.wasPinned(serverId, launch)) {
      await this.#put('pinned', serverId, label, launch);
    }
  }

  async #put(kind: 'trust' | 'pinned', serverId: ServerId, label: string, launch: string): Promise<void> {
    const key = this.#store.keyOf(
      kind === 'trust' ? trustDecisionKind : pinnedDecisionKind,
      serverId,
      launch,
    );
    const decision: LaunchedDecision = { kind, key, serverId, label, at: Date.now(), fingerprint: launch };
    await this.#store.put(decision);
  }
}
