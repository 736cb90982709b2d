import { createHash } from 'node:crypto';
import { launchOf, type ServerDefinition } from '../config/serverDefinition.ts';

export type Answer = 'allow' | 'deny';

/** Where answers are kept, across sessions and on this machine only. */
export interface DecisionStore {
  get(key: string): Answer | undefined;
  set(key: string, answer: Answer): Promise<void>;
}

/** What the person said of each launch: of this server, in this file, with exactly this launch, in this place. */
export class LaunchApproval {
  readonly #store: DecisionStore;

  constructor(store: DecisionStore) {
    this.#store = store;
  }

  answerFor(definition: ServerDefinition, workingDirectory: string): Answer | undefined {
    return this.#store.get(keyOf(definition, workingDirectory));
  }

  record(definition: ServerDefinition, workingDirectory: string, answer: Answer): Promise<void> {
    return this.#store.set(keyOf(definition, workingDirectory), answer);
  }
}

/** The directory counts for a process only, which may find other programs and files in another one. */
function keyOf(definition: ServerDefinition, workingDirectory: string): string {
  const directory = definition.type === 'stdio' ? workingDirectory : null;
  const launch = JSON.stringify([definition.id, launchOf(definition), directory]);
  return `launch ${createHash('sha256').update(launch).digest('hex')}`;
}
