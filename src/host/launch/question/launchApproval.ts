import { homedir } from 'node:os';
import type { Event } from '../../../base/lifetime/event.ts';
import { visibleText } from '../../../base/text/visibleText.ts';
import type { ResolvedLaunch } from '../resolvedLaunch.ts';
import type { RootsConsent } from '../../roots/rootsConsent.ts';
import { offeredIn, type RootsView } from '../../roots/rootsView.ts';
import type { SharedRoot } from '../../folders/sharedRoot.ts';
import { pathOf } from '../../folders/sharedRoot.ts';
import type { Answer } from '../../decisions/decision.ts';
import type { DecisionStore } from '../../decisions/decisionStore.ts';
import { fingerprintOf } from '../fingerprint.ts';
import { fixedVariables } from '../fixedTexts.ts';
import { isLoaderVariable } from '../loaderVariables.ts';
import type { InstallationKey } from '../installationKey.ts';
import { canBeInAnyFolder, inAnyFolder } from './anyFolder.ts';
import { EnvFileValues } from './envFileValues.ts';
import { changedValues, launchChanges } from './launchChanges.ts';
import { hasChatBox, type LaunchChat } from './launchChat.ts';
import type { CompletedLaunch, LaunchDecision } from './launchDecision.ts';
import { LaunchDecisions } from './launchDecisions.ts';
import { launchNotes } from './launchNotes.ts';
import { snapshotOf } from './launchSnapshot.ts';
import { sayableLaunch, shownVariables } from '../launchVariables.ts';
import { besideWarnings, type CodeBeside } from '../warnings/codeBeside.ts';
import { launchWarnings } from '../warnings/launchWarnings.ts';
import { namedFiles } from './namedFiles.ts';
import {
  areUnchanged,
  besideChanges,
  besideFiles,
  besideNow,
  chosenFiles,
  fileChanges,
  offeredFiles,
} from './watchedFiles.ts';
import { launchQuestions, type LaunchAnswer, type LaunchQuestion } from './launchQuestion.ts';
import type { OfferedFolder } from '../../roots/rootsQuestion.ts';

/** What a question is asked about. */
export interface LaunchSubject {
  readonly launch: ResolvedLaunch;
  readonly label: string;
  /** All folders of the workspace that are on a disk. */
  readonly workspace: readonly SharedRoot[];
  /** What the launch tells the server of it; see `launchPaths`. */
  readonly tells?: readonly string[];
}

/** What a question of ours is about: the launch as it is without inputs, and the whole one if that has been seen. */
interface Asked {
  readonly launch: ResolvedLaunch;
  readonly whole: ResolvedLaunch | undefined;
  /** What the question has shown of it. */
  readonly beside: CodeBeside;
}

/**
 * Your answers to launches: to this server, in this file, with exactly this launch, in this place.
 */
export class LaunchApproval {
  /** Something has been decided, here or in another window, or taken back. */
  readonly onDidChange: Event<void>;
  readonly #store: DecisionStore;
  readonly #roots: RootsConsent;
  readonly #key: InstallationKey;
  readonly #values: EnvFileValues;
  readonly #decisions: LaunchDecisions;
  readonly #chat: LaunchChat | undefined;
  readonly #asked = new WeakMap<LaunchQuestion, Asked>();
  /** Launches that their inputs have made others than was allowed, by their keys, until that is decided. */
  readonly #unseen = new Map<string, ResolvedLaunch>();

  /** Without `chat`, the question offers nothing for it. */
  constructor(store: DecisionStore, roots: RootsConsent, key: InstallationKey, chat?: LaunchChat) {
    this.#store = store;
    this.#roots = roots;
    this.#key = key;
    this.#values = new EnvFileValues(store, key);
    this.#decisions = new LaunchDecisions(store, this.#values);
    this.#chat = chat;
    this.onDidChange = store.onDidChange;
  }

