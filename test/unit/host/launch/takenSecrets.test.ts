import assert from 'node:assert/strict';
import { launchWarnings } from '../../../../src/host/launch/warnings/launchWarnings.ts';
import { takenSecrets } from '../../../../src/host/launch/takenSecrets.ts';
import type { DefinitionOrigin, ServerDefinition } from '../../../../src/host/config/serverDefinition.ts';
import { httpServer, ofUser, stdioServer } from '../../support/definitions.ts';

const ofFolder: DefinitionOrigin = {
  scope: 'folder',
  format: 'settings',
  place: 'file:///api/settings.json',
};
const ofMcpJson: DefinitionOrigin = { scope: 'folder', format: 'mcpJson', place: 'file:///api/.mcp.json' };
const ofWorkspace: DefinitionOrigin = { scope: 'workspace', format: 'settings', place: 'file:///w' };

suite('A definition of a workspace that takes a variable of yours', () => {
  const sentence = (where: string, name = 'GITHUB_TOKEN'): string =>
    `${where} takes ${name} from your environment, which looks like a secret.`;

  test('is pointed out in whatever field it does', () => {
    const token = '${env:GITHUB_TOKEN}';
    const server = stdioServer(['--flag', `--token=${token}`], {
      origin: ofFolder,
      command: `/opt/${token}`,
      env: { 'X\u200B': `a${token}${token}` },
      envFile: `/tmp/${token}`,
      cwd: token,
    });
    assert.deepEqual(takenSecrets(server, {}), [
      sentence('The command'),
      sentence('Argument 2'),
      sentence(String.raw`The environment variable X\u{200B}`),
      sentence('The path of the envFile'),
      sentence('The working directory'),
    ]);
    const remote = httpServer('https://example.org/${GITHUB_TOKEN:-x}', {
      origin: ofMcpJson,
      headers: { 'X-Team': '${GITHUB_TOKEN}', 'X-Home': '${HOME}' },
    });
    assert.deepEqual(takenSecrets(remote, {}), [sentence('The address'), sentence('The header X-Team')]);
    const signedIn = { ...remote, url: 'https://x', headers: {}, oauth: { clientId: '${GITHUB_TOKEN}' } };
    assert.deepEqual(takenSecrets(signedIn, {}), [sentence('The client ID for the sign-in')]);
    assert.deepEqual(
      launchWarnings({ definition: remote, workingDirectory: '/', envFile: undefined }, [], {
        environment: {},
      }),
      [sentence('The address'), sentence('The header X-Team')],
    );
  });

  const withVariable = (name: string, origin: DefinitionOrigin): ServerDefinition =>
    httpServer('https://example.org/mcp', {
      origin,
      headers: { X: origin.format === 'mcpJson' ? `\${${name}}` : `\${env:${name}}` },
    });

  test('is pointed out in every file of a workspace, and not in your own settings', () => {
    for (const origin of [ofFolder, ofMcpJson, ofWorkspace]) {
      assert.deepEqual(takenSecrets(withVariable('NPM_TOKEN', origin), {}).length, 1, origin.place);
    }
    assert.deepEqual(takenSecrets(withVariable('NPM_TOKEN', ofUser), { NPM_TOKEN: 'x' }), []);
  });

  const named =
    'GITHUB_TOKEN github_token TOKEN_RO GITHUB_PAT AWS_SECRET_ACCESS_KEY OPENAI_API_KEY OPENAI_KEY KEY_2 DB_PASS ' +
    'PGPASSWORD MYSQL_PWD githubToken SSH_PRIVATE_KEY GOOGLE_APPLICATION_CREDENTIALS MY-SECRET SECRETS JWT_SECRET';
  for (const name of named.split(' ')) {
    test(`is pointed out by its name, set or not: ${name}`, () => {
      assert.deepEqual(takenSecrets(withVariable(name, ofMcpJson), {}), [sentence('The header X', name)]);
    });
  }

  const harmless =
    'HOME PATH USER PWD OLDPWD LANG EDITOR SSH_AUTH_SOCK MAX_TOKENS KEYBOARD MONKEY PUBLIC_KEY NEXT_PAGE_TOKENS PATTERN';
  for (const name of harmless.split(' ')) {
    test(`is not pointed out by its name: ${name}`, () => {
      assert.deepEqual(takenSecrets(withVariable(name, ofMcpJson), {}), []);
    });
  }

  test('is pointed out by what is in it, which nothing shows', () => {
    const values = [
      `ghp_${'a1'.repeat(18)}`,
      'postgres://me:hunter22@db/prod',
      `-----BEGIN PRIVATE KEY-----`,
      'Zk9fQ2v8LmTn4XyR7wBd1cHs',
    ];
    for (const value of values) {
      const [said = '', ...others] = takenSecrets(withVariable('ACME', ofMcpJson), { ACME: value });
      assert.equal(said, sentence('The header X', 'ACME'));
      assert.deepEqual(others, []);
    }
    assert.deepEqual(takenSecrets(withVariable('ACME', ofMcpJson), { ACME: 'production' }), []);
    // Every server gets PATH, whatever it looks like; a proxy's password it would send elsewhere.
    assert.deepEqual(takenSecrets(withVariable('PATH', ofMcpJson), { PATH: 'Zk9fQ2v8LmTn4XyR7wBd1cHs' }), []);
    const proxy = { HTTPS_PROXY: 'http://me:hunter22@proxy:3128' };
    assert.equal(takenSecrets(withVariable('HTTPS_PROXY', ofMcpJson), proxy).length, 1);
  });
});
