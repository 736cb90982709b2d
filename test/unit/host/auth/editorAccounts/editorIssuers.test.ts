import assert from 'node:assert/strict';
import {
  editorIssuerFor,
  editorIssuers,
  scopesForProvider,
  withoutCommands,
} from '../../../../../src/host/auth/editorAccounts/editorIssuers.ts';

const gitHub = 'https://github.com/login/oauth';
const entra = 'https://login.microsoftonline.com/organizations/v2.0';

suite("the list of servers that may use the editor's accounts", () => {
  const providerFor = (server: string, issuer: string): string | undefined =>
    editorIssuerFor(server, issuer, editorIssuers)?.provider;

  for (const [server, issuer, provider] of [
    ['https://api.githubcopilot.com/mcp/', gitHub, 'github'],
    ['https://api.githubcopilot.com:443/mcp/', gitHub, 'github'],
    ['https://API.GithubCopilot.com/mcp/x/repos', 'https://github.com/login/oauth/', 'github'],
    ['https://mcp.dev.azure.com/contoso', entra, 'microsoft'],
    ['https://mcp.svc.cloud.microsoft/enterprise', entra, 'microsoft'],
  ] as const) {
    test(`has ${server}`, () => {
      assert.equal(providerFor(server, issuer), provider);
    });
  }

  for (const server of [
    'https://evil.example/mcp',
    'https://github.com/mcp',
    'http://api.githubcopilot.com/mcp/',
    'https://api.githubcopilot.com:8443/mcp/',
    'https://user@api.githubcopilot.com/mcp/',
    'https://user:password@api.githubcopilot.com/mcp/',
    'https://api.githubcopilot.com@evil.example/mcp/',
    'https://api.githubcopilot.com.evil.example/mcp/',
    'https://evil-api.githubcopilot.com/mcp/',
    'https://x.api.githubcopilot.com/mcp/',
    'https://githubcopilot.com/mcp/',
    'https://api.githubcopilot.com./mcp/',
    'https://api.githubcopi1ot.com/mcp/',
    // The third letter is Cyrillic.
    'https://apі.githubcopilot.com/mcp/',
    'https://api.githubcopilot.com%2eevil.example/mcp/',
    'https://api-githubcopilot.com/mcp/',
    'https://evil.example/?https://api.githubcopilot.com/mcp/',
    'https://evil.example/#@api.githubcopilot.com',
    'https:\\\\evil.example\\@api.githubcopilot.com/',
    'wss://api.githubcopilot.com/mcp/',
    'file://api.githubcopilot.com/mcp/',
    'blob:https://api.githubcopilot.com/mcp/',
    'api.githubcopilot.com',
    '',
  ]) {
    test(`does not have '${server}'`, () => {
      assert.equal(providerFor(server, gitHub), undefined);
    });
  }

  for (const issuer of [
    entra,
    'http://github.com/login/oauth',
    'https://github.com:8443/login/oauth',
    'https://github.com.evil.example/login/oauth',
    'https://github.com@evil.example/login/oauth',
    'https://user@github.com/login/oauth',
    'https://gist.github.com/login/oauth',
    'https://issuer.example',
    '',
  ]) {
    test(`does not have GitHub's server with the issuer '${issuer}'`, () => {
      assert.equal(providerFor('https://api.githubcopilot.com/mcp/', issuer), undefined);
    });
  }

  test('has https origins only', () => {
    const origins = editorIssuers.flatMap(({ issuer, servers }) => [issuer, ...servers]);
    assert.deepEqual(
      origins.filter((one) => new URL(one).origin !== one || !one.startsWith('https://')),
      [],
    );
  });
});

suite("the scopes that an editor's provider gets", () => {
  test('have no commands to the provider', () => {
    assert.deepEqual(withoutCommands(['repo', 'VSCODE_CLIENT_ID:evil', 'vscode_tenant:evil', 'gist']), [
      'repo',
      'gist',
    ]);
  });

  for (const [issuer, tenant] of [
    [entra, []],
    ['https://login.microsoftonline.com/common/v2.0', []],
    ['https://login.microsoftonline.com', []],
    ['https://login.microsoftonline.com/contoso.example/v2.0', ['VSCODE_TENANT:contoso.example']],
    ['https://login.microsoftonline.com/a%20b/v2.0', []],
  ] as const) {
    test(`name the tenant of ${issuer}, if it has one`, () => {
      const scopes = scopesForProvider({ provider: 'microsoft' }, issuer, ['api/.default']);
      assert.deepEqual(scopes, ['api/.default', ...tenant]);
    });
  }

  test('name no tenant for other providers', () => {
    assert.deepEqual(scopesForProvider({ provider: 'github' }, gitHub, ['repo']), ['repo']);
  });
});
