import { hasTexts, isRecord, isTextRecord, isTexts, type UnknownRecord } from '../../base/values/record.ts';
import type { Decision, DecisionKind } from '../decisions/decision.ts';
import type { DecisionStore } from '../decisions/decisionStore.ts';
import type { ServerId } from '../config/serverDefinition.ts';
import type { RootsChoice } from './rootsChoice.ts';

/** Which folders one server can see; those that are added to a workspace it sees whole, too. */
export interface RootsDecision extends Decision, RootsChoice {
  readonly kind: 'roots';
  /** By its URI, the real path that each shared folder had when you shared it. */
  readonly realPaths?: Readonly<Record<string, string>>;
}

export const rootsDecisionKind: DecisionKind<RootsDecision> = {
  name: 'roots',
  isEntry: ({ folders, offered, subfolders, realPaths }) =>
    (folders === 'all' || isTexts(folders)) &&
    isTexts(offered) &&
    (subfolders === undefined || areSubfolders(subfolders)) &&
    (realPaths === undefined || isTextRecord(realPaths)),
  generosity: (decision) => sharedCount(decision),
  words: {
    what(decision) {
      const count = sharedCount(decision);
      if (count === Infinity) {
        return 'sees all folders';
      }
      return count === 1 ? 'sees one folder' : `sees ${count === 0 ? 'no' : count} folders`;
    },
    detail: ({ folders, offered }, shown) =>
      (folders === 'all' ? offered : folders).map((uri) => shown.uri(uri)).join(', '),
    undone: () =>
      'The server no longer sees any folder. You are asked when it asks for folders, or before it starts again.',
  },
};

/** How many folders a decision shares. */
function sharedCount({ folders, subfolders = [] }: RootsChoice): number {
  return folders === 'all' ? Infinity : folders.length + subfolders.filter(({ isShared }) => isShared).length;
}

function areSubfolders(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every(
      (one) =>
        isRecord(one) &&
        hasTexts(one, 'uri', 'within') &&
        typeof (one as UnknownRecord)['isShared'] === 'boolean',
    )
  );
}

/** What a new decision says; `at` for one that only records what it already meant. */
export type NewRoots = RootsChoice & Pick<RootsDecision, 'realPaths'> & { readonly at?: number };

/** What happens to a decision. */
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
    return this.#store.getOf(rootsDecisionKind, this.#keyOf(id));
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
        const decision: RootsDecision = { kind: 'roots', key, serverId, label, at: Date.now(), ...made };
        await this.#store.put(decision);
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
    return this.#store.keyOf(rootsDecisionKind, id);
  }
}
