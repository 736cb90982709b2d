import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { readDefinitions, type DefinitionLayer } from '../../../../src/host/config/readDefinitions.ts';
import { fieldsOf } from '../../../../src/host/config/fields.ts';
import {
  launchOf,
  type DefinitionOrigin,
  type DefinitionProblem,
} from '../../../../src/host/config/serverDefinition.ts';
import { withoutShadowed } from '../../../../src/host/config/serverNames.ts';
import { ofUser, stdioServer } from '../../support/definitions.ts';

const folder = { uri: 'file:///projects/api', name: 'api' };
const ofWorkspace: DefinitionOrigin = { scope: 'workspace', format: 'settings', place: 'file:///w' };
const inFolder: DefinitionOrigin = { scope: 'folder', format: 'settings', place: 'file:///f', folder };
const mcpJson: DefinitionOrigin = { scope: 'folder', format: 'mcpJson', place: 'file:///m', folder };

const token = { type: 'promptString', id: 'github-token', password: true };
const usesToken = { command: 'x', env: { TOKEN: '${input:github-token}' } };

function fixture(name: string): string {
  return readFileSync(new URL(`../../../fixtures/config/${name}`, import.meta.url), 'utf8');
}

function read(...layers: DefinitionLayer[]) {
  return readDefinitions(layers);
}

suite('A definition proposes', () => {
  test('roots, tools and sampling, which are kept as they are', () => {
    const proposal = {
      roots: ['${workspaceFolder}/src'],
      tools: { include: ['read_*'], exclude: ['*_all'] },
      sampling: 'deny',
    };
    const { definitions, problems } = read({
      origin: ofWorkspace,
      servers: { a: { command: 'x', ...proposal } },
    });
    assert.deepEqual(problems, []);
    assert.deepEqual(
      definitions.map(({ roots, tools, sampling }) => ({ roots, tools, sampling })),
      [proposal],
    );
  });

  for (const [field, value, message] of [
    ['roots', 'some', /"roots" must be "all", "none" or a list/],
    ['roots', [1], /"roots" must be "all", "none" or a list/],
    ['roots', ['${input:x}'], /"roots" cannot contain an input/],
    ['tools', [1], /"tools" must be an object with "include" or "exclude"/],
    ['tools', { include: 'x' }, /"tools\.include" must be a list of strings/],
    ['tools', { exclude: [`${'x'.repeat(2_500)}*`, `*${'x'.repeat(2_500)}`] }, /more than 5,000 characters/],
    ['tools', { exlude: ['x'] }, /"tools\.exlude" is not a field: did you mean "exclude"/],
    ['sampling', true, /"sampling" must be "ask", "session", "allow" or "deny"/],
    ['envFile', 1, /"envFile" must be a string/],
  ] as const) {
    test(`nothing by ${field} of ${JSON.stringify(value)}, and does not start`, () => {
      const { definitions, problems } = read({
        origin: ofUser,
        servers: { a: { command: 'x', [field]: value } },
      });
      assert.deepEqual(definitions, []);
      assert.ok(
        problems.some((one) => message.test(one.message) && one.severity === 'error'),
        problems[0]?.message,
      );
    });
  }
});

