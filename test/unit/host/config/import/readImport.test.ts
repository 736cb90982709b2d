import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { definitionOf } from '../../../../../src/host/config/edit/serverDraft.ts';
import { secretsIn, withSecretsAsInputs } from '../../../../../src/host/config/edit/secrets.ts';
import { forPlace } from '../../../../../src/host/config/edit/fitDraft.ts';
import type { ImportMachine } from '../../../../../src/host/config/import/copilotFile.ts';
import {
  importLocations,
  type ImportDialect,
} from '../../../../../src/host/config/import/importLocations.ts';
import type { ImportedServer } from '../../../../../src/host/config/import/mapServer.ts';
import { duplicateOf, readImport } from '../../../../../src/host/config/import/readImport.ts';
import { readSnippet } from '../../../../../src/host/config/import/readSnippet.ts';
import type { HttpServerDefinition } from '../../../../../src/host/config/serverDefinition.ts';
import { httpServer, ofUser, stdioServer } from '../../../support/definitions.ts';

function read(file: string, dialect: ImportDialect, folders: readonly string[] = []) {
  const url = new URL(`../../../../fixtures/import/${file}`, import.meta.url);
  const { servers, problem } = readImport(readFileSync(url, 'utf8'), dialect, folders);
  assert.equal(problem, undefined);
  return new Map(servers.map((server) => [server.name, server]));
}

function signInOf(server: ImportedServer | undefined): HttpServerDefinition['oauth'] {
  const launch = server?.draft?.launch;
  return launch && launch.type !== 'stdio' ? launch.oauth : undefined;
}

function assertNotes(server: ImportedServer | undefined, ...expected: readonly RegExp[]): void {
  const { notes } = server ?? { notes: ['no server'] };
  assert.equal(notes.length, expected.length, notes.join(' '));
  expected.forEach((note, index) => assert.match(notes[index] ?? '', note));
}