  /**
   * The gate: read from the disk, so that what another window decided a moment ago counts. A watched file or a value in
   * the `envFile` that has changed takes back the answer to a launch that will start; one that runs has been started
   * with it as it was.
   */
  answerFor(launch: ResolvedLaunch, { isRunning = false } = {}): Answer | undefined {
    const key = this.#decisions.keyOf(this.#decisions.asDecided(launch, isRunning));
    const decision = this.#decisions.of(key);
    const whole = this.#unseen.get(key);
    if (!isRunning) {
      this.#values.endMissing(whole ?? launch);
    }
    if (decision?.answer !== 'allow') {
      return decision?.answer;
    }
    const { snapshot, files = [], completed } = decision;
    const isAsAllowed =
      (isRunning || (areUnchanged(files, launch) && this.#values.areAsAllowed(whole ?? launch, snapshot))) &&
      (!whole || completed?.fingerprint === this.#completed(whole).fingerprint);
    return isAsAllowed ? 'allow' : undefined;
  }

  /**
   * The gate for a launch that has all its inputs, right before it starts: its fingerprint, or undefined where it is
   * not what was allowed. What you give at the first start belongs to the answer; a file of variables that an input
   * names does not, because nobody could have seen what is in it.
   *
   * @param launch As it is without inputs: that is what the decision is about.
   * @throws what the file system says when what was given cannot be kept.
   */
  async admit(launch: ResolvedLaunch, whole: ResolvedLaunch): Promise<string | undefined> {
    const decided = this.#decisions.asDecided(launch);
    const key = this.#decisions.keyOf(decided);
    const decision = this.#decisions.of(key);
    if (decision?.answer !== 'allow' || !areUnchanged(decision.files ?? [], launch)) {
      return undefined;
    }
    this.#values.endMissing(whole);
    const isFileKnown = launch.envFilePath === whole.envFilePath;
    const hasValues = this.#values.areAsAllowed(whole, decision.snapshot);
    if (isFileKnown && !hasValues) {
      return undefined;
    }
    const completed = this.#completed(decided === launch ? whole : inAnyFolder(whole));
    const isComplete =
      Object.keys(completed.given).length === 0 || decision.completed?.fingerprint === completed.fingerprint;
    if (isComplete && hasValues) {
      this.#unseen.delete(key);
      return completed.fingerprint;
    }
    if (decision.completed || !isFileKnown) {
      this.#unseen.set(key, whole);
      return undefined;
    }
    const { id, ...kept } = decision;
    // Never over a denial that came meanwhile.
    const renewed: LaunchDecision = { ...kept, completed };
    await this.#store.put(renewed, () => this.#decisions.of(key)?.id === id);
    const now = this.#decisions.of(key);
    const isKept =
      now?.answer === 'allow' &&
      now.completed?.fingerprint === completed.fingerprint &&
      this.#values.areAsAllowed(whole, now.snapshot);
    return isKept ? completed.fingerprint : undefined;
  }

  /** What tells a launch from every other one; with what was given for its inputs at its last start. */
  fingerprintOf(launch: ResolvedLaunch): string {
    const decided = this.#decisions.asDecided(launch);
    return (
      this.#decisions.of(this.#decisions.keyOf(decided))?.completed?.fingerprint ?? fingerprintOf(decided)
    );
  }

  /** The question about a launch, with everything that you should know before you answer. */
  question({ launch, label, workspace, tells = [] }: LaunchSubject): LaunchQuestion {
    const { definition, workingDirectory } = launch;
    const view = this.#roots.viewOf(definition);
    const key = this.#decisions.keyOf(launch);
    const beside = besideNow(launch);
    const asked = { launch, whole: this.#unseen.get(key), beside };
    const sayable = sayableLaunch(seenOf(asked));
    const folders = workspace.map(pathOf);
    const before = this.#decisions.lastAllowed(launch);
    const same = this.#decisions.of(key);
    const allowed = same?.answer === 'allow' ? same : before;
    const watched = allowed?.files ?? [];
    const places = { folders: workspace, home: homedir() };
    const files = offeredFiles(namedFiles(sayable.definition, workingDirectory, places), watched);
    const values = before ? this.#changedValues(asked, before).filter((name) => !isLoaderVariable(name)) : [];
    const inAny = this.#decisions.of(this.#decisions.keyOf(inAnyFolder(launch)));
    const chat = this.#chat?.offerFor(definition);
    const question: LaunchQuestion = {
      kind: launchQuestions,
      definition,
      label,
      workingDirectory,
      warnings: [...launchWarnings(sayable, folders, { written: definition }), ...besideWarnings(beside)],
      notes: launchNotes(sayable, folders),
      changes: [
        ...fileChanges(watched, files),
        ...(allowed ? besideChanges(watched, beside) : []),
        ...(before ? this.#changes(asked, before) : []),
      ],
      variables: shownVariables(launch),
      ...(tells.length > 0 && { tells }),
      ...sharingOf(view),
      ...(files.length > 0 && { files }),
      ...(values.length > 0 && { values }),
      ...(canBeInAnyFolder(launch) && { anyFolder: { isProposed: inAny?.answer === 'allow' } }),
      ...(chat && { chat }),
    };
    this.#asked.set(question, asked);
    return question;
  }

  /**
   * Keeps the answer to a question of ours, for the launch that was asked about.
   *
   * @throws what the file system says when it cannot be kept.
   */
  async record(question: LaunchQuestion, answer: LaunchAnswer): Promise<void> {
    const { definition, label } = question;
    const asked = this.#asked.get(question);
    if (!asked) {
      throw new Error('Only an answer to a question that was asked here is kept.');
    }
    const { launch, whole, beside } = asked;
    const isInAny =
      answer.answer === 'allow' && answer.inAnyFolder === true && question.anyFolder !== undefined;
    const decided = isInAny ? inAnyFolder(launch) : launch;
    const key = this.#decisions.keyOf(decided);
    // What was given before, and is not asked about now, still belongs to the answer.
    const completed = whole ? this.#completed(whole) : this.#decisions.of(key)?.completed;
    const about = { serverId: definition.id, label, at: Date.now() };
    // First, so that the server sees its folders from its start.
    if (answer.answer === 'allow' && question.folders.length > 0) {
      const uris = question.folders.map(({ uri }) => uri);
      await this.#roots.chooseAmong({ definition, label }, uris, answer.roots);
    }
    const files =
      answer.answer === 'allow'
        ? [...chosenFiles(question.files ?? [], answer.files), ...besideFiles(beside)]
        : [];
    const decision: LaunchDecision = {
      kind: 'launch',
      key,
      answer: answer.answer,
      span: 'always',
      ...about,
      place: definition.origin.place,
      fingerprint: fingerprintOf(decided),
      snapshot: snapshotOf(isInAny ? decided : seenOf(asked), this.#key),
      ...(isInAny && { inAnyFolder: true }),
      ...(completed && { completed }),
      ...(files.length > 0 && { files }),
    };
    await this.#store.put(decision);
    const here = this.#decisions.of(this.#decisions.keyOf(launch));
    if (isInAny && here) {
      // It would go on to count in this folder.
      await this.#store.forget(here.id);
    }
    if (this.#unseen.get(key) === whole) {
      this.#unseen.delete(key);
    }
    if (answer.answer === 'allow') {
      await this.#values.letChange(seenOf(asked), answer.values ?? [], about);
    }
    // Last, so that chat never has a server that was not allowed.
    if (answer.answer === 'allow' && answer.inChat && hasChatBox(question.chat)) {
      await this.#chat?.grant(definition.id, label);
    }
  }

  #completed(whole: ResolvedLaunch): CompletedLaunch {
    const given = Object.fromEntries(
      fixedVariables(whole).flatMap(({ meaning }) =>
        meaning.kind === 'input' && meaning.value !== undefined
          ? [[meaning.id, this.#key.hash(JSON.stringify([meaning.id, meaning.value]))]]
          : [],
      ),
    );
    return { fingerprint: fingerprintOf(whole, given), given };
  }

  #changes(asked: Asked, before: LaunchDecision): string[] {
    const { snapshot, inAnyFolder: isInAny = false } = before;
    const given = before.completed?.given ?? {};
    const now = asked.whole ? this.#completed(asked.whole).given : {};
    const launch = isInAny ? inAnyFolder(asked.launch) : seenOf(asked);
    const seen = snapshotOf(launch, this.#key, snapshot.salt);
    return [
      ...launchChanges(snapshot, seen, this.#changedValues(asked, before)),
      ...Object.keys(now)
        .filter((id) => Object.hasOwn(given, id) && given[id] !== now[id])
        .map((id) => `The value that you gave for the input ${visibleText(id)} has changed.`),
    ];
  }

  #changedValues(asked: Asked, { snapshot }: LaunchDecision): readonly string[] {
    const seen = seenOf(asked);
    return changedValues(snapshot, snapshotOf(seen, this.#key, snapshot.salt), this.#values.countsIn(seen));
  }
}

/** The launch as you see it: where it starts stays as it is written while that takes an input. */
function seenOf({ launch, whole = launch }: Pick<Asked, 'launch' | 'whole'>): ResolvedLaunch {
  return { ...whole, workingDirectory: launch.workingDirectory };
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
