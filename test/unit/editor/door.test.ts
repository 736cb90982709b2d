import assert from 'node:assert/strict';
import { createServer, get, type Server } from 'node:http';
import { Door } from '../../editor/door.ts';
import { TemporaryFolder } from '../../editor/temporaryFolder.ts';

const token = 'a-token';

interface Answer {
  readonly status: number | undefined;
  readonly location: string | undefined;
  readonly cookie: string | undefined;
}

suite('the proxy in front of the editor', () => {
  let folder: TemporaryFolder;
  let behind: Server;
  let door: Door;
  let pages = 0;

  suiteSetup(async () => {
    folder = new TemporaryFolder('door');
    const socket = folder.join('socket');
    behind = createServer((request, response) => {
      if (request.url === '/fails') {
        response.socket?.destroy();
      } else {
        response.end('the editor');
      }
    });
    await new Promise<void>((resolve) => behind.listen(socket, resolve));
    door = await Door.open({ socket, token, landing: '/?workspace=x', onPage: () => (pages += 1) });
  });

  suiteTeardown(async () => {
    await door.close();
    behind.close();
    folder.remove();
  });

  test('refuses a request without a token', async () => {
    assert.equal((await ask('/')).status, 403);
    assert.equal((await ask('/?tkn=')).status, 403);
    assert.equal((await ask('/?tkn=another')).status, 403);
  });

  test('gives a cookie for the token and redirects to the workspace', async () => {
    const { status, location, cookie } = await ask(`/?tkn=${token}`);
    assert.equal(status, 303);
    assert.equal(location, '/?workspace=x');
    assert.match(cookie ?? '', /; HttpOnly; SameSite=Strict$/);
  });

  test('accepts a request with the cookie', async () => {
    assert.equal((await ask('/', await withCookie())).status, 200);
  });

  test('reports a page before it is loaded, and nothing else', async () => {
    const cookie = await withCookie();
    pages = 0;
    await ask(`/?tkn=${token}`);
    await ask('/', { cookie: 'door-1=a-token' });
    await ask('/static/workbench.js', cookie);
    assert.equal(pages, 0);
    await ask('/?workspace=x', cookie);
    assert.equal(pages, 1);
  });

  const refused = [
    ['with another cookie', { cookie: 'door-1=a-token' }],
    ['by another host name', { host: 'example.com' }],
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['from another port', { 'sec-fetch-site': 'same-site' }],
    ['from another origin', { origin: 'http://127.0.0.1:1' }],
  ] as const;
  for (const [name, headers] of refused) {
    test(`refuses a request ${name}`, async () => {
      const withAll = { ...(await withCookie()), ...headers };
      assert.equal((await ask('/', withAll)).status, 403);
    });
  }

  test('refuses to open a tunnel without the cookie', async () => {
    assert.equal((await ask('/', { connection: 'upgrade', upgrade: 'websocket' })).status, 403);
  });

  test('says that the editor failed', async () => {
    assert.equal((await ask('/fails', await withCookie())).status, 502);
  });

  async function withCookie(): Promise<Record<string, string>> {
    const { cookie } = await ask(`/?tkn=${token}`);
    return { cookie: cookie?.split(';')[0] ?? '' };
  }

  async function ask(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    get(new URL(path, door.address), { headers, agent: false }, (response) => {
      response.resume();
      const { location, 'set-cookie': cookies } = response.headers;
      resolve({ status: response.statusCode, location, cookie: cookies?.[0] });
    }).on('error', reject);
    return promise;
  }
});
