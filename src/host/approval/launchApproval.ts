import { createHash } from 'node:crypto';
import { launchOf, type ServerDefinition } from '../config/serverDefinition.ts';

export type Answer = 'allow' | 'deny';

/** Where answers are kept, across sessions and on this machine only. */
export interface DecisionStore {
  get(key: string): Answer | undefined;
  set(key: string, answer: Answer): Promise<void>;
}

/** What the person said of each launch: of this server, in this file, with exactly this launch. */
export class LaunchApproval {
  readonly #store: DecisionStore;

  constructor(store: DecisionStore) {
    this.#store = store;
  }

  answerFor(definition: ServerDefinition): Answer | undefined {
    return this.#store.get(keyOf(definition));
  }

  record(definition: ServerDefinition, answer: Answer): Promise<void> {
    return this.#store.set(keyOf(definition), answer);
  }
}

function keyOf(definition: ServerDefinition): string {
  const hash = createHash('sha256').update(JSON.stringify([definition.id, launchOf(definition)]));
  return `launch ${hash.digest('hex')}`;
}
