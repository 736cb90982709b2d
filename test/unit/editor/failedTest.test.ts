import assert from 'node:assert/strict';
import { globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Mocha from 'mocha';
import { keepFailure, watchFailures } from '../../editor/failedTest.ts';
import { root } from '../../editor/paths.mjs';

const name = `a-journey-of-process-${process.pid}`;

suite('What a failed journey leaves', () => {
  const kept = (): readonly string[] => globSync(join(root, 'out/failed', `${name}-*`));
  teardown(() => kept().forEach((folder) => rmSync(folder, { recursive: true })));

  const fail = (): never => {
    throw new Error('failed');
  };
  const cases: readonly (readonly [string, (journey: Mocha.Suite) => void, number])[] = [
    ['when a test fails', (journey) => journey.addTest(new Mocha.Test('writes', fail)), 1],
    ['when its set-up fails', (journey) => journey.beforeAll(fail), 1],
    ['when the set-up of a test fails', (journey) => journey.beforeEach(fail), 1],
    ['not when it passes', () => {}, 0],
  ];
  test('is not continued: the tests after it in its suite are skipped', async () => {
    const mocha = new Mocha({ reporter: Mocha.reporters.Base, rootHooks: { afterEach: keepFailure } });
    const ran: string[] = [];
    const add = (suite: Mocha.Suite, title: string, run = () => {}): void => {
      suite.addTest(
        new Mocha.Test(title, () => {
          ran.push(title);
          run();
        }),
      );
    };
    const [journey, other] = [
      Mocha.Suite.create(mocha.suite, name),
      Mocha.Suite.create(mocha.suite, 'other'),
    ];
    add(journey, 'first');
    add(journey, 'second', fail);
    add(journey, 'third');
    add(other, 'fourth');
    const failures = await new Promise<number>((resolve) => {
      watchFailures(mocha.run(resolve));
    });
    assert.deepEqual([failures, ran], [1, ['first', 'second', 'fourth']]);
  });

  for (const [when, prepare, count] of cases) {
    test(`is kept before its windows are closed, ${when}`, async () => {
      const mocha = new Mocha({ reporter: Mocha.reporters.Base, rootHooks: { afterEach: keepFailure } });
      const journey = Mocha.Suite.create(mocha.suite, name);
      journey.addTest(new Mocha.Test('reads', () => {}));
      prepare(journey);
      let found: number | undefined;
      journey.afterAll(() => {
        found = kept().length;
      });
      const failures = await new Promise<number>((resolve) => {
        watchFailures(mocha.run(resolve));
      });
      assert.deepEqual([failures, found], [count, count]);
    });
  }
});
