import assert from 'node:assert/strict';
import { notGiven, serverNotRunning, troubleDocument } from '../../../../src/editor/resources/troubleText.ts';
import type { ConnectionState } from '../../../../src/host/state/connectionState.ts';
import { HostError } from '../../../../src/host/errors/hostError.ts';
import type { HostServer } from '../../../../src/host/servers/mcpHost.ts';

const serverIn = (state: ConnectionState, label = 'git'): HostServer =>
  ({ label, connection: { state } }) as unknown as HostServer;

suite('A document that shows no resource', () => {
  const reason = new HostError('exited', 'the process ended with the code 1.');
  for (const [state, problem, advice] of [
    [{ kind: 'stopped' }, "Server 'git' is stopped.", /^Start it/],
    [{ kind: 'failed', reason }, "Server 'git' has failed: the process ended with the code 1.", /^Start it/],
    [{ kind: 'awaitingApproval' }, "Server 'git' is waiting for your decision.", /^Decide/],
    [
      { kind: 'restricted' },
      "Server 'git' isn't running, because the workspace isn't trusted.",
      /^Trust the workspace/,
    ],
    [{ kind: 'starting' }, "Server 'git' is starting.", /^The document comes back when the server runs\.$/],
  ] as const) {
    test(`says what to do about a server that is ${state.kind}`, () => {
      const trouble = serverNotRunning(serverIn(state));
      assert.equal(trouble.problem, problem);
      assert.match(trouble.advice, advice);
    });
  }

  test('writes out invisible characters of the server', () => {
    const error = new HostError('protocol', 'no\u202e\n such');
    const { problem } = notGiven(serverIn({ kind: 'stopped' }, 'g\u200bit'), 'x:\u0007', error);
    assert.equal(problem, "Server 'g\\u{200B}it' did not send x:\\u{7}: no\\u{202E} such");
  });

  test('is valid in its language', () => {
    const trouble = { problem: 'P.', advice: 'A.' };
    assert.equal(troubleDocument(trouble, 'a.md'), 'P.\n\nA.\n');
    assert.equal(troubleDocument(trouble, 'a.ts'), '// P.\n// A.\n');
    assert.deepEqual(JSON.parse(troubleDocument(trouble, 'a.JSON')), ['P.', 'A.']);
  });
});
