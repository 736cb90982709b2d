import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AddressCheck } from '../../../../../src/host/auth/network/addressCheck.ts';
import { oauthFetch } from '../../../../../src/host/auth/network/oauthFetch.ts';
import { HostError } from '../../../../../src/host/errors/hostError.ts';
import { serve, type HttpServer } from '../../../../fixtures/servers/serve.ts';
import { FakeClock } from '../../../support/fakeClock.ts';
import { connectedTo, connectionAttempts, FakeNames } from '../../../support/namesBed.ts';

const MIB = 2 ** 20;
const secret = 'code-5f1e9d';

suite('A fetch for signing in', () => {
  const attempts = connectionAttempts();
  const servers: HttpServer[] = [];
  teardown(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });

  const start = async (
    handler: (request: IncomingMessage, response: ServerResponse, body: string) => unknown,
  ): Promise<HttpServer> => {
    const server = await serve('/', handler);
    servers.push(server);
    return server;
  };
  const local = (names: FakeNames = new FakeNames({ localhost: ['127.0.0.1'] })) =>
    new AddressCheck('http://localhost:1/mcp', connectedTo('public'), names.lookup);
  const isRefused =
    (words: RegExp, code = 'protocol') =>
    (error: unknown): boolean => {
      assert.ok(error instanceof HostError, String(error));
      assert.equal(error.code, code);
      assert.match(error.message, words);
      assert.ok(!`${error.message} ${error.detail}`.includes(secret));
      return true;
    };

  test('asks for JSON, and sends neither cookies nor a connection to use again', async () => {
    const server = await start((_request, response) =>
      response.setHeader('set-cookie', 'a=b').writeHead(200).end('{}'),
    );
    const fetched = oauthFetch(local());
    await fetched(server.url, { headers: { cookie: 'x=y' } });
    await (await fetched(server.url)).json();
    await fetched(server.url, { headers: { accept: 'text/plain' } });
    assert.deepEqual(
      server.headers.map(({ accept, cookie, connection }) => [accept, cookie, connection]),
      [
        ['application/json', undefined, 'close'],
        ['application/json', undefined, 'close'],
        ['text/plain', undefined, 'close'],
      ],
    );
  });

  test('sends a form, and gives any status as it is', async () => {
    const server = await start((request, response, body) =>
      response.writeHead(400, { 'content-type': request.headers['content-type'] }).end(body),
    );
    const body = new URLSearchParams({ grant_type: 'authorization_code', code: secret });
    const response = await oauthFetch(local())(server.url, { method: 'POST', body });
    assert.equal(response.status, 400);
    assert.match(response.headers.get('content-type') ?? '', /x-www-form-urlencoded/);
    assert.equal(await response.text(), body.toString());
    const empty = await start((_request, reply) => reply.writeHead(204).end());
    assert.equal((await oauthFetch(local())(empty.url)).status, 204);
  });

  test('asks nothing of an address that it may not ask (security, line 10)', async () => {
    const server = await start((_request, response) => response.end('{}'));
    const { port } = new URL(server.url);
    const names = new FakeNames({ 'login.example': ['127.0.0.1'] });
    const fetched = oauthFetch(
      new AddressCheck('https://mcp.example/mcp', connectedTo('public'), names.lookup),
    );
    for (const host of [
      '127.0.0.1',
      '2130706433',
      '0x7f.1',
      '[::ffff:127.0.0.1]',
      'localhost',
      'login.example',
    ]) {
      for (const scheme of ['http', 'https']) {
        await assert.rejects(
          fetched(`${scheme}://${host}:${port}/`),
          isRefused(/on this machine|https/),
          host,
        );
      }
    }
    assert.deepEqual(attempts, []);
    assert.deepEqual(server.requests, []);
  });

  test('connects to the address that was checked, whatever the name leads to next (security, line 10)', async () => {
    let connected = 0;
    const listener = createServer((socket) => {
      connected += 1;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const { port } = listener.address() as AddressInfo;
    // A public address at the first look-up, then this machine.
    const names = new FakeNames({
      'login.example': ['127.0.0.1', '8.8.8.8', '127.0.0.1'],
    });
    const fetched = oauthFetch(
      new AddressCheck('https://mcp.example/mcp', connectedTo('public'), names.lookup),
    );
    await assert.rejects(fetched(`https://login.example:${port}/`), isRefused(/on this machine/));
    assert.equal(names.looked.filter((name) => name === 'login.example').length, 1);
    assert.deepEqual(attempts, []);
    // The same name is asked where the server is on this machine: the listener would have noticed.
    const near = oauthFetch(local(new FakeNames({ 'login.example': ['127.0.0.1'] })));
    await assert.rejects(near(`https://login.example:${port}/`), HostError);
    assert.equal(connected, 1);
    assert.deepEqual(attempts, ['127.0.0.1']);
    listener.close();
  });

  test('refuses a name of which one address may not be asked', async () => {
    const names = new FakeNames({ 'login.example': [['8.8.8.8', '10.0.0.1']] });
    const fetched = oauthFetch(
      new AddressCheck('https://mcp.example/mcp', connectedTo('public'), names.lookup),
    );
    await assert.rejects(fetched('https://login.example/'), isRefused(/private network/));
    assert.deepEqual(attempts, []);
  });

  for (const status of [301, 302, 303, 307, 308]) {
    test(`follows ${status} of a GET, without what belongs to another origin (security, line 12)`, async () => {
      const last = await start((_request, response) => response.end('{"a":1}'));
      const near = await start((request, response) =>
        request.url === '/'
          ? response.writeHead(status, { location: '/next' }).end()
          : response.writeHead(status, { location: `${last.url}last` }).end(),
      );
      const headers = { authorization: `Bearer ${secret}`, dpop: secret, 'mcp-protocol-version': 'x' };
      const response = await oauthFetch(local())(near.url, { headers, redirect: 'manual' });
      assert.deepEqual(await response.json(), { a: 1 });
      assert.deepEqual(near.requests, ['GET /', 'GET /next']);
      assert.deepEqual(
        near.headers.map(({ authorization }) => authorization),
        [`Bearer ${secret}`, `Bearer ${secret}`],
      );
      const [{ authorization, dpop, 'mcp-protocol-version': version } = {}] = last.headers;
      assert.deepEqual([authorization, dpop, version], [undefined, undefined, 'x']);
    });

    test(`follows ${status} of no POST, not even on the same origin (security, line 12)`, async () => {
      const server = await start((_request, response) =>
        response.writeHead(status, { location: '/elsewhere' }).end(),
      );
      for (const redirect of ['follow', 'manual'] as const) {
        const body = new URLSearchParams({ code: secret });
        await assert.rejects(
          oauthFetch(local())(server.url, { method: 'POST', body, redirect }),
          isRefused(/redirects a request that can have secrets/),
        );
      }
      assert.deepEqual(server.requests, ['POST /', 'POST /']);
    });
  }

  test('follows at most three redirects', async () => {
    const server = await start(({ url = '' }, response) => {
      const left = Number(url.slice(1));
      return left === 0 ? response.end('{}') : response.writeHead(302, { location: `/${left - 1}` }).end();
    });
    assert.equal((await oauthFetch(local())(`${server.url}3`)).status, 200);
    await assert.rejects(oauthFetch(local())(`${server.url}4`), isRefused(/more than 3 times/));
    assert.equal(server.requests.length, 8);
  });

  test('follows no redirect to an address that it may not ask (security, line 10)', async () => {
    const names = new FakeNames({ 'cloud.example': ['169.254.169.254'], localhost: ['127.0.0.1'] });
    for (const location of [
      'http://169.254.169.254/latest/meta-data/',
      'https://2852039166/',
      'https://[::ffff:169.254.169.254]/',
      'https://10.0.0.1/',
      'https://cloud.example/',
      'http://cloud.example/',
      '//10.0.0.1/',
      'https://you:secret@localhost/',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'data:application/json,{}',
      'http://',
      '',
    ]) {
      const server = await start((_request, response) => response.writeHead(302, { location }).end());
      await assert.rejects(oauthFetch(local(names))(server.url), isRefused(/which/), location);
      assert.equal(server.requests.length, 1);
    }
    assert.deepEqual(new Set(attempts), new Set(['127.0.0.1']));
  });

  for (const [what, body, headers] of [
    ['plain', Buffer.alloc(MIB + 1, 0x20), {}],
    ['without a length', Buffer.alloc(MIB + 1, 0x20), { 'transfer-encoding': 'chunked' }],
    ['compressed by gzip', gzipSync(Buffer.alloc(200 * MIB)), { 'content-encoding': 'gzip' }],
    ['compressed by brotli', brotliCompressSync(Buffer.alloc(20 * MIB)), { 'content-encoding': 'br' }],
  ] as const) {
    test(`reads at most 1 MiB of a response, ${what}`, async () => {
      const server = await start((_request, response) => response.writeHead(200, headers).end(body));
      await assert.rejects(oauthFetch(local())(server.url), isRefused(/more than 1 MiB/));
    });
  }

  test('reads a response of 1 MiB, compressed or not', async () => {
    const text = 'x'.repeat(MIB);
    const plain = await start((_request, response) => response.end(text));
    assert.equal(await (await oauthFetch(local())(plain.url)).text(), text);
    const packed = await start((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(text)),
    );
    assert.equal(await (await oauthFetch(local())(packed.url)).text(), text);
  });

  test('refuses a response that cannot be decompressed, or breaks', async () => {
    const packed = await start((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip'),
    );
    await assert.rejects(oauthFetch(local())(packed.url), isRefused(/decompressed/));
    const broken = await start((_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('begun');
      setImmediate(() => response.destroy());
    });
    await assert.rejects(oauthFetch(local())(broken.url), isRefused(/could not be reached/, 'unreachable'));
  });

  for (const [what, bytes] of [
    ['no HTTP', 'SSH-2.0-OpenSSH_9.9\r\n'],
    ['a status that is none', 'HTTP/1.1 999 x\r\ncontent-length: 0\r\n\r\n'],
    ['a header that is none', 'HTTP/1.1 200 OK\r\n\0: x\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nxx'],
  ] as const) {
    test(`refuses a response with ${what}`, async () => {
      const listener = createServer((socket) => socket.on('error', () => {}).end(bytes)).listen(
        0,
        '127.0.0.1',
      );
      await once(listener, 'listening');
      const { port } = listener.address() as AddressInfo;
      try {
        const fetched = oauthFetch(local())(`http://127.0.0.1:${port}/`);
        await assert.rejects(fetched, isRefused(/malformed response/));
      } finally {
        listener.close();
      }
    });
  }

  for (const [what, handler] of [
    ['says nothing', () => undefined],
    [
      'says nothing after its headers',
      (_request: unknown, response: ServerResponse) => response.flushHeaders(),
    ],
    ['stops amid its response', (_request: unknown, response: ServerResponse) => response.write('{')],
  ] as const) {
    test(`gives up a server that ${what} after 30 seconds`, async () => {
      const heard = Promise.withResolvers<void>();
      const server = await start((request, response) => {
        handler(request, response);
        heard.resolve();
      });
      const clock = new FakeClock();
      const fetched = oauthFetch(local(), clock.after)(server.url);
      await heard.promise;
      await clock.tick(29_999);
      assert.equal(clock.pending, 1);
      await Promise.all([
        assert.rejects(fetched, isRefused(/did not answer within 30 seconds/, 'timedOut')),
        clock.tick(1),
      ]);
      assert.equal(clock.pending, 0);
    });
  }

  test('ends with the signal of its caller, before the request and during the response', async () => {
    const abort = new AbortController();
    const begun = Promise.withResolvers<void>();
    const server = await start((_request, response) => {
      response.write('{');
      begun.resolve();
    });
    const fetched = oauthFetch(local())(server.url, { signal: abort.signal });
    await begun.promise;
    abort.abort();
    await assert.rejects(fetched, { name: 'AbortError' });
    await assert.rejects(oauthFetch(local())(server.url, { signal: abort.signal }), { name: 'AbortError' });
    assert.equal(server.requests.length, 1);
  });

  test('says who could not be reached, and leaves no timer behind', async () => {
    const server = await start(() => {});
    await server.close();
    servers.splice(0);
    const clock = new FakeClock();
    const url = `${server.url}?code=${secret}`;
    const { host } = new URL(url);
    const fetched = oauthFetch(local(), clock.after);
    await assert.rejects(
      fetched(url),
      isRefused(new RegExp(`'${host}' could not be reached`), 'unreachable'),
    );
    await assert.rejects(
      fetched('https://gone.example/'),
      isRefused(/its host was not found/, 'unreachable'),
    );
    assert.equal(clock.pending, 0);
  });
});
