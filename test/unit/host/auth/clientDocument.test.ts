import assert from 'node:assert/strict';
import { CLIENT_DOCUMENT_URL, clientDocument } from '../../../../src/host/auth/clientDocument.ts';

suite('The document that describes MCP Host to issuers', () => {
  test('is empty, or at an https address with a path', () => {
    assert.match(CLIENT_DOCUMENT_URL, /^(https:\/\/[^/]+\/.+)?$/);
  });

  test('has its own address as the client ID, and redirects to any port of this machine', () => {
    const url = 'https://mcp-host.example/oauth/client.json';
    const { client_id: id, client_name: name, redirect_uris: redirects, ...others } = clientDocument(url);
    assert.equal(id, url);
    assert.equal(name, 'MCP Host for VS Code');
    assert.deepEqual(redirects, ['http://127.0.0.1/callback', 'http://localhost/callback']);
    assert.deepEqual(others, {
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    });
  });
});