suite('Servers of other programs are read', () => {
  test('from .vscode/mcp.json, with inputs and variables', () => {
    const servers = read('vscode.mcp.json', 'vscode');
    assert.deepEqual(servers.get('Perplexity'), {
      name: 'Perplexity',
      draft: {
        name: 'Perplexity',
        launch: {
          type: 'stdio',
          command: 'npx',
          args: ['-y', 'server-perplexity-ask'],
          env: { PERPLEXITY_API_KEY: '${input:perplexity-key}', REGION: '${input:region}' },
        },
        inputs: [
          { type: 'promptString', id: 'perplexity-key', description: 'Perplexity API Key', password: true },
          {
            type: 'pickString',
            id: 'region',
            description: 'Region',
            default: 'eu',
            options: [
              { label: 'eu', value: 'eu' },
              { label: 'United States', value: 'us' },
            ],
          },
        ],
        values: new Map(),
        disabled: false,
      },
      notes: [],
    });
    assert.deepEqual(servers.get('fetch')?.draft?.launch, {
      type: 'stdio',
      command: 'uvx',
      args: ['mcp-server-fetch'],
      env: {},
      envFile: '${workspaceFolder}/.env',
      cwd: '${workspaceFolder}/tools',
    });
    assertNotes(servers.get('fetch'), /"dev" has no effect/, /"sandboxEnabled".*without a sandbox/);
    assertNotes(servers.get('branches'), /\$\{fileDirname\} does not exist/, /'branch'.*"command".*as text/);
    assertNotes(servers.get('github'));
    assert.equal(servers.get('remote')?.draft?.launch.type, 'sse');
    assert.deepEqual(servers.get('remote')?.draft?.inputs, [
      { type: 'promptString', id: 'undeclared', password: true },
    ]);
    assert.deepEqual(servers.get('socket')?.draft?.launch, {
      type: 'http',
      url: 'unix:///tmp/server.sock',
      headers: {},
    });
  });

  test('from .cursor/mcp.json', () => {
    const servers = read('cursor.mcp.json', 'cursor');
    assert.deepEqual(servers.get('local')?.draft?.launch, {
      type: 'stdio',
      command: 'python',
      args: ['${workspaceFolder}/tools/mcp_server.py', '--home', '${userHome}'],
      env: { API_KEY: '${env:API_KEY}' },
      envFile: '.env',
    });
    const remote = servers.get('remote')?.draft;
    assert.ok(remote);
    assert.equal(remote.launch.type, 'http');
    const moved = withSecretsAsInputs(remote, secretsIn(remote.launch));
    assert.deepEqual([...moved.values], [['remote-api-key', 'a1b2c3d4e5f6']]);
    assert.deepEqual(signInOf(servers.get('signed-in')), {
      clientId: '${env:MCP_CLIENT_ID}',
      scopes: ['read'],
    });
    assertNotes(servers.get('signed-in'), /client ID is registered for another program/);
    assertNotes(servers.get('named'), /\$\{workspaceFolderBasename\} does not exist/);
  });

  test("from Copilot CLI's file", () => {
    const servers = read('copilot.mcp-config.json', 'copilotCli');
    assert.deepEqual(servers.get('playwright')?.draft?.launch, {
      type: 'stdio',
      command: 'npx',
      args: ['@playwright/mcp@latest'],
      env: {},
    });
    assertNotes(servers.get('playwright'));
    const serena = servers.get('serena');
    assert.equal(serena?.draft?.timeout, 30_000);
    assert.deepEqual(serena?.draft?.launch.type === 'stdio' && serena.draft.launch.env, {
      API_KEY: '${env:MY_API_KEY}',
      OTHER: '${env:COPILOT_MCP_OTHER}',
    });
    assertNotes(serena);
    assert.deepEqual(serena.draft.tools, ['find_symbol']);
    const context7 = servers.get('context7')?.draft;
    assert.ok(context7);
    const moved = withSecretsAsInputs(context7, secretsIn(context7.launch));
    assert.equal(moved.inputs.length, 1);
    assert.equal(moved.values.size, 0, 'an example is not a value');
    assert.equal(servers.get('cloudflare')?.draft?.launch.type, 'sse');
  });

  test('with what is left out, and with variables that exist here', () => {
    const a = { type: 'local', command: 'x', args: ['${env:A}'], tools: 'read', timeout: 0 };
    const [server] = readImport(JSON.stringify({ mcpServers: { a } }), 'copilotCli').servers;
    assert.deepEqual(server?.draft?.launch, {
      type: 'stdio',
      command: 'x',
      args: ['${env:A}'],
      env: {},
    });
    assertNotes(server, /^"timeout" must be .*: it is left out\.$/, /^"tools" must be .*: it is left out\.$/);
  });

  test("from Claude Desktop's file, whose texts have no variables", () => {
    const servers = read('claude_desktop_config.json', 'claudeDesktop');
    assert.deepEqual([...servers.keys()], ['filesystem', 'brave-search', 'github', 'odd']);
    const brave = servers.get('brave-search')?.draft;
    assert.ok(brave);
    const moved = withSecretsAsInputs(brave, secretsIn(brave.launch));
    assert.deepEqual([...moved.values], [['brave-search-brave-api-key', 'BSA3fT9xk2Lq8Zr5']]);
    assertNotes(servers.get('odd'), /"\$\{HOME\}" is plain text/);
  });

  test("from Claude Code's file: the user's, and those of the open folders", () => {
    const servers = read('claude.json', 'claudeCode', ['/projects/api/']);
    assert.deepEqual([...servers.keys()], ['db', 'api-server', 'internal', 'socket']);
    assert.deepEqual(servers.get('api-server')?.draft?.launch, {
      type: 'http',
      url: '${env:API_BASE_URL}/mcp',
      headers: { Authorization: 'Bearer ${env:API_KEY}' },
    });
    assert.match(servers.get('api-server')?.notes[0] ?? '', /^The default "https:\/\/api.example.com" of /);
    assertNotes(servers.get('internal'), /"headersHelper" has no effect/);
    assertNotes(servers.get('socket'), /the type "ws" are not supported/);
    const db = servers.get('db')?.draft;
    assert.ok(db);
    assert.deepEqual(
      secretsIn(db.launch).map(({ name }) => name),
      ['dsn'],
    );
  });

  test('not from a file that is broken, and none from one without servers', () => {
    assert.deepEqual(readImport('{\n "servers": {', 'vscode').servers, []);
    assert.match(readImport('{\n "servers": {', 'vscode').problem ?? '', /^Line 2 is not valid JSON/);
    assert.equal(
      readImport('['.repeat(100_000), 'vscode').problem,
      'Line 1 is not valid JSON: it is nested too deeply.',
    );
    for (const text of ['', '[]', '{}', '{"servers":[]}', 'null']) {
      assert.deepEqual(readImport(text, 'vscode'), { servers: [] });
    }
  });

  test('never with an error, whatever they are', () => {
    for (const value of [
      7,
      null,
      [],
      {},
      { command: 1 },
      { command: 'x', args: 'y' },
      { url: {} },
      { type: 'constructor' },
    ]) {
      const { servers } = readImport(JSON.stringify({ mcpServers: { odd: value } }), 'cursor');
      assert.equal(servers.length, 1);
      assert.equal(servers[0]?.draft, undefined);
      assert.equal(servers[0]?.notes.length, 1);
    }
  });
});

