import { homedir } from 'node:os';
import type { Event } from '../../base/event.ts';
import type { ServerDefinition, ServerId } from '../config/serverDefinition.ts';
import type { RootsConsent } from '../roots/rootsConsent.ts';
import { offeredIn, type RootsView } from '../roots/rootsView.ts';
import type { SharedRoot } from '../roots/sharedRoot.ts';
import { pathOf } from '../roots/sharedRoot.ts';
import type { Answer, LaunchDecision } from './decision.ts';
import { keyOf, launchKeyParts } from './decisionKey.ts';
import type { DecisionStore } from './decisionStore.ts';
import { fingerprintOf, type Launch, type ReadEnvFile } from './fingerprint.ts';
import { launchChanges } from './launchChanges.ts';
import { launchNotes } from './launchNotes.ts';
import { snapshotOf } from './launchSnapshot.ts';
import { launchWarnings } from './launchWarnings.ts';
import type { LaunchAnswer, LaunchQuestion, OfferedFolder } from './questionQueue.ts';
import { namedFiles } from './namedFiles.ts';
import { areUnchanged, chosenFiles, fileChanges, offeredFiles, type WatchedFile } from './watchedFiles.ts';
import { mayDependOnWorkspace } from './workspaceDependence.ts';

export type { Answer } from './decision.ts';

/** What a question is asked about. */
export interface LaunchSubject {
  readonly definition: ServerDefinition;
  readonly label: string;
  readonly workingDirectory: string;
  /** All folders of the workspace that are on a disk. */
  readonly workspace: readonly SharedRoot[];
  /** What the launch tells the server of it; see `launchPaths`. */
  readonly tells?: readonly string[];
}

/**
 * What the person said of each launch: of this server, in this file, with exactly this launch, in this
 * place.
 */
export class LaunchApproval {
  /** Something has been decided, here or in another window, or taken back. */
  readonly onDidChange: Event<void>;
  readonly #store: DecisionStore;
  readonly #readEnvFile: ReadEnvFile;
  readonly #roots: RootsConsent;
  /** The launch as it was when the question was asked: that is what an answer is about. */
  readonly #asked = new WeakMap<LaunchQuestion, Launch>();

  constructor(store: DecisionStore, readEnvFile: ReadEnvFile, roots: RootsConsent) {
    this.#store = store;
    this.#readEnvFile = readEnvFile;
    this.#roots = roots;
    this.onDidChange = store.onDidChange;
  }

  /**
   * The gate: read from the disk, so that what another window said a moment ago counts. A watched file that has changed
   * takes back the answer to a launch that is to start; one that runs has been started with it as it was.
   */
  answerFor(
    definition: ServerDefinition,
    workingDirectory: string,
    { isRunning = false } = {},
  ): Answer | undefined {
    const key = this.#launchKey(this.#launchNow(definition, workingDirectory));
    this.#store.refresh(key);
    const decision = this.#store.get(key);
    return decision?.kind === 'launch' && (isRunning || areUnchanged(decision.files ?? []))
      ? decision.answer
      : undefined;
  }

  /**
   * Whether an allowed launch can start as far as its folders go. One that is the same in every workspace can: while
   * nothing is decided, it sees none of them, and asking for them asks the person. Of any other the person is asked
   * about the launch again, where nothing is decided.
   */
  needsNoFolders(definition: ServerDefinition): boolean {
    return this.#roots.isDecided(definition) || !mayDependOnWorkspace(definition);
  }

