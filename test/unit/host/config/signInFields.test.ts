import assert from 'node:assert/strict';
import { readDefinitions } from '../../../../src/host/config/readDefinitions.ts';
import {
  launchOf,
  type DefinitionOrigin,
  type DefinitionReading,
  type HttpServerDefinition,
} from '../../../../src/host/config/serverDefinition.ts';
import { httpServer, ofUser } from '../../support/definitions.ts';

const folder = { uri: 'file:///projects/api', name: 'api' };
const ofMcpJson: DefinitionOrigin = { scope: 'folder', format: 'mcpJson', place: 'file:///m', folder };
const ofFolder: DefinitionOrigin = { scope: 'folder', format: 'settings', place: 'file:///f', folder };
const ofWorkspace: DefinitionOrigin = { scope: 'workspace', format: 'settings', place: 'file:///w' };
const password = { type: 'promptString', id: 'secret', password: true };

function read(oauth: unknown, origin = ofUser, inputs: readonly unknown[] = [password]): DefinitionReading {
  const servers = { a: { url: 'https://mcp.example.com', oauth } };
  return origin.format === 'mcpJson'
    ? readDefinitions([{ origin, text: JSON.stringify({ mcpServers: servers, inputs }) }])
    : readDefinitions([{ origin, servers, inputs }]);
}

function oauthIn({ definitions: [definition] }: DefinitionReading): HttpServerDefinition['oauth'] {
  assert.ok(definition && definition.type !== 'stdio');
  return definition.oauth;
}

