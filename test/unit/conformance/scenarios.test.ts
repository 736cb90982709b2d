import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { refusalOf } from '../../conformance/client/deeds.ts';
import { failingClients, mutants } from '../../conformance/mutants.ts';
import { root } from '../../editor/paths.mjs';
import { readOffer } from '../../conformance/scenarios.ts';

suite('The scenarios of the conformance suite', () => {
  test('are tried at each revision where they count, and else at the last', () => {
    const { scenarios } = readOffer(
      [
        'Client scenarios (test against a client):',
        '  - tools_call [2025-06-18,2026-07-28]',
        '  - auth/basic-cimd [2025-11-25,2026-07-28]',
        '  - auth/client-credentials-basic [extension]',
        '  - auth/wif-jwt-bearer [extension]',
      ].join('\n'),
    );
    assert.deepEqual(
      scenarios.map(({ name, revision, standing }) => [name, revision, standing.kind]),
      [
        ['tools_call', '2025-06-18', 'counted'],
        ['tools_call', '2026-07-28', 'counted'],
        ['auth/basic-cimd', '2025-11-25', 'counted'],
        ['auth/basic-cimd', '2026-07-28', 'counted'],
        ['auth/client-credentials-basic', undefined, 'counted'],
        ['auth/wif-jwt-bearer', undefined, 'later'],
      ],
    );
  });

  test('fail if the list does not say whether they count', () => {
    const { scenarios, problems } = readOffer('  - auth/of-tomorrow [2026-07-28]');
    assert.deepEqual(scenarios, []);
    assert.ok(problems.some((problem) => problem.includes("'auth/of-tomorrow'")));
  });

  test('count where a change of the code shows that they can fail', () => {
    const offer = readOffer(
      Object.keys(mutants)
        .map((name) => `  - ${name} [2026-07-28]`)
        .join('\n'),
    );
    assert.deepEqual(
      offer.scenarios.map(({ name, standing }) => [name, standing.kind]),
      Object.keys(mutants).map((name) => [name, 'counted']),
    );
  });

  for (const name of ['resource-mismatch', 'metadata-issuer-mismatch', 'iss-unexpected', 'iss-normalized']) {
    test(`show that they can fail where signing in must be refused: auth/${name}`, () => {
      assert.ok(refusalOf(`auth/${name}`));
      assert.ok(`auth/${name}` in mutants);
    });
  }

  test('are changed where the code is', () => {
    const changes = [...Object.values(failingClients), ...Object.values(mutants)];
    for (const change of changes) {
      if (typeof change !== 'string') {
        const parts = readFileSync(join(root, 'src', change.file), 'utf8').split(change.from);
        assert.equal(parts.length, 2, `'${change.from}' is in ${change.file} once`);
      }
    }
  });

  test('are a failure where the suite no longer has them, so that an unread list fails', () => {
    const { problems } = readOffer('');
    assert.ok(problems.some((problem) => problem.includes("'tools_call'")));
  });
});
