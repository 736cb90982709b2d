import path from 'node:path';
import { URI } from 'vscode-uri';
import type { Event } from '../../base/event.ts';
import type { RootsProposal, ServerDefinition, ServerId } from '../config/serverDefinition.ts';
import type { AllowedRoots, SharedRoot } from '../roots/sharedRoot.ts';
import { pathOf } from '../roots/sharedRoot.ts';
import type { Answer, LaunchDecision, RootsDecision } from './decision.ts';
import type { DecisionStore } from './decisionStore.ts';
import { fingerprintOf, sha256, type Launch, type ReadEnvFile } from './fingerprint.ts';
import { launchChanges } from './launchChanges.ts';
import { snapshotOf } from './launchSnapshot.ts';
import { launchWarnings } from './launchWarnings.ts';
import type { LaunchAnswer, LaunchQuestion, OfferedFolder } from './questionQueue.ts';

export type { Answer } from './decision.ts';

/** What a question is asked about. */
export interface LaunchSubject {
  readonly definition: ServerDefinition;
  readonly label: string;
  readonly workingDirectory: string;
  /** The folders that this server could see. */
  readonly offered: readonly SharedRoot[];
  /** All folders of the workspace that are on a disk. */
  readonly workspace: readonly SharedRoot[];
}

/**
 * What the person said of each launch: of this server, in this file, with exactly this launch, in this
 * place; and which folders the server may see.
 */
export class LaunchApproval {
  /** Something has been decided, here or in another window, or taken back. */
  readonly onDidChange: Event<void>;
  readonly #store: DecisionStore;
  readonly #readEnvFile: ReadEnvFile;
  /** The launch as it was when the question was asked: that is what an answer is about. */
  readonly #asked = new WeakMap<LaunchQuestion, Launch>();

  constructor(store: DecisionStore, readEnvFile: ReadEnvFile) {
    this.#store = store;
    this.#readEnvFile = readEnvFile;
    this.onDidChange = store.onDidChange;
  }

  /** The gate: read from the disk, so that what another window said a moment ago counts. */
  answerFor(definition: ServerDefinition, workingDirectory: string): Answer | undefined {
    const key = this.#launchKey(this.#launchNow(definition, workingDirectory));
    this.#store.refresh(key);
    const decision = this.#store.get(key);
    return decision?.kind === 'launch' ? decision.answer : undefined;
  }

  /** Which folders a server may see; none before a decision. */
  rootsFor({ id }: ServerDefinition, offered: readonly SharedRoot[]): AllowedRoots {
    const decision = this.#rootsDecision(id);
    if (!decision || !isAbout(decision, offered)) {
      return [];
    }
    return decision.folders;
  }

  /** True when the person was asked which of these folders the server may see, or there are none. */
  hasDecidedRoots({ id }: ServerDefinition, offered: readonly SharedRoot[]): boolean {
    const decision = this.#rootsDecision(id);
    return offered.length === 0 || (decision !== undefined && isAbout(decision, offered));
  }

