import type { DecisionStore } from '../decisions/decisionStore.ts';
import { keyOf } from '../decisions/decisionKey.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import { asDefined, type Exposure } from './exposure.ts';

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
    const decision = this.#store.get(this.#keyOf('exposure', id));
    return decision?.kind === 'exposure' ? decision : asDefined;
  }

  /** Changes run one after the other, each on what is decided at that moment, also by other windows. */
  expose(serverId: ServerId, label: string, make: (latest: Exposure) => Exposure): Promise<void> {
    const key = this.#keyOf('exposure', serverId);
    const done = this.#changing.then(async () => {
      this.#store.refresh(key);
      const { basis, except, newTools } = make(this.exposureOf(serverId));
      const kept = this.#store.get(key);
      if (basis !== 'definition' || except.length > 0 || newTools) {
        const exposure = { basis, except, ...(newTools && { newTools }) };
        await this.#store.put({ kind: 'exposure', key, serverId, label, ...exposure, at: Date.now() });
      } else if (kept) {
        await this.#store.forget(kept.id);
      }
    });
    this.#changing = done.catch(() => {});
    return done;
  }

  isTrusted(id: ServerId, launch: string): boolean {
    const decision = this.#store.get(this.#keyOf('trust', id, launch));
    return decision?.kind === 'trust' && decision.fingerprint === launch;
  }

  async trust(serverId: ServerId, label: string, launch: string, isTrusted: boolean): Promise<void> {
    const key = this.#keyOf('trust', serverId, launch);
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
    const key = this.#keyOf('pinned', id, launch);
    this.#store.refresh(key);
    return this.#store.get(key)?.kind === 'pinned' || this.#store.isUnreadable(key);
  }

  async markPinned(serverId: ServerId, label: string, launch: string): Promise<void> {
    if (!this.wasPinned(serverId, launch)) {
      await this.#put('pinned', serverId, label, launch);
    }
  }

  async #put(kind: 'trust' | 'pinned', serverId: ServerId, label: string, launch: string): Promise<void> {
    const key = this.#keyOf(kind, serverId, launch);
    await this.#store.put({ kind, key, serverId, label, fingerprint: launch, at: Date.now() });
  }

  #keyOf(kind: 'exposure' | 'trust' | 'pinned', id: ServerId, ...launch: readonly string[]): string {
    return keyOf(kind, this.#store.remoteName, id, ...launch);
  }
}
