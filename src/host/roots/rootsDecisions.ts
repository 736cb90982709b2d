import type { RootsDecision } from '../decisions/decision.ts';
import type { DecisionStore } from '../decisions/decisionStore.ts';
import { keyOf } from '../decisions/decisionKey.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import type { RootsChoice } from './rootsChoice.ts';

/** What a decision is made anew of; `at` for one that only records what it already meant. */
export type NewRoots = RootsChoice & Pick<RootsDecision, 'realPaths'> & { readonly at?: number };

/** What becomes of a decision. */
export type Made = NewRoots | 'forget' | 'nothing';

/** The decisions on roots, one for each server, by the remote and the server. */
export class RootsDecisions {
  readonly #store: DecisionStore;
  #changing: Promise<unknown> = Promise.resolve();

  constructor(store: DecisionStore) {
    this.#store = store;
  }

  /** The decision as it is known here. */
  of(id: ServerId): RootsDecision | undefined {
    const decision = this.#store.get(this.#keyOf(id));
    return decision?.kind === 'roots' ? decision : undefined;
  }

  /**
   * Keeps what `make` gives; changes follow one after the other. `latest` is what counts at the moment,
   * also by other windows.
   *
   * @throws what the file system says when the decision cannot be kept.
   */
  change(
    serverId: ServerId,
    label: string,
    make: (latest: () => RootsDecision | undefined) => Made | Promise<Made>,
  ): Promise<void> {
    const key = this.#keyOf(serverId);
    const done = this.#changing.then(async () => {
      const made = await make(() => {
        this.#store.refresh(key);
        return this.of(serverId);
      });
      if (typeof made === 'object') {
        await this.#store.put({ kind: 'roots', key, serverId, label, at: Date.now(), ...made });
      } else if (made === 'forget') {
        await this.#forget(key);
      }
    });
    this.#changing = done.catch(() => {});
    return done;
  }

  async #forget(key: string): Promise<void> {
    const known = this.#store.get(key);
    if (known) {
      await this.#store.forget(known.id);
    }
  }

  /** Resolved when every change so far has been made, or has failed. */
  async settled(): Promise<void> {
    await this.#changing;
  }

  #keyOf(id: ServerId): string {
    return keyOf('roots', this.#store.remoteName, id);
  }
}
