import type { Disposable } from '../../base/lifetime/disposable.ts';
import { Emitter } from '../../base/lifetime/event.ts';
import type { DecisionStore } from '../decisions/decisionStore.ts';
import type { Decision, DecisionKind, KeptDecision } from '../decisions/decision.ts';
import type { ServerId } from '../config/serverDefinition.ts';

interface GrantDecision extends Decision {
  readonly kind: 'grant';
  /** Decided while chat had the same server from the editor or from Copilot, too. */
  readonly besideTwin?: true;
}

/** That a server is in chat: by agent mode, where the editor asks, or by MCP Host's own tools. */
export const grantDecisionKind: DecisionKind<GrantDecision> = {
  name: 'grant',
  isEntry: ({ besideTwin }) => besideTwin === undefined || besideTwin === true,
  words: {
    what: () => 'is in chat',
    detail: () => 'The editor asks about calls in agent mode, and MCP Host about others',
    undone: () => 'Chat no longer sees the server.',
  },
};

interface GrantOptions {
  /** For a server that is only about to be defined. */
  readonly label?: string;
  /** That you know that chat has the same server without MCP Host. */
  readonly besideTwin?: boolean;
}

/** Which servers are in chat: only those that you granted. */
export class AgentGrants implements Disposable {
  readonly #onDidChange = new Emitter<void>();
  /** A decision was made or revoked, here or in another window. */
  readonly onDidChange = this.#onDidChange.event;
  readonly #store: DecisionStore;
  readonly #labelOf: (id: ServerId) => string;
  readonly #listening: Disposable;

  /** `labelOf` gives a server's name as you see it, for the list of decisions. */
  constructor(store: DecisionStore, labelOf: (id: ServerId) => string = nameIn) {
    this.#store = store;
    this.#labelOf = labelOf;
    this.#listening = store.onDidChange(() => this.#onDidChange.fire());
  }

  dispose(): void {
    this.#listening.dispose();
    this.#onDidChange.dispose();
  }

  isGranted(id: ServerId): boolean {
    return this.#kept(id) !== undefined;
  }

  /** Whether you granted it although chat has the same server without MCP Host. */
  isGrantedBesideTwin(id: ServerId): boolean {
    return this.#kept(id)?.besideTwin === true;
  }

  /**
   * As `isGranted`, including decisions that other windows made until now.
   *
   * @param request that asks; see `DecisionStore.refreshFor`.
   */
  isGrantedNow(id: ServerId, request: object = {}): boolean {
    this.#store.refreshFor(request, this.#keyOf(id));
    return this.isGranted(id);
  }

  /** @throws what the file system says when the decision can't be stored. */
  async grant(
    id: ServerId,
    isGranted: boolean,
    { label = this.#labelOf(id), besideTwin = false }: GrantOptions = {},
  ): Promise<void> {
    const key = this.#keyOf(id);
    this.#store.refresh(key);
    const kept = this.#kept(id);
    if (isGranted && (!kept || (besideTwin && !kept.besideTwin))) {
      const about = { serverId: id, label, at: Date.now() };
      await this.#store.put({ kind: 'grant', key, ...about, ...(besideTwin && { besideTwin }) });
    } else if (!isGranted && kept) {
      await this.#store.forget(kept.id);
    }
  }

  #kept(id: ServerId): KeptDecision<GrantDecision> | undefined {
    return this.#store.getOf(grantDecisionKind, this.#keyOf(id));
  }

  #keyOf(id: ServerId): string {
    return this.#store.keyOf(grantDecisionKind, id);
  }
}

/** The name at the end of a server's identity. */
function nameIn(id: ServerId): string {
  return id.slice(id.lastIndexOf(' ') + 1);
}