suite('How to sign in is read from a definition', () => {
  const good: [unknown, unknown?][] = [
    [{}],
    [{ clientId: 'mcp-host', issuer: 'https://login.example.com/tenant' }],
    [{ clientId: '${env:CLIENT_ID}' }],
    [{ clientSecret: '${input:secret}' }],
    [{ privateKey: '${input:secret}', grantType: 'client_credentials' }],
    [{ scopes: ['read', 'write'] }],
    [{ scopes: 'read  write\tread' }, { scopes: ['read', 'write'] }],
    [{ scopes: ['read write', 'api://app/.default'] }, { scopes: ['read', 'write', 'api://app/.default'] }],
    [{ scopes: '${input:secret} ${env:MORE SCOPES}' }, { scopes: ['${input:secret}', '${env:MORE SCOPES}'] }],
    [{ scopes: '' }, {}],
    [{ scopes: [] }, {}],
    [{ issuer: 'http://127.0.0.1:9000' }],
    [{ issuer: 'https://${env:HOST}/' }],
    [{ clientMetadataUrl: 'https://example.com/client.json' }],
    [{ redirectUri: 'http://localhost:3118/callback' }],
    [{ redirectUri: 'http://[::1]:80/' }],
    [{ redirectUri: 'https://vscode.dev/redirect?x=1' }],
    [{ grantType: 'authorization_code', assumePkce: true, omitResource: false }],
  ];
  for (const [written, expected = written] of good) {
    test(JSON.stringify(written), () => {
      const reading = read(written);
      assert.deepEqual(reading.problems, []);
      assert.deepEqual(oauthIn(reading), expected);
    });
  }

  test('has a redirect address of another machine only in your user settings', () => {
    const redirectUri = 'https://vscode.dev/redirect';
    for (const origin of [ofMcpJson, ofFolder, ofWorkspace]) {
      const { definitions, problems } = read({ redirectUri }, origin);
      assert.deepEqual(definitions, []);
      assert.match(problems[0]?.message ?? '', /"oauth.redirectUri" must be an address of this machine/);
      assert.deepEqual(problems[0]?.path, ['a', 'oauth', 'redirectUri']);
      const variable = origin === ofMcpJson ? '${REDIRECT}' : '${env:REDIRECT}';
      for (const own of ['http://localhost:3118/callback', variable]) {
        assert.deepEqual(read({ redirectUri: own }, origin).problems, []);
      }
    }
  });

  const bad: [unknown, RegExp, string[]][] = [
    ['yes', /"oauth" must be an object/, []],
    [{ clientId: '' }, /"oauth.clientId" must not be empty/, ['clientId']],
    [{ clientId: 'a\u202Eb' }, /"oauth.clientId" can have only/, ['clientId']],
    [{ clientId: 7 }, /"oauth.clientId" must be a string/, ['clientId']],
    [{ scopes: [1] }, /"oauth.scopes" must be a list of strings/, ['scopes']],
    [{ scopes: { read: true } }, /"oauth.scopes" must be a list of strings/, ['scopes']],
    [{ scopes: 'a "b"' }, /"oauth.scopes" has a scope/, ['scopes']],
    [{ scopes: ['a\u00A0b\u200B'] }, /"oauth.scopes" has a scope/, ['scopes']],
    [{ issuer: 'http://login.example.com' }, /"oauth.issuer" must be an https: address/, ['issuer']],
    [{ issuer: 'https://login.example.com/?a' }, /"oauth.issuer" must be/, ['issuer']],
    [{ issuer: 'https://login.example.com/#a' }, /"oauth.issuer" must be/, ['issuer']],
    [{ issuer: 'https://me:pw@login.example.com' }, /"oauth.issuer" must be/, ['issuer']],
    [{ issuer: ' https://login.example.com' }, /"oauth.issuer" must be/, ['issuer']],
    [{ issuer: 'https://login.exa\nmple.com' }, /"oauth.issuer" must be/, ['issuer']],
    [{ issuer: 'login.example.com' }, /"oauth.issuer" must be/, ['issuer']],
    [{ issuer: 'javascript:alert(1)' }, /"oauth.issuer" must be/, ['issuer']],
    [{ issuer: 'http://127.0.0.1.example.com' }, /"oauth.issuer" must be/, ['issuer']],
    [
      { clientMetadataUrl: 'https://example.com' },
      /"oauth.clientMetadataUrl" must be/,
      ['clientMetadataUrl'],
    ],
    [{ clientMetadataUrl: 'http://127.0.0.1/a' }, /"oauth.clientMetadataUrl" must be/, ['clientMetadataUrl']],
    [{ clientMetadataUrl: 'https://a.example/b/../c' }, /without "." and ".."/, ['clientMetadataUrl']],
    [{ clientMetadataUrl: 'https://a.example/%2E%2e/c' }, /without "." and ".."/, ['clientMetadataUrl']],
    [{ redirectUri: 'http://example.com/callback' }, /"oauth.redirectUri" must be/, ['redirectUri']],
    [{ redirectUri: 'vscode://publisher.name/callback' }, /"oauth.redirectUri" must be/, ['redirectUri']],
    [{ redirectUri: 'http://localhost/#x' }, /"oauth.redirectUri" must be/, ['redirectUri']],
    [{ grantType: 'password' }, /"authorization_code" or "client_credentials"/, ['grantType']],
    [{ assumePkce: 'yes' }, /"oauth.assumePkce" must be true or false/, ['assumePkce']],
  ];
  for (const [written, message, field] of bad) {
    test(`with an error: ${JSON.stringify(written)}`, () => {
      const { definitions, problems } = read(written);
      assert.deepEqual(definitions, [], 'it does not start in another way than it says');
      assert.deepEqual(
        problems.map(({ severity, path }) => [severity, path]),
        [['error', ['a', 'oauth', ...field]]],
      );
      assert.match(problems[0]?.message ?? '', message);
    });
  }

  for (const field of ['clientSecret', 'privateKey']) {
    for (const value of [
      's3cret-value',
      '${env:SECRET}',
      'x${input:secret}',
      '${input:secret}${input:secret}',
      '',
    ]) {
      test(`with an error that never says the secret: ${field} ${JSON.stringify(value)}`, () => {
        const reading = read({ clientId: 'x', [field]: value });
        assert.deepEqual(reading.definitions, []);
        const [problem] = reading.problems;
        assert.deepEqual(
          [problem?.severity, problem?.path, problem?.fix],
          ['error', ['a', 'oauth', field], { kind: 'useInput' }],
        );
        assert.ok(value === '' || !JSON.stringify(reading).includes(value));
      });
    }
  }

  test('with an error for an input that is not declared, and a warning for one that is no password', () => {
    const undeclared = read({ clientSecret: '${input:secret}' }, ofUser, []);
    assert.deepEqual(
      undeclared.problems.map(({ severity, fix }) => [severity, fix]),
      [['error', { kind: 'declareInput', id: 'secret' }]],
    );
    const shown = read({ clientSecret: '${input:secret}' }, ofUser, [{ ...password, password: false }]);
    assert.deepEqual(
      shown.problems.map(({ severity, path }) => [severity, path]),
      [['warning', ['a', 'oauth', 'clientSecret']]],
    );
    assert.match(shown.problems[0]?.message ?? '', /"password": true/);
  });

  test('with a warning for fields of other programs, and what is probably meant', () => {
    const { definitions, problems } = read({
      client_id: 'x',
      authorizationUrl: 'https://a.example',
      scope: 'a',
    });
    assert.equal(definitions.length, 1);
    assert.deepEqual(
      problems.map(({ severity, path, fix }) => [severity, path?.at(-1), fix]),
      [
        ['warning', 'client_id', { kind: 'rename', to: 'clientId' }],
        ['warning', 'authorizationUrl', { kind: 'remove' }],
        ['warning', 'scope', { kind: 'rename', to: 'scopes' }],
      ],
    );
  });

  test('with the callback port of a .mcp.json that Claude Code uses, too', () => {
    const shared = read({ clientId: 'abc', callbackPort: 3118 }, ofMcpJson);
    assert.deepEqual(shared.problems, []);
    assert.deepEqual(oauthIn(shared), { clientId: 'abc', redirectUri: 'http://localhost:3118/callback' });
    const own = { callbackPort: 3118, redirectUri: 'http://127.0.0.1:1/' };
    assert.equal(oauthIn(read(own, ofMcpJson))?.redirectUri, 'http://127.0.0.1:1/');
    assert.equal(oauthIn(read({ callbackPort: '80/@evil' }, ofMcpJson))?.redirectUri, undefined);
    assert.equal(read({ callbackPort: 3118 }).problems.length, 1, 'in the settings it is no field');
  });
});

