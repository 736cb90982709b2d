import assert from 'node:assert/strict';
import type { DefinitionOrigin, HttpServerDefinition } from '../../../../src/host/config/serverDefinition.ts';
import { confusedClient } from '../../../../src/host/launch/confusedClient.ts';
import { httpServer, ofUser } from '../../support/definitions.ts';

const folder = { uri: 'file:///projects/api', name: 'api' };
const ofMcpJson: DefinitionOrigin = { scope: 'folder', format: 'mcpJson', place: 'file:///m', folder };
const ofWorkspace: DefinitionOrigin = { scope: 'workspace', format: 'settings', place: 'file:///w' };

function refusal(url: string, issuer: string, more: Partial<HttpServerDefinition> = {}): string | undefined {
  const oauth = { clientId: 'public-app' };
  return confusedClient(httpServer(url, { origin: ofMcpJson, oauth, ...more }), issuer);
}

suite('A client that a file of a workspace brings', () => {
  const same: [server: string, issuer: string][] = [
    ['https://mcp.example.com/mcp', 'https://mcp.example.com'],
    ['https://mcp.example.com/mcp', 'https://login.example.com:8443/tenant'],
    ['https://MCP.Example.com./mcp', 'https://example.com'],
    ['https://mcp.example.co.uk', 'https://auth.example.co.uk'],
    ['https://a.customer.github.io', 'https://b.customer.github.io'],
    ['https://mcp.b\u00FCcher.example', 'https://login.xn--bcher-kva.example'],
    ['http://127.0.0.1:3000/mcp', 'http://127.0.0.1:4000'],
    ['http://localhost:3000/mcp', 'http://localhost:4000'],
    ['http://[::1]:3000/mcp', 'http://[0:0:0:0:0:0:0:1]:4000'],
    ['http://intranet/mcp', 'https://intranet/login'],
    ['https://10.0.0.7/mcp', 'https://10.0.0.7'],
  ];
  for (const [server, issuer] of same) {
    test(`is used within one site: ${server} and ${issuer}`, () => {
      assert.equal(refusal(server, issuer), undefined);
    });
  }

  const different: [server: string, issuer: string][] = [
    ['https://attacker.example/mcp', 'https://login.microsoftonline.com/common/v2.0'],
    ['https://github.com.attacker.example/mcp', 'https://github.com/login/oauth'],
    ['https://attacker.co.uk', 'https://victim.co.uk'],
    ['https://attacker.github.io', 'https://victim.github.io'],
    ['https://attacker.github.io', 'https://github.io'],
    ['https://attacker.azurewebsites.net', 'https://victim.azurewebsites.net'],
    ['https://attacker.\u516C\u53F8.cn', 'https://victim.\u516C\u53F8.cn'],
    ['http://127.0.0.1:3000', 'https://accounts.google.com'],
    ['http://127.0.0.2:3000', 'http://127.0.0.1:3000'],
    ['https://10.0.0.7', 'https://10.0.0.8'],
    ['http://wiki/mcp', 'https://login/'],
    ['https://mcp.example.com', 'not an address'],
    ['not an address', 'not an address'],
  ];
  for (const [server, issuer] of different) {
    test(`is refused between two sites: ${server} and ${issuer}`, () => {
      assert.match(refusal(server, issuer) ?? '', /another site.*define the server in your user settings/);
    });
  }

  const [server, issuer] = ['https://attacker.example/mcp', 'https://victim.example'];

  test('is refused in each form and from each file', () => {
    const secret = '${input:x}';
    for (const oauth of [
      { clientId: 'x' },
      { clientSecret: secret },
      { privateKey: secret },
      { clientMetadataUrl: 'https://victim.example/client.json' },
    ]) {
      assert.notEqual(refusal(server, issuer, { oauth }), undefined, JSON.stringify(oauth));
      assert.notEqual(refusal(server, issuer, { oauth, origin: ofWorkspace }), undefined);
      assert.equal(refusal(server, issuer, { oauth, origin: ofUser }), undefined, 'your own settings decide');
    }
  });

  test('is needed for a refusal: a host that registers itself has no client of another app', () => {
    assert.equal(refusal(server, issuer, { oauth: { scopes: ['read'], issuer } }), undefined);
    assert.equal(refusal(server, issuer, { oauth: {} }), undefined);
  });

  test('is refused in a clause that names both sites', () => {
    const words = refusal(server, 'https://vict\u00ECm.example:8443/a') ?? '';
    assert.match(words, /^the client that a file of the workspace names can't be used: a token /);
    assert.doesNotMatch(words, /\.$/);
    assert.match(words, /from xn--vict.*\.example:8443 would go to attacker\.example, /);
  });
});
