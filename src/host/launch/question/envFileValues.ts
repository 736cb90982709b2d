import { hasTexts } from '../../../base/values/record.ts';
import { inQuotes, visibleText } from '../../../base/text/visibleText.ts';
import type { Decision, DecisionKind } from '../../decisions/decision.ts';
import type { DecisionStore } from '../../decisions/decisionStore.ts';
import type { InstallationKey } from '../installationKey.ts';
import { sayableEnvFile } from '../launchVariables.ts';
import { isLoaderVariable } from '../loaderVariables.ts';
import type { ResolvedLaunch } from '../resolvedLaunch.ts';
import { hashedValue, ownValueIn, type LaunchSnapshot } from './launchSnapshot.ts';

/** A variable of an `envFile` whose value you let change without a question. */
interface ValueDecision extends Decision {
  readonly kind: 'envFileValue';
  readonly variable: string;
  /** The path of the file, as it may be shown. */
  readonly file: string;
  /** A keyed hash of the whole path, which may have a secret in it. */
  readonly pathHash: string;
}

export const valueDecisionKind: DecisionKind<ValueDecision> = {
  name: 'envFileValue',
  isEntry: (fields) => hasTexts(fields, 'variable', 'file', 'pathHash'),
  keyParts: ({ pathHash, variable }) => [pathHash, variable],
  words: {
    what: ({ variable }) => `may start when the value of ${visibleText(variable)} has changed`,
    detail: ({ file }) => `In ${inQuotes(file)}`,
    undone: () =>
      'You are asked before the next start if the value is not the one that you allowed with the launch.',
  },
};

/**
 * The values in the `envFile` of a launch, which belong to what was allowed if the file is in a folder that is open: what
 * writes there could change them, and any of them may decide what runs.
 */
export class EnvFileValues {
  readonly #store: DecisionStore;
  readonly #key: InstallationKey;

  constructor(store: DecisionStore, key: InstallationKey) {
    this.#store = store;
    this.#key = key;
  }

  /** Whether every value that counts is the one that was allowed. */
  areAsAllowed(launch: ResolvedLaunch, { salt, envFileValues }: LaunchSnapshot): boolean {
    const counts = this.countsIn(launch);
    return (
      !launch.isEnvFileInWorkspace ||
      Object.entries(launch.envFile ?? {}).every(
        ([name, value]) =>
          !counts(name) || ownValueIn(envFileValues, name) === hashedValue(this.#key, salt, value),
      )
    );
  }

  /** Whether another value of a variable in the file is asked about. */
  countsIn(launch: ResolvedLaunch): (name: string) => boolean {
    return (name) =>
      isLoaderVariable(name) ||
      (launch.isEnvFileInWorkspace &&
        this.#store.getOf(valueDecisionKind, this.#keyOf(launch, name)) === undefined);
  }

  /**
   * Lets values change without a question from now on, for this server and this file.
   *
   * @throws what the file system says when it cannot be kept.
   */
  async letChange(
    launch: ResolvedLaunch,
    names: readonly string[],
    about: Pick<Decision, 'serverId' | 'label' | 'at'>,
  ): Promise<void> {
    for (const variable of names) {
      const decision: ValueDecision = {
        kind: 'envFileValue',
        key: this.#keyOf(launch, variable),
        ...about,
        variable,
        file: sayableEnvFile(launch),
        pathHash: this.#pathHash(launch),
      };
      await this.#store.put(decision);
    }
  }

  /** Ends what was allowed for variables that are no longer in the file: one of the same name later is another one. */
  endMissing(launch: ResolvedLaunch): void {
    const { definition, envFile } = launch;
    if (!envFile) {
      return;
    }
    const hash = this.#pathHash(launch);
    for (const { id, serverId, variable, pathHash } of this.#store.allOf(valueDecisionKind)) {
      if (serverId === definition.id && pathHash === hash && !Object.hasOwn(envFile, variable)) {
        // What cannot be removed now is looked at again before the next start.
        this.#store.forget(id).catch(() => {});
      }
    }
  }

  #keyOf(launch: ResolvedLaunch, variable: string): string {
    return this.#store.keyOf(valueDecisionKind, launch.definition.id, this.#pathHash(launch), variable);
  }

  #pathHash({ envFilePath = '' }: ResolvedLaunch): string {
    return this.#key.hash(envFilePath);
  }
}
