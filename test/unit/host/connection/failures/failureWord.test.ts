import assert from 'node:assert/strict';
import { failureWord, suggestsMissingKey } from '../../../../../src/host/connection/failures/failureWord.ts';
import { remedyFor } from '../../../../../src/host/connection/failures/remedies.ts';
import { HostError, type HostErrorCode } from '../../../../../src/host/errors/hostError.ts';
import { httpServer, stdioServer } from '../../../support/definitions.ts';

suite('A failure in a word', () => {
  for (const [code, words, more] of [
    ['commandNotFound', 'command not found'],
    ['workingDirectoryMissing', 'folder not found'],
    ['spawnFailed', 'cannot be run'],
    ['exited', 'exited'],
    ['exited', 'needs a token', { message: 'it exited with code 1: API key missing' }],
    ['timedOut', 'no answer'],
    ['refused', 'not authorized', { status: 401 }],
    ['refused', 'not authorized', { status: 403 }],
    ['refused', 'refused, status 404', { status: 404 }],
    [
      'refused',
      'needs a token',
      { status: 400, message: 'the server refused with status 400: API key missing' },
    ],
    [
      'refused',
      'refused, status 503',
      { status: 503, message: 'the server refused with status 503: no key service, invalid token' },
    ],
    ['unreachable', 'not reachable'],
    ['lost', 'connection lost'],
    ['protocol', 'not an MCP server'],
    ['notAllowed', 'not allowed'],
  ] as readonly [HostErrorCode, string, { message?: string; status?: number }?][]) {
    test(`${code} ${JSON.stringify(more ?? {})} is "${words}"`, () => {
      assert.equal(failureWord(new HostError(code, more?.message ?? 'it failed', { ...more })), words);
    });
  }
});

suite('What a server says at its end', () => {
  for (const words of [
    'API key missing',
    'Error: GITHUB_TOKEN is not set',
    'GITHUB_PERSONAL_ACCESS_TOKEN environment variable is required',
    'Please set the OPENAI_API_KEY',
    'BRAVE_API_KEY environment variable is required',
    'Invalid credentials',
    'No API key found',
    'ValueError: Missing required environment variable: NOTION_TOKEN',
    'error: SLACK_BOT_TOKEN must be set',
  ]) {
    test(`sounds like a missing key: ${words}`, () => {
      assert.ok(suggestsMissingKey(new HostError('exited', `it exited with code 1: ${words}`)));
    });
  }

  for (const words of [
    'no license',
    'Error: Cannot find module express',
    'SyntaxError: Unexpected token < in JSON',
    'no such file or directory',
    'KeyError: name',
    'Usage: server <directory>',
    'keyboard is required',
  ]) {
    test(`does not sound like a missing key: ${words}`, () => {
      assert.ok(!suggestsMissingKey(new HostError('exited', `it exited with code 1: ${words}`)));
    });
  }
});

suite('What may help a server that failed', () => {
  const missing = new HostError('exited', 'it exited with code 1: API key missing');
  const input = { id: 'key', type: 'promptString', password: true } as const;

  for (const [command, name] of [
    ['uvx', 'uv'],
    ['npx', 'Node.js'],
    ['/usr/bin/docker', 'Docker'],
    ['python3', 'Python'],
    ['npx.cmd', 'Node.js'],
  ] as const) {
    test(`is to install ${name} where ${command} was not found`, () => {
      const remedy = remedyFor(new HostError('commandNotFound', ''), stdioServer([], { command }));
      assert.ok(remedy?.kind === 'install');
      assert.equal(remedy.program.name, name);
      assert.match(remedy.program.address, /^https:\/\/[\w.-]+\/[\w./-]*$/);
    });
  }

  test('is to edit an unknown command', () => {
    for (const command of ['my-server', 'constructor', '__proto__']) {
      const remedy = remedyFor(new HostError('commandNotFound', ''), stdioServer([], { command }));
      assert.deepEqual(remedy, { kind: 'edit' });
    }
  });

  test('is to set the token of an input, or of a variable, that its words are about', () => {
    assert.deepEqual(remedyFor(missing, stdioServer([], { inputs: [input] })), {
      kind: 'setKey',
      place: 'input',
    });
    assert.deepEqual(remedyFor(missing, stdioServer([], { env: { API_KEY: '' } })), {
      kind: 'setKey',
      place: 'definition',
    });
    assert.deepEqual(remedyFor(missing, stdioServer([], { env: { LANG: 'C' } })), { kind: 'edit' });
  });

  test('is to set the token or edit the address where an address refuses', () => {
    const refused = (status: number) => new HostError('refused', '', { status });
    assert.deepEqual(remedyFor(refused(401), httpServer('http://localhost/mcp')), {
      kind: 'setKey',
      place: 'account',
    });
    assert.deepEqual(remedyFor(refused(404), httpServer('http://localhost/mcp')), { kind: 'edit' });
    assert.equal(remedyFor(refused(503), httpServer('http://localhost/mcp')), undefined);
  });

  test('is to read the log where a server says nothing', () => {
    assert.equal(remedyFor(new HostError('exited', 'it exited with code 1'), stdioServer([])), undefined);
    assert.equal(remedyFor(new HostError('timedOut', ''), stdioServer([])), undefined);
  });

  for (const words of [
    'npm error code E404\nnpm error 404 Not Found - GET https://packages.example/no-such-server - Not found',
    'npm ERR! code ETARGET',
    ' ERR_PNPM_FETCH_404  GET https://packages.example/no-such-server: Not Found - 404',
    'error: GET https://packages.example/no-such-server - 404',
    'Because no-such-server was not found in the package registry and you require no-such-server',
    'ERROR: No matching distribution found for no-such-server',
    'docker: Error response from daemon: pull access denied for no-such/server, repository does not exist',
  ]) {
    test(`sounds like a package that doesn't exist, whose name you can change: ${words.slice(0, 40)}`, () => {
      const failure = new HostError('exited', 'it exited with code 1', { detail: words });
      assert.equal(failureWord(failure), 'package not found');
      assert.deepEqual(remedyFor(failure, stdioServer([])), { kind: 'edit' });
    });
  }
});
