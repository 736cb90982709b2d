import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readRules } from '../../../../src/host/config/serverRules.ts';
import { signInCheck } from '../../../../src/host/auth/signInCheck.ts';
import { serveModern, serveStatus, serveStreamableHttp } from '../../../fixtures/servers/httpServers.ts';
import { serveNotes } from '../../../fixtures/servers/notesServer.ts';
import { OidcIssuer } from '../../../fixtures/servers/oidcIssuer.ts';
import { freePort } from '../../../fixtures/servers/serve.ts';

const checked = (url: string, headers: Parameters<typeof signInCheck>[0]['headers'] = []): Promise<string> =>
  signInCheck({ name: 'server', url, headers });

suite('Whether a server requires an account', () => {
  test('is what it answers, with the issuer that it names', async () => {
    const issuer = await OidcIssuer.start();
    const server = await serveNotes(issuer);
    try {
      const host = new URL(issuer.url).host;
      assert.equal(
        await checked(` ${server.url} `),
        `The server requires an account at '${host}'. You sign in after you save it.`,
      );
      assert.deepEqual(server.tokens, []);
    } finally {
      await Promise.all([server.close(), issuer.close()]);
    }
  });

  test('is "no" where it requires a token, and has no metadata of a sign-in', async () => {
    const server = await serveStatus(401);
    try {
      assert.match(await checked(server.url), /^The server requires a token, such as an API key\./);
    } finally {
      await server.close();
    }
  });

  for (const [era, serve] of [
    ['legacy', serveStreamableHttp],
    ['modern', serveModern],
  ] as const) {
    test(`is "no" while it answers without one (${era})`, async () => {
      const server = await serve();
      try {
        assert.match(await checked(server.url), /^The server answers without an account\./);
      } finally {
        await server.close();
      }
    });
  }

  test('is not known where no server answers', async () => {
    const server = await serveStatus(404);
    try {
      assert.equal(
        await checked(server.url),
        'No MCP server answers at this address: it answers with status 404.',
      );
    } finally {
      await server.close();
    }
    const nobody = `http://127.0.0.1:${await freePort()}/mcp`;
    assert.match(await checked(nobody), /^The server could not be asked: .*[^.]\.$/);
  });

  test('is not asked with a header that takes its place, or of an address that is not whole', async () => {
    const header = [{ name: 'authorization', value: 'Bearer ${input:token}' }];
    assert.match(await checked('https://mcp.example.com/mcp', header), /^The header "Authorization"/);
    for (const address of [
      'mcp.example.com',
      'https://${input:host}/mcp',
      'file:///etc/passwd',
      'https://',
    ]) {
      assert.match(await checked(address), /^Only a whole address/, address);
    }
  });

  test('is not asked where the editor’s settings do not let it run', async () => {
    let requests = 0;
    const server = createServer((_request, response) => {
      requests += 1;
      response.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const form = { name: 'server', url: `http://127.0.0.1:${port}/mcp`, headers: [] };
    const value = [{ serverUrl: 'http://127.0.0.1:*/*' }];
    const rules = readRules(() => ({ value, layers: [value] }));
    try {
      assert.match(await signInCheck(form, rules), /not asked: the setting chat\.mcp\.deniedServers/);
      assert.equal(requests, 0);
      await signInCheck(form);
      assert.equal(requests, 1);
    } finally {
      server.close();
    }
  });
});