suite('The files of other programs', () => {
  const paths = (machine: ImportMachine): readonly string[] =>
    importLocations(machine, []).flatMap(({ at }) => (at.kind === 'path' ? [at.path] : []));

  test('on macOS', () => {
    assert.deepEqual(paths({ home: '/Users/me', platform: 'darwin', env: {} }), [
      '/Users/me/.cursor/mcp.json',
      '/Users/me/.copilot/mcp-config.json',
      '/Users/me/Library/Application Support/Claude/claude_desktop_config.json',
      '/Users/me/.claude.json',
    ]);
  });

  test('on Windows', () => {
    const env = { APPDATA: 'D:\\Roaming', COPILOT_HOME: 'D:\\copilot' };
    assert.deepEqual(paths({ home: 'C:\\Users\\me', platform: 'win32', env }), [
      'C:\\Users\\me\\.cursor\\mcp.json',
      'D:\\copilot\\mcp-config.json',
      'D:\\Roaming\\Claude\\claude_desktop_config.json',
      'C:\\Users\\me\\.claude.json',
    ]);
  });

  test('on Linux, and in each folder', () => {
    const api = { uri: 'file:///projects/api', name: 'api' };
    const web = { uri: 'file:///projects/web', name: 'web' };
    const locations = importLocations({ home: '/home/me', platform: 'linux', env: {} }, [api, web]);
    assert.deepEqual(
      locations.map(({ label }) => label),
      [
        'VS Code: .vscode/mcp.json (api)',
        'Cursor: .cursor/mcp.json (api)',
        'VS Code: .vscode/mcp.json (web)',
        'Cursor: .cursor/mcp.json (web)',
        'Cursor: ~/.cursor/mcp.json',
        'Copilot CLI',
        'Claude Desktop',
        'Claude Code',
      ],
    );
  });
});

suite('A pasted definition', () => {
  const forms: readonly [string, string][] = [
    ['{"mcpServers":{"git":{"command":"uvx","args":["mcp-server-git"]}}}', 'git'],
    ['{"servers":{"git":{"type":"stdio","command":"uvx","args":["mcp-server-git"]}}}', 'git'],
    ['{"mcp":{"servers":{"git":{"command":"uvx","args":["mcp-server-git"]}}}}', 'git'],
    ['{"mcpHost.servers":{"git":{"command":"uvx","args":["mcp-server-git"]}}}', 'git'],
    ['{"git":{"command":"uvx","args":["mcp-server-git"]}}', 'git'],
    ['"git":{"command":"uvx","args":["mcp-server-git",]},', 'git'],
    ['{"command":"uvx","args":["mcp-server-git"]}', ''],
  ];
  for (const [text, name] of forms) {
    test(`is read from ${text}`, () => {
      const [server, ...others] = readSnippet(text) ?? [];
      assert.deepEqual(others, []);
      assert.equal(server?.name, name);
      assert.deepEqual(server.draft?.launch, {
        type: 'stdio',
        command: 'uvx',
        args: ['mcp-server-git'],
        env: {},
      });
    });
  }

  for (const text of [
    '',
    'npx -y server',
    'https://example.org',
    '{"a":1}',
    '[]',
    '{"mcpServers":{}}',
    '"text"',
  ]) {
    test(`is not ${JSON.stringify(text)}`, () => assert.equal(readSnippet(text), undefined));
  }
});

suite('An imported server', () => {
  const [server] = readSnippet('{"a":{"command":"x","env":{"TOKEN":"abc"}}}') ?? [];
  const draft = server?.draft;
  assert.ok(draft);

  test('is the same as a configured one if the launches are', () => {
    const literal = stdioServer([], { command: 'x', env: { TOKEN: 'abc' } });
    const withInput = definitionOf(withSecretsAsInputs(draft, secretsIn(draft.launch)), ofUser);
    assert.equal(duplicateOf(draft, [httpServer('https://x'), literal]), literal);
    assert.equal(duplicateOf(draft, [withInput]), withInput);
    assert.equal(duplicateOf(draft, [stdioServer(['more'], { command: 'x' })]), undefined);
  });

  test('is written with the variables of its file, or not at all', () => {
    const ofEnvironment = { ...draft, launch: { ...draft.launch, env: { A: '${env:B}/x' } } } as typeof draft;
    const there = forPlace(ofEnvironment, 'mcpJson');
    assert.ok(typeof there === 'object' && there.launch.type === 'stdio');
    assert.deepEqual(there.launch.env, { A: '${B}/x' });
    assert.equal(forPlace(ofEnvironment, 'settings'), ofEnvironment);
    const ofFolder = { ...draft, launch: { ...draft.launch, cwd: '${workspaceFolder:api}' } } as typeof draft;
    const refusal = forPlace(ofFolder, 'mcpJson');
    assert.ok(typeof refusal === 'string' && refusal.includes('not support ${workspaceFolder:api}'));
  });
});

