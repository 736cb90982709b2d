import assert from 'node:assert/strict';
import { exitFailure } from '../../../../../src/host/connection/failures/exitFailure.ts';

/** What the failure of a process says after how it ended; undefined if it says nothing more. */
function exitMessage(stderr: readonly string[]): string | undefined {
  const { message } = exitFailure({ code: 1, signal: null }, stderr);
  return /^it exited with code 1(?:: (.*))?$/s.exec(message)?.[1];
}

suite('The message of a server that exits', () => {
  const node = `/srv/index.js:3
  throw new Error('API key missing');
  ^

Error: API key missing
    at Object.<anonymous> (/srv/index.js:3:9)
    at Module._compile (node:internal/modules/cjs/loader:1554:14) {
  code: 'E_KEY'
}

Node.js v22.14.0`;
  const python = `Traceback (most recent call last):
  File "/srv/main.py", line 1, in <module>
    main()
ValueError: API key missing`;
  const npm = `npm error code E404
npm error 404 Not Found - GET https://example.com/none - Not found
npm error 404
npm error 404  'none@*' is not in this registry.
npm error 404
npm error 404 Note that you can also install from a
npm error 404 tarball, folder, http url, or git folder.
npm error A complete log of this run can be found in: /home/me/.npm/_logs/1.log`;
  const uv = `  × No solution found when resolving tool dependencies:
  ╰─▶ Because none was not found in the package registry, we can conclude that
      your requirements are unsatisfiable.`;
  const docker = `docker: Cannot connect to the Docker daemon. Is the docker daemon running?

Run 'docker run --help' for more information`;
  for (const [what, text, said] of [
    ['one line', 'API key missing', 'API key missing'],
    ['an exception of Node', node, 'Error: API key missing'],
    ['a traceback of Python', python, 'ValueError: API key missing'],
    ['npm', npm, "'none@*' is not in this registry."],
    [
      'uv',
      uv,
      'No solution found when resolving tool dependencies: ╰─▶ Because none was not found in the package registry, we can conclude that your requirements are unsatisfiable.',
    ],
    ['docker', docker, 'docker: Cannot connect to the Docker daemon. Is the docker daemon running?'],
    ['an error with another line after it', 'ERROR no license\nGood bye.', 'ERROR no license'],
    ['a line that continues', 'Error: missing:\n  API_KEY\n', 'Error: missing: API_KEY'],
    ['a line of JSON', '{"level":50,"msg":"API key missing"}', 'API key missing'],
    ['colors', '\u001B[31mAPI key\u001B[0m missing', 'API key missing'],
    ['characters that move the cursor', 'one\rtwo', 'one two'],
  ] as const) {
    test(`is found in ${what}`, () => {
      assert.equal(exitMessage(text.split('\n')), said);
    });
  }

  test('is missing when stderr says nothing', () => {
    assert.equal(exitMessage([]), undefined);
    assert.equal(exitMessage(['', '   ', '---', 'Node.js v22.14.0']), undefined);
  });

  test('is 200 characters long at most', () => {
    assert.equal(exitMessage(['x'.repeat(1_000)])?.length, 200);
  });
});
