import assert from 'node:assert/strict';
import type { HttpServerDefinition, InputDeclaration } from '../../../../src/host/config/serverDefinition.ts';
import { readyLaunch, secretsOf, type ReadyLaunch } from '../../../../src/host/launch/readyLaunch.ts';
import { withInputs } from '../../../../src/host/launch/resolveLaunch.ts';
import { httpServer, ofUser } from '../../support/definitions.ts';
import { launchOf, noEnvFile } from '../../support/launches.ts';

const inputs = ['id', 'secret', 'key'].map((id): InputDeclaration => ({
  type: 'promptString',
  id,
  password: id !== 'id',
}));

function ready(
  oauth: HttpServerDefinition['oauth'],
  env: NodeJS.ProcessEnv = {},
  given: Readonly<Record<string, string>> = {},
  origin = ofUser,
): ReadyLaunch & { readonly definition: HttpServerDefinition; readonly hidden: readonly string[] } {
  const definition = httpServer('https://mcp.example.com', { origin, inputs, ...(oauth && { oauth }) });
  const launch = withInputs(launchOf(definition, { env }), new Map(Object.entries(given)), noEnvFile);
  const made = readyLaunch(launch);
  assert.ok(made.definition.type !== 'stdio');
  return { ...made, definition: made.definition, hidden: secretsOf(launch) };
}

suite('How to sign in, when a server starts', () => {
  test('has plain values, and one scope each', () => {
    const { definition } = ready(
      {
        clientId: '${input:id}',
        clientSecret: '${input:secret}',
        scopes: ['${env:SCOPES}', 'read'],
        issuer: 'https://${env:HOST}/',
        grantType: 'client_credentials',
        omitResource: true,
      },
      { SCOPES: ' read  write ', HOST: 'login.example.com' },
      { id: 'mcp-host', secret: 's3cret-value' },
    );
    assert.deepEqual(definition.oauth, {
      clientId: 'mcp-host',
      clientSecret: 's3cret-value',
      scopes: ['read', 'write'],
      issuer: 'https://login.example.com/',
      grantType: 'client_credentials',
      omitResource: true,
    });
  });

  test('is missing where the definition says nothing', () => {
    assert.equal('oauth' in ready(undefined).definition, false);
  });

  test('has secrets that appear in no log: the client secret and the private key', () => {
    const key = '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg\n-----END PRIVATE KEY-----';
    const oauth = { clientId: 'public', clientSecret: '${input:secret}', privateKey: '${input:key}' };
    const { secrets, hidden } = ready(oauth, {}, { secret: 's3cret-value', key });
    assert.deepEqual(secrets, ['s3cret-value', key]);
    assert.deepEqual([...hidden].sort(), [key, 's3cret-value']);
  });

  const wrong: [string, HttpServerDefinition['oauth'], NodeJS.ProcessEnv, RegExp][] = [
    [
      'an issuer that reaches a shell',
      { issuer: '${env:X}' },
      { X: 'file:///bin/sh' },
      /"oauth.issuer" must be/,
    ],
    [
      'one with a variable in its value',
      { issuer: '${env:X}' },
      { X: 'http://${env:Y}' },
      /"oauth.issuer" must/,
    ],
    [
      'one that is not encrypted',
      { issuer: 'http://${env:X}' },
      { X: 'evil.example' },
      /"oauth.issuer" must/,
    ],
    ['another redirect', { redirectUri: '${env:X}' }, { X: 'vscode://x' }, /"oauth.redirectUri" must be/],
    [
      'a document without a path',
      { clientMetadataUrl: '${env:X}' },
      { X: 'https://x.example' },
      /with a path/,
    ],
    ['an empty client ID', { clientId: '${env:X}' }, { X: '' }, /"oauth.clientId" must be/],
    ['a client ID of other characters', { clientId: 'a${env:X}' }, { X: '\u202E' }, /"oauth.clientId" must/],
    ['a scope of other characters', { scopes: ['${env:X}'] }, { X: 'a\\b' }, /"oauth.scopes" must be/],
    ['a variable that is not set', { scopes: ['${env:X}'] }, {}, /X, which it uses, is not set/],
  ];
  for (const [what, oauth, env, message] of wrong) {
    test(`is refused with ${what}`, () => {
      assert.throws(() => ready(oauth, env), message);
    });
  }

  test('is refused with a redirect address of another machine, unless your user settings define the server', () => {
    const oauth = { redirectUri: '${env:X}' };
    const env = { X: 'https://vscode.dev/redirect' };
    assert.equal(ready(oauth, env).definition.oauth?.redirectUri, env.X);
    const origin = { scope: 'workspace', format: 'settings', place: 'file:///w' } as const;
    assert.throws(
      () => ready(oauth, env, {}, origin),
      /"oauth.redirectUri" must be an address of this machine/,
    );
    assert.ok(ready(oauth, { X: 'http://[::1]:1/' }, {}, origin));
  });

  test('is refused with an empty secret', () => {
    assert.throws(
      () => ready({ clientSecret: '${input:secret}' }, {}, { secret: '' }),
      /"oauth.clientSecret" must/,
    );
  });
});