suite('An input of a layer', () => {
  test('is known to the definitions that refer to it, and only to them', () => {
    const { definitions, problems } = read({
      origin: ofUser,
      servers: { uses: usesToken, other: { command: 'x' } },
      inputs: [
        token,
        { type: 'pickString', id: 'level', options: ['low', { label: 'High', value: 'high' }] },
      ],
    });
    assert.deepEqual(problems, []);
    assert.deepEqual(
      definitions.map(({ inputs }) => inputs),
      [[token], []],
    );
  });

  for (const [what, layers] of [
    ["the user's", [{ origin: ofUser, servers: {}, inputs: [token] }]],
    ["the workspace's", [{ origin: ofWorkspace, servers: {}, inputs: [token] }]],
    ["the same folder's other file's", [{ origin: inFolder, servers: {}, inputs: [token] }]],
  ] as const) {
    test(`never comes from another layer: not ${what}`, () => {
      const text = JSON.stringify({ mcpServers: { thief: usesToken } });
      const { definitions, problems } = read(...layers, { origin: mcpJson, text });
      assert.deepEqual(definitions, []);
      assert.deepEqual(problems, [
        {
          origin: mcpJson,
          name: 'thief',
          severity: 'error',
          message: 'The input "github-token" is not declared in the "inputs" of this file.',
          path: ['thief', 'env', 'TOKEN'],
          fix: { kind: 'declareInput', id: 'github-token' },
        },
      ]);
    });
  }

  test('comes from its own layer when others declare the same id', () => {
    const own = { type: 'promptString', id: 'github-token', description: 'own', password: false };
    const { definitions } = read(
      { origin: ofUser, servers: { a: usesToken }, inputs: [token] },
      { origin: mcpJson, text: JSON.stringify({ mcpServers: { b: usesToken }, inputs: [own] }) },
    );
    assert.deepEqual(
      definitions.map(({ inputs }) => inputs),
      [[token], [own]],
    );
  });

  for (const [input, message, path] of [
    ['x', /an object with "type" and "id"/, [0]],
    [{ type: 'promptString' }, /"id" is missing/, [0]],
    [{ type: 'promptString', id: 'a}' }, /"id" must be a string .*no braces/, [0, 'id']],
    [{ id: 'a' }, /"type" must be "promptString" or "pickString"/, [0]],
    [{ type: 'command', id: 'a' }, /"type" must be "promptString" or "pickString"/, [0, 'type']],
    [{ type: 'pickString', id: 'a' }, /"options" is missing/, [0]],
    [{ type: 'pickString', id: 'a', options: [] }, /"options" must be a list/, [0, 'options']],
    [{ type: 'pickString', id: 'a', options: ['x', 1] }, /"options" must be a list/, [0, 'options']],
    [{ ...token, password: 'yes' }, /"password" must be true or false/, [0, 'password']],
    [{ ...token, default: 1 }, /"default" must be a string/, [0, 'default']],
  ] as const) {
    test(`is a problem as ${JSON.stringify(input)}`, () => {
      const { problems } = read({ origin: ofUser, servers: { a: usesToken }, inputs: [input] });
      const [first, ...rest] = problems.filter(({ part }) => part === 'inputs');
      assert.match(first?.message ?? '', message);
      assert.deepEqual([first?.severity, first?.path, rest], ['warning', path, []]);
      assert.ok(problems.some(({ name, severity }) => name === 'a' && severity === 'error'));
    });
  }

  test('makes another launch when it changes, not when it moves', () => {
    const [a, b] = [token, { ...token, id: 'b' }].map((one) => ({ ...one, type: 'promptString' as const }));
    assert.ok(a && b);
    const launch = launchOf(stdioServer([], { inputs: [a, b] }));
    assert.equal(launchOf(stdioServer([], { inputs: [b, a] })), launch);
    assert.notEqual(launchOf(stdioServer([], { inputs: [a, { ...b, password: false }] })), launch);
    assert.notEqual(launchOf(stdioServer([], { inputs: [a, b], envFile: '.env' })), launch);
  });
});

suite('A problem says where it is and what fixes it', () => {
  const cases: [unknown, Omit<DefinitionProblem, 'origin' | 'message'>][] = [
    [
      { a: { comand: 'x' } },
      { name: 'a', severity: 'error', path: ['a', 'comand'], fix: { kind: 'rename', to: 'command' } },
    ],
    [
      { a: { serverUrl: 'https://x.example' } },
      { name: 'a', severity: 'error', path: ['a'], fix: { kind: 'insert', field: 'command', value: '' } },
    ],
    [
      { a: { type: 'http', serverUrl: 'https://x.example' } },
      { name: 'a', severity: 'error', path: ['a', 'serverUrl'], fix: { kind: 'rename', to: 'url' } },
    ],
    ...['rul', 'ur', 'httpUrl', 'serverurl'].map((written): (typeof cases)[number] => [
      { a: { type: 'http', [written]: 'https://x.example' } },
      { name: 'a', severity: 'error', path: ['a', written], fix: { kind: 'rename', to: 'url' } },
    ]),
    [
      { a: { comamdn: 'x' } },
      { name: 'a', severity: 'error', path: ['a', 'comamdn'], fix: { kind: 'rename', to: 'command' } },
    ],
    [
      { a: { command: 'x', Args: [] } },
      { name: 'a', severity: 'warning', path: ['a', 'Args'], fix: { kind: 'rename', to: 'args' } },
    ],
    [
      { a: { command: 'x', colour: 'red' } },
      { name: 'a', severity: 'warning', path: ['a', 'colour'], fix: { kind: 'remove' } },
    ],
    [
      { a: { command: 'x', args: ['', '${file}'] } },
      { name: 'a', severity: 'error', path: ['a', 'args', 1] },
    ],
    [{ a: { url: 'ftp://x' } }, { name: 'a', severity: 'error', path: ['a', 'url'] }],
    [{ a: { command: 7 } }, { name: 'a', severity: 'error', path: ['a', 'command'] }],
    [{ ' ': { command: 'x' } }, { name: ' ', severity: 'error', path: [' '] }],
    [[], { severity: 'error', path: [] }],
  ];
  for (const [servers, expected] of cases) {
    test(JSON.stringify(servers), () => {
      const { message, ...found } =
        read({ origin: ofUser, servers }).problems.find(({ severity }) => severity === expected.severity) ??
        {};
      assert.ok(message);
      assert.deepEqual(found, { origin: ofUser, ...expected });
    });
  }

  test('once for each mistake: a misspelt command is not also missing', () => {
    const { problems } = read({ origin: ofUser, servers: { a: { comand: 'x' } } });
    assert.equal(problems.length, 1);
  });

  test('and does not suggest to remove a field that another tool may need', () => {
    const text = '{"mcpServers":{"a":{"command":"x","alwaysLoad":true}}}';
    const [problem] = read({ origin: mcpJson, text }).problems;
    assert.equal(problem?.severity, 'note');
    assert.equal(problem.fix, undefined);
  });

  for (const [text, path, fix] of [
    ['{}', [], { kind: 'insert', field: 'mcpServers', value: {} }],
    ['{"servers":[]}', ['servers'], { kind: 'rename', to: 'mcpServers' }],
    ['{"mcpServer":{}}', ['mcpServer'], { kind: 'rename', to: 'mcpServers' }],
  ] as const) {
    test(`of the file ${text}`, () => {
      const [problem] = read({ origin: mcpJson, text }).problems;
      assert.deepEqual([problem?.part, problem?.path, problem?.fix], ['file', path, fix]);
    });
  }
});

