import type { Event } from '../../base/event.ts';
import type { ServerDefinition, ServerId } from '../config/serverDefinition.ts';
import type { DecisionStore } from './decisionStore.ts';
import { keyOf } from './decisionKey.ts';

/** Which of the workspace's definitions the person prefers to their own of the same name. */
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
    return keyOf('preference', this.#store.remoteName, id);
  }
}
