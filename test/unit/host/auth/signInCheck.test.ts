import assert from 'node:assert/strict';
import { signInCheck } from '../../../../src/host/auth/signInCheck.ts';
import { serveModern, serveStatus, serveStreamableHttp } from '../../../fixtures/servers/httpServers.ts';
import { serveNotes } from '../../../fixtures/servers/notesServer.ts';
import { OidcIssuer } from '../../../fixtures/servers/oidcIssuer.ts';
import { freePort } from '../../../fixtures/servers/serve.ts';

const checked = (url: string, headers: Parameters<typeof signInCheck>[0]['headers'] = []): Promise<string> =>
  signInCheck({ url, headers });

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

  test('is no where it wants a token, and has no metadata of a sign-in', async () => {
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
    test(`is no while it answers without one (${era})`, async () => {
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
});
