import { DisposableStore, type Disposable } from '../../base/lifetime/disposable.ts';
import type { Decision, DecisionKind, KeptDecision } from '../decisions/decision.ts';
import type { DecisionStore } from '../decisions/decisionStore.ts';
import { ServerDecisions } from '../decisions/serverDecisions.ts';
import type { DefinitionReading, ServerDefinition } from '../config/serverDefinition.ts';

/** That the sample server is in the list of servers. */
export const sampleDecisionKind: DecisionKind<Decision & { readonly kind: 'sample' }> = {
  name: 'sample',
  isEntry: () => true,
  words: {
    what: () => 'is in the Servers view',
    detail: () => 'It comes with MCP Host',
    undone: () => 'The sample server stops and leaves the Servers view.',
  },
};

/** Everything that was decided about the sample server when it was removed. */
export type RemovedSample = readonly KeptDecision[];

/**
 * Adds the sample server to the configured ones, as long as you want it there. That is a decision like
 * others: it holds in every window of this machine, and you can review and revoke it.
 */
export class AddedSample implements Disposable {
  readonly #decisions: DecisionStore;
  readonly #ofServer: ServerDecisions;
  readonly #definition: ServerDefinition;
  readonly #onRead: (reading: DefinitionReading) => void;
  readonly #store = new DisposableStore();
  /** What the files define; undefined before they are read for the first time. */
  #configured: DefinitionReading | undefined;
  #wasAdded: boolean;

  /** `onRead` gets what is configured, with the sample server while it is added. */
  constructor(
    decisions: DecisionStore,
    definition: ServerDefinition,
    onRead: (reading: DefinitionReading) => void,
  ) {
    this.#decisions = decisions;
    this.#ofServer = new ServerDecisions(decisions);
    this.#definition = definition;
    this.#onRead = onRead;
    this.#wasAdded = this.isAdded;
    this.#store.add(
      decisions.onDidChange(() => {
        if (this.isAdded !== this.#wasAdded) {
          this.#tell();
        }
      }),
    );
  }

  dispose(): void {
    this.#store.dispose();
  }

  get isAdded(): boolean {
    return this.#decisions.get(this.#key) !== undefined;
  }

  /** Takes what the files define. */
  read(configured: DefinitionReading): void {
    this.#configured = configured;
    this.#tell();
  }

  /** @throws what the file system says when it can't be stored. */
  async add(): Promise<void> {
    if (!this.isAdded) {
      const { id: serverId, name: label } = this.#definition;
      await this.#decisions.put({ kind: 'sample', key: this.#key, serverId, label, at: Date.now() });
    }
  }

  /**
   * Ends the server and forgets all decisions about it: one click leaves nothing behind, also no
   * folder shared with a server that is gone. If you try it again, you are asked again. Pass the result to `restore`.
   *
   * @throws what the file system says when it can't be stored.
   */
  async remove(): Promise<RemovedSample> {
    const id = this.#definition.id;
    const removed = this.#ofServer.of(id);
    // It ends before its permissions are gone, so that it does not ask for them.
    for (const own of removed.filter(({ kind }) => kind === 'sample')) {
      await this.#decisions.forget(own.id);
    }
    await this.#ofServer.forget(id);
    return removed;
  }

  /** Undoes `remove`. @throws as `remove`. */
  async restore(removed: RemovedSample): Promise<void> {
    // All its decisions are there before it is.
    await this.#ofServer.restore(
      removed.toSorted((a, b) => Number(a.kind === 'sample') - Number(b.kind === 'sample')),
    );
  }

  get #key(): string {
    return this.#decisions.keyOf(sampleDecisionKind, this.#definition.id);
  }

  #tell(): void {
    this.#wasAdded = this.isAdded;
    if (this.#configured) {
      const { definitions, problems } = this.#configured;
      const own = this.#wasAdded ? [this.#definition] : [];
      this.#onRead({ definitions: [...definitions, ...own], problems });
    }
  }
}
