import assert from 'node:assert/strict';
import http from 'node:http';
import https from 'node:https';
import { connect, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { AddressCheck } from '../../../../../src/host/auth/network/addressCheck.ts';
import { HostError } from '../../../../../src/host/errors/hostError.ts';
import { nodeFetch } from '../../../../../src/host/transport/http/nodeFetch.ts';
import { ServerConnections } from '../../../../../src/host/auth/network/serverConnections.ts';
import { serveProxy, type LoopbackProxy } from '../../../../fixtures/servers/loopbackProxy.ts';
import { closeServer, freePort, listen, serve, type HttpServer } from '../../../../fixtures/servers/serve.ts';
import { FakeNames } from '../../../support/namesBed.ts';

/** Addresses of each kind, as a server might name them. */
const issuers = { loopback: 'https://login.here/', private: 'https://login.corp/' };

/** Sends all requests through a proxy. Node's types don't have the option yet. */
function agentOf(proxy: LoopbackProxy): http.Agent {
  return new http.Agent({ keepAlive: true, proxyEnv: { http_proxy: proxy.url } } as http.AgentOptions);
}

suite('Where a server is, for the addresses of its sign-in (security, line 10)', () => {
  const agent = http.globalAgent;
  let server: HttpServer;
  /** The connections that the server has seen. */
  let sockets: Set<unknown>;
  setup(async () => {
    sockets = new Set();
    server = await serve('/mcp', (request, response) => {
      sockets.add(request.socket);
      response.writeHead(401).end();
    });
    http.globalAgent = new http.Agent({ keepAlive: true });
  });
  teardown(async () => {
    http.globalAgent.destroy();
    http.globalAgent = agent;
    await server.close();
  });

  const urlOf = (host: string): string => `http://${host}:${new URL(server.url).port}/mcp`;

  /** What a test needs of one window; each name of a server has its addresses. */
  function windowWith(names: Readonly<Record<string, readonly (string | readonly string[])[]>>) {
    const fake = new FakeNames({
      ...names,
      'proxy.example': ['127.0.0.1'],
      'login.here': ['127.0.0.1'],
      'login.corp': ['10.9.9.9'],
    });
    const connections = new ServerConnections(fake.lookup);
    /** Sends a request as a transport does. */
    const ask = async (url: string): Promise<void> => {
      await (await connections.fetch(url, { method: 'POST', body: '{}' })).text();
    };
    /** The issuers that a server may name. */
    const allowed = async (url: string): Promise<readonly string[]> => {
      const check = new AddressCheck(url, connections, fake.lookup);
      const found: string[] = [];
      for (const [kind, issuer] of Object.entries(issuers)) {
        const { hostname } = new URL(issuer);
        await promisify(check.lookupFor(new URL(issuer)))(hostname, { all: true }).then(
          () => found.push(kind),
          (error: unknown) => assert.ok(error instanceof HostError && error.code === 'protocol'),
        );
      }
      return found;
    };
    return { looked: fake.looked, connections, ask, allowed };
  }

  test('is the address that it was reached at, and no other one of its name', async () => {
    for (const addresses of [
      ['127.0.0.1', '10.1.2.3'],
      ['127.0.0.1', '8.8.8.8'],
    ]) {
      const { ask, allowed } = windowWith({ 'mcp.example': [addresses] });
      await ask(urlOf('mcp.example'));
      assert.deepEqual(await allowed(urlOf('mcp.example')), ['loopback'], addresses.join());
    }
  });

  test('is public through a proxy on this machine, whatever its name resolves to here', async () => {
    const proxy = await serveProxy();
    http.globalAgent = agentOf(proxy);
    try {
      const { ask, allowed, looked } = windowWith({ 'mcp.example': [['8.8.8.8', '127.0.0.1', '10.1.2.3']] });
      for (const _again of [1, 2]) {
        await ask(urlOf('mcp.example'));
        assert.deepEqual(await allowed(urlOf('mcp.example')), []);
      }
      assert.equal(proxy.targets.length, 2);
      assert.ok(!looked.includes('mcp.example'));
    } finally {
      http.globalAgent.destroy();
      await proxy.close();
    }
  });

  test('is not where a proxy is whose name is resolved by the same look-up', async () => {
    const { port } = new URL(server.url);
    http.globalAgent = new (class extends http.Agent {
      override createConnection({ lookup }: http.ClientRequestArgs): Socket {
        return connect({ host: 'proxy.example', port: Number(port), ...(lookup && { lookup }) });
      }
    })();
    const { ask, allowed, looked } = windowWith({});
    await ask('http://mcp.example/mcp');
    assert.deepEqual(looked, ['proxy.example']);
    assert.deepEqual(await allowed('http://mcp.example/mcp'), []);
  });

  for (const host of ['localhost', '127.0.0.1']) {
    test(`is this machine through a proxy, too, if its address is ${host}`, async () => {
      const proxy = await serveProxy();
      http.globalAgent = agentOf(proxy);
      try {
        const { ask, allowed } = windowWith({});
        await ask(urlOf(host));
        assert.equal(proxy.targets.length, 1);
        assert.deepEqual(await allowed(urlOf(host)), ['loopback']);
      } finally {
        http.globalAgent.destroy();
        await proxy.close();
      }
    });
  }

  test('is private if its address is, whatever is between', async () => {
    const { allowed, looked } = windowWith({});
    assert.deepEqual(await allowed('https://10.1.2.3/mcp'), ['private']);
    assert.deepEqual(await allowed('https://[fd00::1]/mcp'), ['private']);
    assert.deepEqual(new Set(looked), new Set(['login.here', 'login.corp']));
  });

  test('stays the same when a request uses an open connection again', async () => {
    const { ask, allowed, looked } = windowWith({ 'mcp.example': ['127.0.0.1', '10.1.2.3'] });
    for (const _again of [1, 2, 3]) {
      await ask(urlOf('mcp.example'));
      assert.deepEqual(await allowed(urlOf('mcp.example')), ['loopback']);
    }
    assert.equal(sockets.size, 1);
    assert.equal(looked.filter((name) => name === 'mcp.example').length, 1);
  });

  test('is known for a second server that uses the connection of the first', async () => {
    const { ask, allowed } = windowWith({ 'mcp.example': ['127.0.0.1'] });
    await ask(urlOf('mcp.example'));
    await ask(`${urlOf('mcp.example')}/other`);
    assert.deepEqual(await allowed(`${urlOf('mcp.example')}/other`), ['loopback']);
    assert.equal(sockets.size, 1);
  });

  test('is not what its name leads to after it was reached', async () => {
    const { ask, allowed, looked } = windowWith({ 'mcp.example': ['127.0.0.1', '10.1.2.3'] });
    await ask(urlOf('mcp.example'));
    assert.deepEqual(await allowed(urlOf('mcp.example')), ['loopback']);
    assert.equal(looked.filter((name) => name === 'mcp.example').length, 1);
  });

  test('is public once its name leads elsewhere and nothing proves who answers', async () => {
    const proxy = await serveProxy();
    const direct = http.globalAgent;
    const proxied = agentOf(proxy);
    try {
      const { ask, allowed } = windowWith({ 'mcp.example': ['127.0.0.1'] });
      for (const [agent, expected] of [
        [direct, ['loopback']],
        [proxied, []],
        [direct, []],
      ] as const) {
        http.globalAgent = agent;
        await ask(urlOf('mcp.example'));
        assert.deepEqual(await allowed(urlOf('mcp.example')), expected);
      }
      assert.equal(proxy.targets.length, 1);
    } finally {
      proxied.destroy();
      await proxy.close();
    }
  });

  test('is where it answered last, if its certificate proves that it is the server', async () => {
    const proxy = await serveProxy();
    // A shared key in place of a certificate, which Node can't make.
    const psk = Buffer.from('key of this test');
    const tls = { ciphers: 'PSK', maxVersion: 'TLSv1.2' } as const;
    const secure = https.createServer({ ...tls, pskCallback: () => psk }, (request, response) => {
      sockets.add(request.socket);
      response.end();
    });
    const { port } = new URL(await listen(secure));
    const url = `https://mcp.example:${port}/mcp`;
    const client = {
      ...tls,
      keepAlive: true,
      pskCallback: () => ({ psk, identity: 'test' }),
      checkServerIdentity: () => undefined,
    };
    const before = https.globalAgent;
    const direct = new https.Agent(client);
    const proxied = new https.Agent({
      ...client,
      proxyEnv: { https_proxy: proxy.url },
    } as https.AgentOptions);
    try {
      const { ask, allowed } = windowWith({ 'mcp.example': [['127.0.0.1', '10.1.2.3']] });
      for (const [agent, expected, opened] of [
        [direct, ['loopback'], 1],
        [direct, ['loopback'], 1],
        [proxied, [], 2],
        [proxied, [], 2],
        [direct, ['loopback'], 2],
      ] as const) {
        https.globalAgent = agent;
        await ask(url);
        assert.deepEqual(await allowed(url), expected);
        assert.equal(sockets.size, opened);
      }
      assert.deepEqual(proxy.targets, [new URL(url).host]);
    } finally {
      https.globalAgent = before;
      [direct, proxied].forEach((agent) => agent.destroy());
      await closeServer(secure);
      await proxy.close();
    }
  });

  test('is not learned from a connection that something else has opened', async () => {
    const { connections, allowed } = windowWith({ localhost: ['127.0.0.1'] });
    await (await nodeFetch(urlOf('localhost'))).text();
    assert.equal(sockets.size, 1);
    await (await connections.fetch(urlOf('localhost'))).text();
    assert.equal(sockets.size, 2);
    assert.equal(await connections.kindOf(new URL(urlOf('localhost'))), 'loopback');
    assert.deepEqual(await allowed(urlOf('localhost')), ['loopback']);
  });

  test('is found out with an empty request if nothing was sent yet, but only if it matters', async () => {
    const { allowed, connections, looked } = windowWith({ 'mcp.example': ['127.0.0.1'] });
    const check = new AddressCheck(`${urlOf('mcp.example')}?key=secret`, connections);
    await check.request(new URL('https://login.example/'));
    assert.deepEqual([looked, server.requests], [[], []]);
    assert.deepEqual(await allowed(`${urlOf('mcp.example')}?key=secret`), ['loopback']);
    assert.deepEqual(server.requests, ['HEAD /']);
    assert.equal(server.headers[0]?.authorization, undefined);
  });

  test('is unknown while it cannot be reached, which may pass', async () => {
    const url = `http://mcp.example:${await freePort()}/mcp`;
    for (const names of [{ 'mcp.example': ['127.0.0.1'] }, {}]) {
      const fake = new FakeNames({ ...names, 'login.here': ['127.0.0.1'] });
      const check = new AddressCheck(url, new ServerConnections(fake.lookup), fake.lookup);
      const issuer = new URL(issuers.loopback);
      await assert.rejects(
        promisify(check.lookupFor(issuer))(issuer.hostname, { all: true }),
        (error: unknown) =>
          error instanceof HostError &&
          error.code === 'unreachable' &&
          error.message.includes(`'${new URL(url).host}' could not be reached`),
      );
    }
  });
});
