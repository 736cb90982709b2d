import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { readDefinitions } from '../../../../src/host/config/readDefinitions.ts';
import { launchOf, type DefinitionOrigin } from '../../../../src/host/config/serverDefinition.ts';
import { legacyServer, httpServer, ofUser } from '../../support/definitions.ts';

const mcpJson: DefinitionOrigin = {
  scope: 'folder',
  format: 'mcpJson',
  place: 'file:///projects/api/.mcp.json',
  folder: { uri: 'file:///projects/api', name: 'api' },
};

function problemsOf(servers: unknown): readonly string[] {
  return readDefinitions([{ origin: ofUser, servers }]).problems.map(
    ({ severity, name, message }) => `${severity}, ${name ?? 'layer'}: ${message}`,
  );
}

suite('Definitions are read', () => {
  test('up to as many as a layer may have, each no larger than it may be', () => {
    const many = Object.fromEntries(
      Array.from({ length: 30_000 }, (_, index) => [`s${index}`, { command: 'x' }]),
    );
    const text = JSON.stringify({ mcpServers: many });
    for (const layer of [
      { origin: ofUser, servers: many },
      { origin: mcpJson, text },
    ]) {
      const { definitions, problems } = readDefinitions([layer]);
      assert.equal(definitions.length, 200);
      assert.deepEqual(
        problems.map(({ message, path }) => [/first 200 servers are read/.test(message), path]),
        [[true, ['s200']]],
      );
    }
    const { definitions, problems } = readDefinitions([
      {
        origin: ofUser,
        servers: {
          long: { command: 'x', args: ['a'.repeat(200_000)] },
          many: { command: 'x', args: Array.from({ length: 5_000 }, () => '') },
          odd: { command: 'x', args: Array.from({ length: 4_000 }, () => 1) },
          ['n'.repeat(200_001)]: { command: 'x' },
          sound: { command: 'x' },
        },
        inputs: Array.from({ length: 10_000 }, (_, index) => ({ type: 'promptString', id: `i${index}` })),
      },
    ]);
    assert.deepEqual(
      definitions.map(({ name }) => name),
      ['sound'],
    );
    assert.ok(problems.length <= 500, `${problems.length} problems`);
    assert.ok(problems.some(({ message }) => /first 200 inputs are read/.test(message)));
    assert.equal(problems.filter(({ message }) => /too large|has more than/.test(message)).length, 3);
    assert.deepEqual(
      readDefinitions([{ origin: mcpJson, text: ' '.repeat(2 ** 20 + 1) }]).problems[0]?.message,
      'This file is larger than 1 MB.',
    );
  });

  test('from the settings, each field of a stdio server', () => {
    const servers = {
      git: {
        command: 'uvx',
        args: ['mcp-server-git', '-v'],
        env: { LEVEL: 3, DEBUG: true, NAME: 'x' },
        cwd: 'tools',
        disabled: true,
        autoStart: false,
        timeout: 5_000,
      },
    };
    assert.deepEqual(readDefinitions([{ origin: ofUser, servers }]), {
      definitions: [
        {
          id: 'user settings:user git',
          name: 'git',
          origin: ofUser,
          type: 'stdio',
          command: 'uvx',
          args: ['mcp-server-git', '-v'],
          env: { LEVEL: '3', DEBUG: 'true', NAME: 'x' },
          inputs: [],
          cwd: 'tools',
          disabled: true,
          autoStart: false,
          timeout: 5_000,
        },
      ],
      problems: [],
    });
  });

  for (const [value, type] of [
    [{ url: 'https://example.org/mcp' }, 'http'],
    [{ type: 'http', url: 'http://127.0.0.1:80/mcp' }, 'http'],
    [{ type: 'sse', url: 'https://example.org/sse' }, 'sse'],
    [{ command: 'x' }, 'stdio'],
    [{ type: 'stdio', command: 'x' }, 'stdio'],
  ] as const) {
    test(`as ${type} from ${JSON.stringify(value)}`, () => {
      const { definitions, problems } = readDefinitions([{ origin: ofUser, servers: { one: value } }]);
      assert.deepEqual(problems, []);
      assert.equal(definitions[0]?.type, type);
    });
  }

  test('from a .mcp.json with comments and trailing commas', () => {
    const text = `{
      // What we use every day.
      "mcpServers": { "git": { "command": "uvx", "args": ["mcp-server-git",], /* no env */ }, },
    }`;
    const { definitions, problems } = readDefinitions([{ origin: mcpJson, text }]);
    assert.deepEqual(problems, []);
    assert.deepEqual(
      definitions.map(({ id }) => id),
      ['folder file:///projects/api/.mcp.json git'],
    );
  });

  test('layer by layer, in order; one without servers is not a problem', () => {
    const { definitions, problems } = readDefinitions([
      { origin: ofUser, servers: { b: { command: 'b' }, a: { command: 'a' } } },
      { origin: ofUser, servers: undefined },
      { origin: mcpJson, text: '{"mcpServers":{"a":{"command":"a"}}}' },
    ]);
    assert.deepEqual(problems, []);
    assert.deepEqual(
      definitions.map(({ name, origin }) => `${origin.scope} ${name}`),
      ['user b', 'user a', 'folder a'],
    );
  });

  test('one by one: what is wrong with one affects only that one', () => {
    const { definitions, problems } = readDefinitions([
      { origin: ofUser, servers: { good: { command: 'x' }, bad: { command: 7 } } },
    ]);
    assert.deepEqual(
      definitions.map(({ name }) => name),
      ['good'],
    );
    assert.ok(problems.length > 0 && problems.every(({ name }) => name === 'bad'));
  });

  const wrong: [unknown, RegExp][] = [
    [[], /^error, layer: .*an object of the form \{ "name"/],
    [{ '': { command: 'x' } }, /^error, : .*needs a name/],
    [{ a: 'x' }, /^error, a: .*an object with "command" or "url"/],
    [{ a: { type: 'ws' } }, /^error, a: "type" must be "stdio", "http" or "sse"/],
    [{ a: {} }, /^error, a: "command" is missing: write the program/],
    [{ a: { command: '' } }, /^error, a: "command" must not be empty/],
    [{ a: { type: 'http' } }, /^error, a: "url" is missing: write the address/],
    [{ a: { url: '' } }, /^error, a: "url" must not be empty/],
    [
      { a: { url: 'file:///etc/passwd' } },
      /^error, a: "url" must be an http: .*"file:\/\/\/etc\/passwd" is not/,
    ],
    [{ a: { command: 'x', args: 'y' } }, /^error, a: "args" must be a list of strings/],
    [{ a: { command: 'x', args: [1] } }, /^error, a: "args" must be a list of strings/],
    [{ a: { command: 'x', env: [] } }, /^error, a: "env" must be an object of strings/],
    [{ a: { command: 'x', env: { A: [] } } }, /^error, a: "env\.A" must be a string/],
    [{ a: { command: 'x', cwd: 1 } }, /^error, a: "cwd" must be a string/],
    [{ a: { command: 'x', disabled: 'no' } }, /^error, a: "disabled" must be true or false/],
    [{ a: { command: 'x', timeout: 0 } }, /^error, a: "timeout" must be .*milliseconds above 0/],
    [{ a: { command: 'x', url: 'y' } }, /^error, a: "url" must be an http: .*"y" is not/],
    [{ a: { command: 'x', colour: 'red' } }, /^warning, a: "colour" is not a field of a stdio server/],
    [{ a: { url: 'http://x', cwd: '/' } }, /^warning, a: "cwd" is not a field of an HTTP server/],
  ];
  for (const [servers, expected] of wrong) {
    test(`with a message to act on for ${JSON.stringify(servers)}`, () => {
      const problems = problemsOf(servers);
      assert.ok(
        problems.some((problem) => expected.test(problem)),
        problems.join('\n'),
      );
    });
  }

  test('with the line at which a .mcp.json goes wrong', () => {
    const { problems } = readDefinitions([{ origin: mcpJson, text: '{\n  "mcpServers": {\n    "a": }\n' }]);
    assert.equal(problems[0]?.message, 'Line 3 is not valid JSON: a value is missing.');
  });

  for (const text of ['', '[]', '{"servers":[]}', '{"mcpServer":{}}', 'null']) {
    test(`with a problem from a .mcp.json of ${JSON.stringify(text)}`, () => {
      const { definitions, problems } = readDefinitions([{ origin: mcpJson, text }]);
      assert.deepEqual(definitions, []);
      assert.equal(problems.length, 1);
      assert.equal(problems[0]?.severity, 'error');
    });
  }

  test('without throwing, whatever is in the settings', () => {
    const field = fc.constantFrom('type', 'command', 'args', 'env', 'cwd', 'url', 'headers', 'timeout', 'x');
    const server = fc.oneof(fc.dictionary(field, fc.jsonValue()), fc.anything());
    fc.assert(
      fc.property(fc.oneof(fc.dictionary(fc.string(), server), fc.anything()), (servers) => {
        const { definitions, problems } = readDefinitions([{ origin: ofUser, servers }]);
        for (const { name } of definitions) {
          assert.ok(!problems.some((one) => one.name === name && one.severity === 'error'));
        }
      }),
    );
  });

  test('without throwing, whatever is in a .mcp.json', () => {
    const text = fc.oneof(
      fc.string(),
      fc.json(),
      fc.jsonValue().map((mcpServers) => JSON.stringify({ mcpServers })),
    );
    fc.assert(
      fc.property(text, (one) => {
        readDefinitions([{ origin: mcpJson, text: one }]);
      }),
    );
  });
});

suite('The launch of a definition', () => {
  test('does not depend on the order of its variables, its name, or its timeout', () => {
    const one = legacyServer(['-v'], { env: { A: '1', B: '2' } });
    const other = legacyServer(['-v'], { env: { B: '2', A: '1' }, timeout: 1, disabled: true });
    assert.equal(launchOf(one), launchOf(other));
  });

  const base = legacyServer(['-v'], { env: { A: '1' }, cwd: '/x' });
  const http = httpServer('https://example.org/mcp', { headers: { a: '1' } });
  for (const [what, one, other] of [
    ['its command', base, { ...base, command: 'other' }],
    ['its arguments', base, { ...base, args: [...base.args, ''] }],
    ['the order of its arguments', base, { ...base, args: base.args.toReversed() }],
    ['the value of a variable', base, { ...base, env: { A: '2' } }],
    ['its directory', base, { ...base, cwd: '/y' }],
    ['its address', http, { ...http, url: 'https://example.org/other' }],
    ['a header', http, { ...http, headers: { a: '2' } }],
    ['its type', http, { ...http, type: 'sse' as const }],
  ] as const) {
    test(`changes with ${what}`, () => {
      assert.notEqual(launchOf(one), launchOf(other));
    });
  }
});