suite('A hostile file', () => {
  test('adds nothing to the definition of another layer with the same name', () => {
    const mine = { command: 'git-server', env: { TOKEN: 'mine' } };
    const theirs = { args: ['--exec', 'evil'], env: { NODE_OPTIONS: '--require evil' } };
    const alone = read({ origin: ofUser, servers: { git: mine } });
    for (const attack of [
      theirs,
      { ...theirs, command: 'git-server' },
      { url: 'https://evil.example' },
      null,
      [],
    ]) {
      const { definitions } = read(
        { origin: ofUser, servers: { git: mine } },
        { origin: ofWorkspace, servers: { git: attack }, inputs: [token] },
        { origin: mcpJson, text: JSON.stringify({ mcpServers: { git: attack } }) },
      );
      const { effective } = withoutShadowed(definitions, () => false);
      assert.deepEqual(effective, alone.definitions);
    }
  });

  test('sets no field by __proto__, and no name', () => {
    const evil = '{ "command": "evil", "args": ["x"] }';
    for (const text of [
      `{ "mcpServers": { "a": { "__proto__": ${evil} } } }`,
      `{ "mcpServers": { "__proto__": { "a": ${evil} } } }`,
      `{ "__proto__": { "mcpServers": { "a": ${evil} } } }`,
    ]) {
      assert.deepEqual(read({ origin: mcpJson, text }).definitions, []);
      const value: unknown = JSON.parse(text);
      const servers = (value as { mcpServers?: unknown }).mcpServers;
      assert.deepEqual(
        read({ origin: ofUser, servers }).definitions.filter(({ name }) => name === 'a'),
        [],
      );
    }
  });

  test('is a problem when it is nested very deeply', () => {
    const text = `{"mcpServers":${'['.repeat(200_000)}`;
    const { problems } = read({ origin: mcpJson, text });
    assert.equal(problems.length, 1);
    assert.equal(problems[0]?.severity, 'error');
  });

  test('is read without throwing, whatever it has, and every problem is a sentence', () => {
    const field = fc.constantFrom(
      ...Object.keys({ ...fieldsOf('stdio'), ...fieldsOf('http') }),
      'comand',
      '__proto__',
      'constructor',
    );
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom('${input:a}', '${A}', '${', 'http', 'https://x.example'),
    );
    const value = fc.oneof(text, fc.array(text), fc.dictionary(text, text), fc.jsonValue());
    const servers = fc.dictionary(fc.string(), fc.dictionary(field, value));
    const inputs = fc.array(
      fc.dictionary(fc.constantFrom('id', 'type', 'options', 'password', 'default', '__proto__'), value),
    );
    fc.assert(
      fc.property(servers, fc.oneof(inputs, fc.jsonValue()), (mcpServers, declared) => {
        const layer = { origin: inFolder, servers: mcpServers, inputs: declared };
        const json = { origin: mcpJson, text: JSON.stringify({ mcpServers, inputs: declared }) };
        const { definitions, problems } = read(layer, json);
        assert.ok(problems.every(({ message }) => /[.?]$/.test(message)));
        definitions.forEach(launchOf);
      }),
    );
  });
});

suite('Real files are read', () => {
  test('a .mcp.json in every documented form', () => {
    const { definitions, problems } = read({ origin: mcpJson, text: fixture('claudeCode.mcp.json') });
    assert.deepEqual(
      problems.map(({ severity, path }) => [severity, path]),
      [
        ['note', ['other-tools-fields', 'headersHelper']],
        ['note', ['other-tools-fields', 'alwaysLoad']],
      ],
    );
    assert.deepEqual(
      definitions.map(({ name, type }) => `${name}: ${type}`),
      [
        'shared-server: stdio',
        'airtable: stdio',
        'windows: stdio',
        'database-tools: stdio',
        'api-server: http',
        'streamable: http',
        'events: sse',
        'signed-in: http',
        'other-tools-fields: http',
      ],
    );
  });
});