  /** What tells the launch of this moment from every other one. */
  fingerprintOf(definition: ServerDefinition, workingDirectory: string): string {
    return fingerprintOf(this.#launchNow(definition, workingDirectory));
  }

  /** The question about a launch, with everything that the person should know before the answer. */
  question(subject: LaunchSubject): LaunchQuestion {
    const { definition, label, workingDirectory, workspace, tells = [] } = subject;
    const view = this.#roots.viewOf(definition);
    const launch = this.#launchNow(definition, workingDirectory);
    const folders = workspace.map(pathOf);
    const watched = this.#watchedBefore(launch);
    const places = { folders: workspace, home: homedir() };
    const files = offeredFiles(namedFiles(definition, workingDirectory, places), watched);
    const question: LaunchQuestion = {
      kind: 'launch',
      definition,
      label,
      workingDirectory,
      warnings: launchWarnings(launch, folders),
      notes: [...this.#againNote(launch), ...launchNotes(launch, folders)],
      changes: [...fileChanges(watched), ...this.#changes(launch)],
      ...(tells.length > 0 && { tells }),
      ...sharingOf(view),
      ...(files.length > 0 && { files }),
    };
    this.#asked.set(question, launch);
    return question;
  }

  /**
   * Keeps the answer to a question of ours, for the launch that was asked about.
   *
   * @throws what the file system says when it cannot be kept.
   */
  async record(question: LaunchQuestion, answer: LaunchAnswer): Promise<void> {
    const { definition, label, workingDirectory } = question;
    const launch = this.#asked.get(question) ?? this.#launchNow(definition, workingDirectory);
    const about = { serverId: definition.id, label, at: Date.now() };
    // First, so that the server sees its folders from its start.
    if (answer.answer === 'allow' && question.folders.length > 0) {
      const asked = question.folders.map(({ uri }) => uri);
      await this.#roots.chooseAmong({ definition, label }, asked, answer.roots);
    }
    const files = answer.answer === 'allow' ? chosenFiles(question.files ?? [], answer.files) : [];
    await this.#store.put({
      kind: 'launch',
      key: this.#launchKey(launch),
      answer: answer.answer,
      span: 'always',
      ...about,
      place: definition.origin.place,
      fingerprint: fingerprintOf(launch),
      snapshot: snapshotOf(launch),
      ...(files.length > 0 && { files }),
    });
  }

  #launchNow(definition: ServerDefinition, workingDirectory: string): Launch {
    return { definition, workingDirectory, envFile: this.#readEnvFile(definition) };
  }

  #launchKey(launch: Launch): string {
    const { definition, workingDirectory } = launch;
    const folder = definition.type === 'stdio' ? workingDirectory : undefined;
    const parts = launchKeyParts(folder, fingerprintOf(launch));
    return keyOf('launch', this.#store.remoteName, definition.id, ...parts);
  }

  /** Why a launch that is allowed is asked about all the same. */
  #againNote(launch: Launch): string[] {
    const decision = this.#store.get(this.#launchKey(launch));
    const isAllowed = decision?.kind === 'launch' && decision.answer === 'allow';
    return isAllowed && !this.needsNoFolders(launch.definition)
      ? ['You have allowed this launch before. What it comes to depends on the workspace.']
      : [];
  }

  /** The files that were watched when this launch was allowed, or else the last one of this server. */
  #watchedBefore(launch: Launch): readonly WatchedFile[] {
    const same = this.#store.get(this.#launchKey(launch));
    const before =
      same?.kind === 'launch' && same.answer === 'allow'
        ? same
        : this.#lastAllowed(launch.definition.id, launch.workingDirectory);
    return before?.files ?? [];
  }

  #changes(launch: Launch): string[] {
    const { definition, workingDirectory } = launch;
    const before = this.#lastAllowed(definition.id, workingDirectory);
    if (!before) {
      return [];
    }
    return launchChanges(before.snapshot, snapshotOf(launch, before.snapshot.salt));
  }

  #lastAllowed(id: ServerId, workingDirectory: string): LaunchDecision | undefined {
    const allowed = this.#store
      .all()
      .filter((one) => one.kind === 'launch')
      .filter(({ serverId, answer }) => serverId === id && answer === 'allow');
    return allowed.find(({ snapshot }) => snapshot.cwd === workingDirectory) ?? allowed[0];
  }
}

/** The folders to choose from; where something has decided beforehand, what is shared, and by what. */
function sharingOf(view: RootsView): Pick<LaunchQuestion, 'folders' | 'sharing'> {
  if (view.basis === 'person' || view.basis === 'undecided') {
    return {
      folders: offeredIn(view).map(({ root, isProposed }): OfferedFolder => ({ ...root, isProposed })),
    };
  }
  const chosen = view.candidates.filter(({ isChosen, problem }) => isChosen && !problem);
  return { folders: [], sharing: { basis: view.basis, roots: chosen.map(({ root }) => root) } };
}
