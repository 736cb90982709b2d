import assert from 'node:assert/strict';
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

  test('are a failure where nobody has said whether they count', () => {
    const { scenarios, problems } = readOffer('  - auth/of-tomorrow [2026-07-28]');
    assert.deepEqual(scenarios, []);
    assert.ok(problems.some((problem) => problem.includes("'auth/of-tomorrow'")));
  });

  test('are a failure where the suite no longer has them, so that an unread list fails', () => {
    const { problems } = readOffer('');
    assert.ok(problems.some((problem) => problem.includes("'tools_call'")));
  });
});