suite('How another program signs in', () => {
  const another = /registered for another program/;
  const read = (more: object): ImportedServer => {
    const [server] =
      readSnippet(JSON.stringify({ mcpServers: { a: { url: 'https://x.example', ...more } } })) ?? [];
    assert.ok(server?.draft);
    return server;
  };
  const cases: [program: string, written: object, read: unknown, ...notes: RegExp[]][] = [
    ['VS Code', { oauth: { clientId: 'x' } }, { clientId: 'x' }, another],
    [
      'Claude Code',
      { oauth: { clientId: 'x', callbackPort: 3118, scopes: 'a b' } },
      { clientId: 'x', redirectUri: 'http://localhost:3118/callback', scopes: ['a', 'b'] },
    ],
    [
      'Claude Code with metadata elsewhere',
      { oauth: { authServerMetadataUrl: 'https://y.example/.well-known/openid-configuration' } },
      undefined,
      /"oauth.authServerMetadataUrl" has no effect/,
    ],
    [
      'Gemini CLI',
      {
        oauth: {
          enabled: true,
          scopes: ['a'],
          redirectUri: 'http://localhost:7777/x',
          tokenUrl: 'https://y',
        },
      },
      { scopes: ['a'], redirectUri: 'http://localhost:7777/x' },
      /"oauth.tokenUrl" has no effect/,
    ],
    ['OpenCode', { oauth: { scope: 'a b' } }, { scopes: ['a', 'b'] }],
    ['OpenCode without a sign-in', { oauth: false }, undefined],
    ['Kiro', { oauth: {}, oauthScopes: ['a'] }, { scopes: ['a'] }],
    [
      'Copilot CLI',
      { oauthClientId: 'x', oauthPublicClient: true, oauthGrantType: 'client_credentials' },
      { clientId: 'x', grantType: 'client_credentials' },
    ],
    ['a program that only says so', { auth: 'oauth' }, undefined],
    ['a program with another kind', { auth: 'basic' }, undefined, /"auth" has no effect/],
    [
      'an address that is not allowed',
      { oauth: { issuer: 'http://y.example', redirectUri: 'cursor://x' } },
      undefined,
      /"issuer" must be .*: it is left out/,
      /"redirectUri" must be .*: it is left out/,
    ],
    [
      'an address of another machine for the answer',
      { oauth: { scopes: 'a', redirectUri: 'https://y.example/callback' } },
      { scopes: ['a'] },
      /"redirectUri" of the sign-in is not imported: it is no address of this machine/,
    ],
    [
      'an address for the answer that a variable completes',
      { oauth: { redirectUri: 'https://${env:A}.y.example/callback' } },
      undefined,
      /it is no address of this machine/,
    ],
    [
      'what only you can loosen',
      { oauth: { assumePkce: true, omitResource: true } },
      undefined,
      /"assumePkce" of the sign-in is not imported/,
      /"omitResource" of the sign-in is not imported/,
    ],
  ];
  for (const [program, written, expected, ...notes] of cases) {
    test(`is read: ${program}`, () => {
      const server = read(written);
      assert.deepEqual(signInOf(server), expected);
      assertNotes(server, ...notes);
    });
  }

  test('has a secret that becomes an input, with its value', () => {
    const server = read({ auth: { CLIENT_ID: 'x', CLIENT_SECRET: 's3cret' } });
    const { draft } = server;
    assert.ok(draft);
    const moved = withSecretsAsInputs(draft, secretsIn(draft.launch));
    assert.deepEqual(signInOf({ ...server, draft: moved })?.clientSecret, '${input:a-client-secret}');
    assert.deepEqual([...moved.values], [['a-client-secret', 's3cret']]);
    assert.ok(!JSON.stringify(moved.launch).includes('s3cret'));
  });

  test('has a secret of the environment that you enter instead, and an input that stays', () => {
    for (const [secret, id] of [
      ['${env:SECRET}', 'a-client-secret'],
      ['$SECRET', 'a-client-secret'],
      ['Bearer ${input:mine}', 'a-client-secret'],
      ['${input:mine}', 'mine'],
    ] as const) {
      const server = read({ oauth: { clientSecret: secret } });
      assert.deepEqual(signInOf(server), { clientSecret: `\${input:${id}}` });
      assert.deepEqual(server.draft?.inputs, [{ type: 'promptString', id, password: true }]);
      assertNotes(server, /not declared: you enter it as a password/);
    }
    const placeholder = read({ oauth: { clientSecret: '<YOUR_SECRET>' } }).draft;
    assert.ok(placeholder);
    assert.equal(withSecretsAsInputs(placeholder, secretsIn(placeholder.launch)).values.size, 0);
  });
});
