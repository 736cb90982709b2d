import type { AnyLaunch } from '../../config/serverDefinition.ts';
import type { KeptDecision } from '../../decisions/decision.ts';
import type { DecisionStore } from '../../decisions/decisionStore.ts';
import { fingerprintOf } from '../fingerprint.ts';
import type { ResolvedLaunch } from '../resolvedLaunch.ts';
import { canBeInAnyFolder, inAnyFolder } from './anyFolder.ts';
import type { EnvFileValues } from './envFileValues.ts';
import { launchDecisionKind, launchKeyParts, type LaunchDecision } from './launchDecision.ts';
import { areUnchanged } from './watchedFiles.ts';

/** Finds the decision about a launch. */
export class LaunchDecisions {
  readonly #store: DecisionStore;
  readonly #values: EnvFileValues;

  constructor(store: DecisionStore, values: EnvFileValues) {
    this.#store = store;
    this.#values = values;
  }

  of(key: string): KeptDecision<LaunchDecision> | undefined {
    return this.#store.getOf(launchDecisionKind, key);
  }

  keyOf(launch: ResolvedLaunch): string {
    const { definition, workingDirectory } = launch;
    const { command }: AnyLaunch = definition;
    const folder = command === undefined ? undefined : workingDirectory;
    return this.#store.keyOf(
      launchDecisionKind,
      definition.id,
      ...launchKeyParts(folder, fingerprintOf(launch)),
    );
  }

  /**
   * The launch that a decision is about, read from the disk: this very one, or it in any folder, if you allowed that and
   * have decided nothing else here. What has changed since then is asked about for this folder.
   */
  asDecided(launch: ResolvedLaunch, isRunning = false): ResolvedLaunch {
    const anywhere = inAnyFolder(launch);
    const key = this.keyOf(launch);
    const keyAnywhere = this.keyOf(anywhere);
    this.#store.refreshFor(launch, key, keyAnywhere);
    const decision = this.of(keyAnywhere);
    if (!decision?.inAnyFolder || this.of(key) || this.#store.isUnreadable(key)) {
      return launch;
    }
    const { files = [], snapshot } = decision;
    const isCovered =
      isRunning ||
      (canBeInAnyFolder(launch) &&
        areUnchanged(files, launch) &&
        this.#values.areAsAllowed(launch, snapshot));
    return isCovered ? anywhere : launch;
  }

  /** The last launch of the server that you allowed, rather one that starts in the same place. */
  lastAllowed({ definition, workingDirectory }: ResolvedLaunch): LaunchDecision | undefined {
    const allowed = this.#store
      .allOf(launchDecisionKind)
      .filter(({ serverId, answer }) => serverId === definition.id && answer === 'allow');
    return allowed.find(({ snapshot }) => snapshot.cwd === workingDirectory) ?? allowed[0];
  }
}
