import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo, type LookupFunction } from 'node:net';
import { nodeFetch, nodeFetchWith } from '../../../../../src/host/transport/http/nodeFetch.ts';
import { serveAndClose } from '../../../../fixtures/servers/closingHttp.ts';
import { serve, serveStatus, type HttpServer } from '../../../../fixtures/servers/httpServers.ts';

suite('A fetch by the client of Node', () => {
  let server: HttpServer | undefined;
  teardown(async () => {
    await server?.close();
    server = undefined;
  });

  test('sends and receives what the global one does', async () => {
    server = await serve('/mcp?a=b', (request, response, body) => {
      const { method, url, headers } = request;
      const { host: _host, connection: _connection, ...sent } = headers;
      response.setHeader('x-twice', ['one', 'two']);
      response.writeHead(418, 'Teapot').end(JSON.stringify({ method, url, body, sent }));
    });
    const init = { method: 'POST', headers: { 'x-key': 'ké' }, body: 'text é' };
    const [ours, theirs] = await Promise.all(
      [nodeFetch, fetch].map(async (fetched) => {
        const response = await fetched(server?.url ?? '', init);
        const { method, url, body, sent } = (await response.json()) as Record<string, Record<string, string>>;
        return {
          status: response.status,
          statusText: response.statusText,
          twice: response.headers.get('x-twice'),
          asked: { method, url, body, key: sent?.['x-key'], type: sent?.['content-type'] },
        };
      }),
    );
    assert.deepEqual(ours, theirs);
  });

  for (const status of [204, 205, 304]) {
    test(`gives ${status} without a body`, async () => {
      server = await serveStatus(status);
      const response = await nodeFetch(server.url);
      assert.equal(response.status, status);
      assert.equal(await response.text(), '');
    });
  }

  test('gives the 407 that the global one hides, and a redirect as it is', async () => {
    for (const status of [407, 302]) {
      server = await serveStatus(status);
      assert.equal((await nodeFetch(server.url)).status, status);
      await server.close();
    }
    server = undefined;
  });

  test('ends with its signal before the answer, and in the middle of it', async () => {
    server = await serve('/mcp', (_request, response, body) =>
      body === 'silent' ? undefined : response.writeHead(200).write('begun'),
    );
    const before = new AbortController();
    const silent = nodeFetch(server.url, { method: 'POST', body: 'silent', signal: before.signal });
    before.abort();
    await assert.rejects(silent, { name: 'AbortError' });
    const amid = new AbortController();
    const { body } = await nodeFetch(server.url, { method: 'POST', body: 'x', signal: amid.signal });
    const reader = body?.getReader();
    assert.equal(new TextDecoder().decode((await reader?.read())?.value as Uint8Array), 'begun');
    amid.abort();
    await assert.rejects(reader?.read() ?? Promise.resolve());
  });

  for (const how of ['ends', 'resets'] as const) {
    test(`goes out over another connection when the server ${how} the one that it would have been sent over`, async () => {
      const closing = await serveAndClose(how);
      try {
        for (let asked = 1; asked <= 20; asked += 1) {
          const response = await nodeFetch(closing.url, { method: 'POST', body: `${asked}` });
          assert.equal(await response.text(), 'ok');
        }
        assert.deepEqual(
          closing.received,
          Array.from({ length: 20 }, (_, index) => `${index + 1}`),
        );
      } finally {
        closing.close();
      }
    });
  }

  test('is not sent again once a part of it was written', async () => {
    let asked = 0;
    server = await serve('/mcp', (_request, response) => {
      asked += 1;
      return asked === 1 ? response.end('ok') : response.destroy();
    });
    await (await nodeFetch(server.url)).text();
    await assert.rejects(nodeFetch(server.url, { method: 'POST', body: 'x' }), { code: 'ECONNRESET' });
    assert.equal(asked, 2);
  });

  test('resolves names by a look-up of the caller, for each request, over a connection of its own', async () => {
    const sockets = new Set<unknown>();
    server = await serve('/mcp', (request, response) => {
      sockets.add(request.socket);
      response.end('ok');
    });
    const { port } = new URL(server.url);
    const looked: string[] = [];
    const lookup: LookupFunction = (name, { all }, callback) => {
      looked.push(name);
      if (all) {
        callback(null, [{ address: '127.0.0.1', family: 4 }]);
      } else {
        callback(null, '127.0.0.1', 4);
      }
    };
    const url = `http://localhost:${port}/mcp`;
    // Leaves connections open, which the next request would use.
    await Promise.all([1, 2, 3].map(async () => (await nodeFetch(url)).text()));
    const before = sockets.size;
    for (const count of [1, 2]) {
      assert.equal(await (await nodeFetchWith(lookup)(url)).text(), 'ok');
      assert.equal(looked.length, count);
      assert.equal(sockets.size, before + count);
    }
    assert.deepEqual([...new Set(looked)], ['localhost']);
  });

  test('opens no connection if the look-up fails', async () => {
    let opened = 0;
    const listener = createServer(() => (opened += 1)).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const { port } = listener.address() as AddressInfo;
    const refusal = new Error('not this one');
    const fetched = nodeFetchWith((_name, _options, callback) => callback(refusal, '127.0.0.1', 4));
    await assert.rejects(fetched(`http://localhost:${port}/`), (error) => error === refusal);
    assert.equal(opened, 0);
    listener.close();
  });

  test('fails with the code of the system', async () => {
    const gone = await serveStatus(200);
    await gone.close();
    await assert.rejects(nodeFetch(gone.url), { code: 'ECONNREFUSED' });
    server = await serve('/mcp', (_request, response) => response.destroy());
    await assert.rejects(nodeFetch(server.url), { code: 'ECONNRESET' });
  });
});
