import { DisposableStore, type Disposable } from '../../base/lifetime/disposable.ts';
import { hasTexts } from '../../base/values/record.ts';
import type { Decision, DecisionKind, KeptDecision } from '../decisions/decision.ts';
import type { DecisionStore } from '../decisions/decisionStore.ts';
import { ServerDecisions } from '../decisions/serverDecisions.ts';
import type { DefinitionReading, ServerDefinition, ServerId } from '../config/serverDefinition.ts';
import type { AddedRecording } from './addedDefinitions.ts';

/** That a recording is in the list of servers. */
type RecordingDecision = Decision & AddedRecording & { readonly kind: 'recording' };

const undone = (): string => 'The server stops and leaves the Servers view.';

/** That the sample server is in the list of servers. */
export const sampleDecisionKind: DecisionKind<Decision & { readonly kind: 'sample' }> = {
  name: 'sample',
  isEntry: () => true,
  words: { what: () => 'is in the Servers view', detail: () => 'It comes with MCP Host', undone },
};

export const recordingDecisionKind: DecisionKind<RecordingDecision> = {
  name: 'recording',
  isEntry: (fields) => hasTexts(fields, 'name', 'file', 'sha256'),
  words: { what: () => 'is in the Servers view', detail: ({ file }) => `The recording ${file}`, undone },
};

/** Everything that was decided about an added server when it was removed. */
export type RemovedServer = readonly KeptDecision[];

/** The programs of this extension that are servers. */
interface OwnServers {
  readonly sample: ServerDefinition;
  readonly recording: (added: AddedRecording) => ServerDefinition;
}

/**
 * Adds the sample server and recordings to the configured servers, as long as you want them there. That is a decision like
 * others: it holds in every window of this machine, and you can review and revoke it.
 */
export class AddedServers implements Disposable {
  readonly #decisions: DecisionStore;
  readonly #ofServer: ServerDecisions;
  readonly #own: OwnServers;
  readonly #onRead: (reading: DefinitionReading) => void;
  readonly #store = new DisposableStore();
  /** What the files define; undefined before they are read for the first time. */
  #configured: DefinitionReading | undefined;
  #told: string;

  /** `onRead` gets what is configured, with the servers that are added. */
  constructor(decisions: DecisionStore, own: OwnServers, onRead: (reading: DefinitionReading) => void) {
    this.#decisions = decisions;
    this.#ofServer = new ServerDecisions(decisions);
    this.#own = own;
    this.#onRead = onRead;
    this.#told = JSON.stringify(this.definitions);
    this.#store.add(
      decisions.onDidChange(() => {
        if (this.#told !== JSON.stringify(this.definitions)) {
          this.#tell();
        }
      }),
    );
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** The servers that are added now. */
  get definitions(): readonly ServerDefinition[] {
    const { sample, recording } = this.#own;
    const recordings = this.#decisions.allOf(recordingDecisionKind).toSorted((a, b) => a.at - b.at);
    const isSample = this.#decisions.getOf(sampleDecisionKind, this.#keyOf(sampleDecisionKind, sample));
    return [...(isSample ? [sample] : []), ...recordings.map(recording)];
  }

  /** Takes what the files define. */
  read(configured: DefinitionReading): void {
    this.#configured = configured;
    this.#tell();
  }

  /** @throws what the file system says when it can't be stored. */
  async addSample(): Promise<void> {
    const { sample } = this.#own;
    if (!this.definitions.includes(sample)) {
      await this.#decisions.put({ kind: 'sample', ...this.#about(sampleDecisionKind, sample) });
    }
  }

  /** Adds a recording as it is now, also in place of what the same file was before. @throws as `addSample`. */
  async addRecording(recording: AddedRecording): Promise<ServerDefinition> {
    const definition = this.#own.recording(recording);
    const { name, file, sha256 } = recording;
    const decision: RecordingDecision = {
      kind: 'recording',
      ...this.#about(recordingDecisionKind, definition),
      name,
      file,
      sha256,
    };
    await this.#decisions.put(decision);
    return definition;
  }

  /**
   * Ends a server and forgets all decisions about it: one click leaves nothing behind, also no
   * folder shared with a server that is gone. If you add it again, you are asked again. Pass the result to `restore`.
   *
   * @throws as `addSample`.
   */
  async remove(id: ServerId): Promise<RemovedServer> {
    const removed = this.#ofServer.of(id);
    // It ends before its permissions are gone, so that it does not ask for them.
    for (const { id: entry } of removed.filter(isThatItIsAdded)) {
      await this.#decisions.forget(entry);
    }
    await this.#ofServer.forget(id);
    return removed;
  }

  /** Undoes `remove`. @throws as `addSample`. */
  async restore(removed: RemovedServer): Promise<void> {
    // All its decisions are there before it is.
    await this.#ofServer.restore(
      removed.toSorted((a, b) => Number(isThatItIsAdded(a)) - Number(isThatItIsAdded(b))),
    );
  }

  #about(kind: DecisionKind, definition: ServerDefinition): Omit<Decision, 'kind'> {
    const { id: serverId, name: label } = definition;
    return { key: this.#keyOf(kind, definition), serverId, label, at: Date.now() };
  }

  #keyOf(kind: DecisionKind, { id }: ServerDefinition): string {
    return this.#decisions.keyOf(kind, id);
  }

  #tell(): void {
    const own = this.definitions;
    this.#told = JSON.stringify(own);
    if (this.#configured) {
      const { definitions, problems } = this.#configured;
      this.#onRead({ definitions: [...definitions, ...own], problems });
    }
  }
}

function isThatItIsAdded({ kind }: Decision): boolean {
  return kind === sampleDecisionKind.name || kind === recordingDecisionKind.name;
}
