import assert from 'node:assert/strict';
import { Stage } from './stage.ts';

/** Something that the SDK leaves to its host. */
export interface Row {
  /** What a host does, as a sentence without its subject. */
  readonly requirement: string;
  /** Rejects when that is not done. */
  readonly scenario: (stage: Stage) => Promise<void>;
  /** With which words the scenario rejects when the SDK is left alone. */
  readonly alone: RegExp;
}

/** Plays each row twice: this host does it, and the SDK alone fails, in the way that it is known to. */
export function testRows(rows: readonly Row[]): void {
  for (const { requirement, scenario, alone } of rows) {
    test(`This host ${requirement}`, () => play(scenario, new Stage(false)));

    test(`The SDK alone does not: it ${requirement}`, async () => {
      const words = await play(scenario, new Stage(true)).then(() => undefined, wordsOf);
      assert.ok(words !== undefined, 'The SDK does this now: remove what is done about it, and this row.');
      assert.ok(alone.test(words), `The SDK alone fails in another way than it did: ${words}`);
    });
  }
}

/** As the SDK says it. */
function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function play(scenario: Row['scenario'], stage: Stage): Promise<void> {
  try {
    await scenario(stage);
  } finally {
    await stage.close();
  }
}