suite('A file of a workspace', () => {
  for (const origin of [ofMcpJson, ofFolder, ofWorkspace]) {
    test(`loosens no check of a sign-in: ${origin.scope}, ${origin.format}`, () => {
      const reading = read({ clientId: 'x', assumePkce: true, omitResource: true }, origin);
      assert.deepEqual(oauthIn(reading), { clientId: 'x' });
      assert.deepEqual(
        reading.problems.map(({ severity, path }) => [severity, path]),
        [
          ['warning', ['a', 'oauth', 'assumePkce']],
          ['warning', ['a', 'oauth', 'omitResource']],
        ],
      );
      assert.match(reading.problems[0]?.message ?? '', /has no effect here.*user settings/);
    });
  }
});

suite('The launch of a definition', () => {
  const http = httpServer('https://mcp.example.com');

  test('is the text that was stored before, if the definition says nothing about signing in', () => {
    const before = '["http","https://mcp.example.com",[],[]]';
    for (const oauth of [
      undefined,
      {},
      { grantType: 'authorization_code' },
      { assumePkce: false },
    ] as const) {
      assert.equal(launchOf({ ...http, ...(oauth && { oauth }) }), before);
    }
  });

  test('has everything about signing in, in whatever order it is written', () => {
    const oauth = { scopes: ['b', 'a'], clientId: 'x', omitResource: true } as const;
    const stored =
      '["http","https://mcp.example.com",[],[],[["clientId","x"],["omitResource",true],["scopes",["b","a"]]]]';
    assert.equal(launchOf({ ...http, oauth }), stored);
    assert.equal(
      launchOf({ ...http, oauth: { clientId: 'x', omitResource: true, scopes: ['b', 'a'] } }),
      stored,
    );
    assert.notEqual(launchOf({ ...http, oauth: { ...oauth, scopes: ['a', 'b'] } }), stored);
  });
});
