import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import type { ServerConnection } from '../../../../src/host/connection/serverConnection.ts';
import { serveModern, serveSse, serveStreamableHttp } from '../../../fixtures/servers/httpServers.ts';
import { ConnectionBed, textOf } from '../../support/connectionBed.ts';
import { httpServer, stdioServer } from '../../support/definitions.ts';
import { perTest } from '../../support/perTest.ts';

const script = fileURLToPath(new URL('../../../fixtures/servers/wireServer.ts', import.meta.url));

/** A message as a server got it. */
interface Heard {
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: {
    readonly name?: string;
    readonly protocolVersion?: string;
    readonly capabilities?: object;
    readonly inputResponses?: Readonly<Record<string, unknown>>;
    readonly requestState?: string;
  };
  readonly result?: object;
  readonly error?: { readonly code: number };
}

suite('What goes over the wire', () => {
  let bed: ConnectionBed;
  perTest(() => (bed = new ConnectionBed()));

  async function started(...switches: readonly string[]): Promise<ServerConnection> {
    const connection = bed.connection(stdioServer([script, ...switches]));
    await connection.start();
    await connection.catalogue?.listing('tools');
    return connection;
  }

  async function heardBy(connection: ServerConnection): Promise<readonly Heard[]> {
    return JSON.parse(await textOf(connection.callTool('heard', {}))) as readonly Heard[];
  }

  async function asked(connection: ServerConnection, method: string, params?: object): Promise<Heard> {
    return JSON.parse(await textOf(connection.callTool('ask', { method, params }))) as Heard;
  }

  test('is `initialize` first, except for the probe, and then `initialized`', async () => {
    const heard = await heardBy(await started());
    assert.deepEqual(
      heard.slice(0, 4).map(({ method }) => method),
      ['server/discover', 'initialize', 'notifications/initialized', 'tools/list'],
    );
    assert.equal(heard[1]?.params?.protocolVersion, '2025-11-25');
    assert.deepEqual(heard[1].params.capabilities, { roots: { listChanged: true } });
  });

  for (const switches of [[], ['--modern']]) {
    const era = switches.length === 0 ? 'legacy' : 'modern';

    test(`is one message at a time, each request with an id of its own (${era})`, async () => {
      const connection = await started(...switches);
      await Promise.all(Array.from({ length: 20 }, () => heardBy(connection)));
      const heard = await heardBy(connection);
      assert.ok(heard.every((message) => !Array.isArray(message)));
      const ids = heard.filter(({ method }) => !method?.startsWith('notifications/')).map(({ id }) => id);
      assert.ok(ids.length > 20);
      assert.ok(ids.every((id) => typeof id === 'string' || Number.isInteger(id)));
      assert.equal(new Set(ids).size, ids.length);
    });
  }

  test('is an answer to each request, and none to a notification', async () => {
    const connection = await started();
    await connection.callTool('tell', { method: 'notifications/unheard/of' });
    await connection.callTool('tell', { method: 'ping' });
    const answer = await asked(connection, 'ping');
    assert.deepEqual(answer.result, {});
    assert.deepEqual(answersIn(await heardBy(connection)), [answer]);
  });

  for (const method of ['unheard/of', 'sampling/createMessage', 'elicitation/create', 'tasks/list']) {
    test(`is "method not found" for ${method} if it was not declared`, async () => {
      const connection = await started();
      const { error } = await asked(connection, method, { messages: [], maxTokens: 1 });
      assert.equal(error?.code, -32_601);
      assert.equal(connection.state.kind, 'running');
    });
  }

  test('is nothing further after an unknown version, and you see why', async () => {
    const connection = bed.connection(stdioServer([script, '--version=1999-01-01']));
    await assert.rejects(connection.start(), {
      code: 'protocol',
      message: /none of the server's protocol revisions: 1999-01-01$/,
    });
    assert.equal(connection.state.kind, 'failed');
  });

  test('is `initialize` never to a server that says which version it wants, and you see why', async () => {
    bed.logger.isTracing = true;
    const connection = bed.connection(stdioServer([script, '--future']));
    await assert.rejects(connection.start(), {
      code: 'protocol',
      message: /none of the server's protocol revisions: \d{4}-\d{2}-\d{2}$/,
    });
    assert.ok(bed.logger.has('"method":"server/discover"'));
    assert.ok(!bed.logger.has('"method":"initialize"'));
    assert.equal(bed.pids.length, 1);
  });

  test('is a POST for each message, which takes JSON and events for an answer', async () => {
    const server = bed.endLater(await serveStreamableHttp());
    const connection = bed.connection(httpServer(server.url));
    await connection.start();
    const posts = server.headers.filter((_, index) => server.requests[index]?.startsWith('POST /mcp '));
    assert.ok(posts.length > 3);
    assert.deepEqual(
      new Set(posts.map(({ accept }) => accept)),
      new Set(['application/json, text/event-stream']),
    );
  });

  for (const [what, serve] of [
    ['Streamable HTTP', serveStreamableHttp],
    ['HTTP+SSE', serveSse],
  ] as const) {
    test(`is the negotiated version in a header of each request that follows it (${what})`, async () => {
      const server = bed.endLater(await serve());
      const connection = bed.connection(httpServer(server.url));
      await connection.start();
      assert.equal(await textOf(connection.callTool('echo', { text: 'Hello' })), 'Hello');
      await connection.stop();
      const start = server.requests.findLastIndex((request) => request.endsWith(' initialize'));
      const later = server.requests.slice(start + 1);
      assert.ok(later.some((request) => request.endsWith('notifications/initialized')));
      assert.ok(later.some((request) => request.endsWith('tools/call')));
      for (const [index, request] of later.entries()) {
        assert.equal(server.headers[start + 1 + index]?.['mcp-protocol-version'], '2025-11-25', request);
      }
    });
  }

  for (const state of [true, false]) {
    test(`is required input once, under a new id, ${state ? 'with the state as it came' : 'with no state where none came'}`, async () => {
      bed.roots = [{ uri: 'file:///projects/api', name: 'api' }];
      const connection = await started('--modern');
      await connection.callTool('need', { method: 'roots/list', state });
      const heard = await heardBy(connection);
      const [first, second, next] = heard.filter(({ method }) => method === 'tools/call');
      assert.equal(first?.params?.name, 'need');
      assert.equal(second?.params?.name, 'need');
      assert.notEqual(second.id, first.id);
      assert.deepEqual(second.params.inputResponses, { it: { roots: bed.roots } });
      assert.equal(
        second.params.requestState,
        state ? ' {"a" : 1}\\u0041\t\r\n\u00e9e\u0301\ud83d%20+/= ' : undefined,
      );
      for (const other of [first, next]) {
        assert.ok(!('inputResponses' in Object(other?.params)) && !('requestState' in Object(other?.params)));
      }
      assert.deepEqual(answersIn(heard), [], 'no response is written');
    });
  }

  test('is required input at most ten times for one call', async () => {
    const connection = await started('--modern');
    await assert.rejects(connection.callTool('need', { method: 'roots/list', again: true }), {
      code: 'protocol',
      message: /after 10 rounds/,
    });
    const calls = (await heardBy(connection)).filter(({ params }) => params?.name === 'need');
    assert.equal(calls.length, 11);
  });

  test('is no input that was not declared', async () => {
    const connection = await started('--modern');
    for (const method of ['elicitation/create', 'sampling/createMessage']) {
      await assert.rejects(connection.callTool('need', { method }), { name: 'HostError' });
    }
    const calls = (await heardBy(connection)).filter(({ params }) => params?.name === 'need');
    assert.equal(calls.length, 2, 'none was tried again');
  });

  test('is no answer to a request of a server that may make none', async () => {
    const connection = await started('--modern');
    await connection.callTool('tell', { id: 'stray', method: 'roots/list' });
    await connection.callTool('tell', { id: 'ping', method: 'ping' });
    assert.deepEqual(answersIn(await heardBy(connection)), []);
  });

  test('is no response that is posted, also to a server that required input', async () => {
    const server = bed.endLater(await serveModern());
    const connection = bed.connection(httpServer(server.url));
    await connection.start();
    await connection.callTool('roots', {});
    const calls = server.requests.filter((request) => request.endsWith('tools/call'));
    assert.equal(calls.length, 2, 'the call and its second round');
    assert.ok(!server.requests.includes('POST /mcp'), 'each message has a method');
  });

  test('means a failed call, where a result is of an unknown type', async () => {
    const connection = await started('--modern');
    await assert.rejects(connection.callTool('odd', {}), { name: 'HostError', code: 'protocol' });
    assert.equal(connection.state.kind, 'running');
  });
});

function answersIn(heard: readonly Heard[]): readonly Heard[] {
  return heard.filter(({ method }) => method === undefined);
}
