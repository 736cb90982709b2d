import type { ServerId } from '../config/serverDefinition.ts';
import type { KeptByServer, Successor } from '../config/keptByServer.ts';
import type { Decision, DecisionKind, KeptDecision } from './decision.ts';
import { isOf, type DecisionStore } from './decisionStore.ts';

/** Everything that was decided about one server, as a whole. */
export class ServerDecisions implements KeptByServer {
  readonly #store: DecisionStore;

  constructor(store: DecisionStore) {
    this.#store = store;
  }

  /** Of this remote, as they are on the disk now. */
  of(id: ServerId): readonly KeptDecision[] {
    this.#store.refresh();
    return this.#store
      .allAbout(id)
      .filter((decision) => decision.key === this.#store.keyOfDecision(decision));
  }

  /** As `of`, of one kind. */
  ofKind<D extends Decision>(kind: DecisionKind<D>, id: ServerId): readonly KeptDecision<D>[] {
    return this.of(id).filter((decision) => isOf(kind, decision));
  }

  /** Of a server that had that name before only denials go on: what it was given was not given to this one. */
  async copy(from: ServerId, { id, label }: Successor): Promise<void> {
    for (const left of this.of(id)) {
      if (!this.#store.isDenial(left)) {
        await this.#store.forget(left.id);
      }
    }
    for (const decision of this.of(from)) {
      const copied = { ...decisionOf(decision), serverId: id, label };
      const key = this.#store.keyOfDecision(copied);
      if (!this.#store.get(key) && !this.#store.isUnreadable(key)) {
        await this.#store.put({ ...copied, key });
      }
    }
  }

  /** Permissions first, in case this is cut short; gives what can be given to `restore`. */
  async forget(id: ServerId): Promise<void> {
    const isDenial = (decision: Decision): boolean => this.#store.isDenial(decision);
    const all = this.of(id);
    for (const { id: entry } of [...all.filter((one) => !isDenial(one)), ...all.filter(isDenial)]) {
      await this.#store.forget(entry);
    }
  }

  /** Keeps decisions again that were forgotten, unless something else was decided meanwhile. */
  async restore(decisions: readonly KeptDecision[]): Promise<void> {
    this.#store.refresh();
    for (const decision of decisions) {
      if (!this.#store.get(decision.key) && !this.#store.isUnreadable(decision.key)) {
        await this.#store.put(decisionOf(decision));
      }
    }
  }
}

/** Without the name of its entry. */
function decisionOf(kept: KeptDecision): Decision {
  const decision: Decision & { id?: string } = { ...kept };
  delete decision.id;
  return decision;
}