  /** The question about a launch, with everything that the person should know before the answer. */
  question(subject: LaunchSubject): LaunchQuestion {
    const { definition, label, workingDirectory, offered, workspace } = subject;
    const launch = this.#launchNow(definition, workingDirectory);
    const question: LaunchQuestion = {
      kind: 'launch',
      definition,
      label,
      workingDirectory,
      warnings: launchWarnings(launch, workspace.map(pathOf)),
      changes: this.#changes(launch, offered),
      folders: offered.map((folder): OfferedFolder => ({
        ...folder,
        isProposed: this.#isProposed(definition, folder, offered),
      })),
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
      await this.#store.put({ kind: 'roots', ...about, ...this.#foldersOf(question, answer.roots) });
    }
    await this.#store.put({
      kind: 'launch',
      key: this.#launchKey(launch),
      answer: answer.answer,
      span: 'always',
      ...about,
      place: definition.origin.place,
      fingerprint: fingerprintOf(launch),
      snapshot: snapshotOf(launch),
    });
  }

  #launchNow(definition: ServerDefinition, workingDirectory: string): Launch {
    return { definition, workingDirectory, envFile: this.#readEnvFile(definition) };
  }

  /** By the folder's URI, and not by the workspace's id, which changes with its file. */
  #launchKey(launch: Launch): string {
    const { definition, workingDirectory } = launch;
    const folder = definition.type === 'stdio' ? URI.file(workingDirectory).toString() : null;
    const parts = [this.#store.remoteName ?? null, definition.id, folder, fingerprintOf(launch)];
    return `launch ${sha256(JSON.stringify(parts))}`;
  }

  #rootsKey(id: ServerId): string {
    return `roots ${sha256(JSON.stringify([this.#store.remoteName ?? null, id]))}`;
  }

  #rootsDecision(id: ServerId): RootsDecision | undefined {
    const decision = this.#store.get(this.#rootsKey(id));
    return decision?.kind === 'roots' ? decision : undefined;
  }

  /** What was said of folders that this window does not have stays as it was, and is never widened. */
  #foldersOf(
    { definition, folders }: LaunchQuestion,
    allowed: readonly string[],
  ): Pick<RootsDecision, 'key' | 'folders' | 'offered'> {
    const known = this.#rootsDecision(definition.id);
    const asked = folders.map(({ uri }) => uri);
    const others = (uris: readonly string[] = []): string[] => uris.filter((uri) => !asked.includes(uri));
    const offered = [...asked, ...others(known?.offered)];
    const shared = [
      ...asked.filter((uri) => allowed.includes(uri)),
      ...others(known?.folders === 'all' ? known.offered : known?.folders),
    ];
    return {
      key: this.#rootsKey(definition.id),
      folders: offered.every((uri) => shared.includes(uri)) ? 'all' : shared,
      offered,
    };
  }

  #changes(launch: Launch, offered: readonly SharedRoot[]): string[] {
    const { definition, workingDirectory } = launch;
    const before = this.#lastAllowed(definition.id, workingDirectory);
    if (!before) {
      return [];
    }
    const changes = launchChanges(before.snapshot, snapshotOf(launch, before.snapshot.salt));
    return changes.length === 0 && !this.hasDecidedRoots(definition, offered)
      ? [
          'The launch is as it was allowed. It is not decided which folders of this workspace the server may see.',
        ]
      : changes;
  }

  #lastAllowed(id: ServerId, workingDirectory: string): LaunchDecision | undefined {
    const allowed = this.#store
      .all()
      .filter((one) => one.kind === 'launch')
      .filter(({ serverId, answer }) => serverId === id && answer === 'allow');
    return allowed.find(({ snapshot }) => snapshot.cwd === workingDirectory) ?? allowed[0];
  }

  /** What the definition proposes, less what the person has left out before. */
  #isProposed(definition: ServerDefinition, folder: SharedRoot, offered: readonly SharedRoot[]): boolean {
    const known = this.#rootsDecision(definition.id);
    const wasLeftOut =
      known !== undefined &&
      known.folders !== 'all' &&
      known.offered.includes(folder.uri) &&
      !known.folders.includes(folder.uri);
    return !wasLeftOut && isProposed(definition.roots, folder, offered);
  }
}

/** "All" was said of a workspace, and holds for what is added to it; not for another workspace. */
function isAbout({ offered }: RootsDecision, present: readonly SharedRoot[]): boolean {
  return present.some(({ uri }) => offered.includes(uri));
}

function isProposed(
  proposal: RootsProposal | undefined,
  folder: SharedRoot,
  offered: readonly SharedRoot[],
): boolean {
  if (proposal === undefined || proposal === 'all') {
    return true;
  }
  if (proposal === 'none') {
    return false;
  }
  const base = offered[0] ? pathOf(offered[0]) : '';
  return proposal.some((text) => {
    const named = /^\$\{workspaceFolder(?::([^}]*))?\}(.*)$/s.exec(text);
    if (!named) {
      return path.resolve(base, text) === path.resolve(pathOf(folder));
    }
    const [, name, rest = ''] = named;
    const isIt = name === undefined ? folder === offered[0] : folder.name === name;
    return isIt && /^[/\\]?$/.test(rest);
  });
}
