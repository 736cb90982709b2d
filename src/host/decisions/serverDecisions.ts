import type { ServerId } from '../config/serverDefinition.ts';
import type { KeptByServer, Successor } from '../config/keptByServer.ts';
import type { Decision, KeptDecision } from './decision.ts';
import { keyOfDecision } from './decisionKey.ts';
import { isDenial, type DecisionStore } from './decisionStore.ts';

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
      .find(({ serverId }) => serverId === id)
      .filter((decision) => decision.key === keyOfDecision(decision, this.#store.remoteName));
  }

  /** The fingerprints of the launches that something was said of. */
  launchesOf(id: ServerId): readonly string[] {
    return this.of(id).flatMap((decision) => (decision.kind === 'launch' ? [decision.fingerprint] : []));
  }

  /** Of a server that had that name before only denials go on: what it was given was not given to this one. */
  async copy(from: ServerId, { id, label }: Successor): Promise<void> {
    for (const left of this.of(id)) {
      if (!isDenial(left)) {
        await this.#store.forget(left.id);
      }
    }
    for (const decision of this.of(from)) {
      const copied = { ...decisionOf(decision), serverId: id, label };
      const key = keyOfDecision(copied, this.#store.remoteName);
      if (!this.#store.get(key) && !this.#store.isUnreadable(key)) {
        await this.#store.put({ ...copied, key });
      }
    }
  }

  /** Permissions first, in case this is cut short; gives what can be given to `restore`. */
  async forget(id: ServerId): Promise<void> {
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
