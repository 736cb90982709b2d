import type { Event } from '../../base/lifetime/event.ts';
import type { ServerDefinition, ServerId } from '../config/serverDefinition.ts';
import type { Decision, DecisionKind } from '../decisions/decision.ts';
import type { DecisionStore } from '../decisions/decisionStore.ts';

/** That a definition runs instead of the one of the same name that takes precedence. */
export const preferenceDecisionKind: DecisionKind<Decision & { readonly kind: 'preference' }> = {
  name: 'preference',
  isEntry: () => true,
  words: {
    what: () => 'runs instead of another definition of the same name',
    detail: () => 'A definition that another one would hide',
    undone: () => 'The definition that takes precedence runs again instead of it.',
  },
};

/** Which definitions you prefer to those of the same name that take precedence. */
export class Preferences {
  readonly onDidChange: Event<void>;
  readonly #store: DecisionStore;

  constructor(store: DecisionStore) {
    this.#store = store;
    this.onDidChange = store.onDidChange;
  }

  isPreferred(id: ServerId): boolean {
    return this.#store.get(this.#keyOf(id)) !== undefined;
  }

  async prefer({ id, name }: ServerDefinition): Promise<void> {
    const about = { serverId: id, label: name, at: Date.now() };
    await this.#store.put({ kind: 'preference', key: this.#keyOf(id), ...about });
  }

  async takeBack(id: ServerId): Promise<void> {
    const kept = this.#store.get(this.#keyOf(id));
    if (kept) {
      await this.#store.forget(kept.id);
    }
  }

  #keyOf(id: ServerId): string {
    return this.#store.keyOf(preferenceDecisionKind, id);
  }
}
