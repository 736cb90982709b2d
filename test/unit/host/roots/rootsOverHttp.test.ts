import assert from 'node:assert/strict';
import { createServer, request as httpRequest } from 'node:http';
import type { ServerConnection } from '../../../../src/host/connection/serverConnection.ts';
import { closeServer, listen } from '../../../fixtures/servers/serve.ts';
import {
  serveScripted,
  type RawEvents,
  type Script,
  type ScriptedExchange,
  type ScriptedServer,
} from '../../../fixtures/servers/scriptedHttp.ts';
import { ConnectionBed, textOf } from '../../support/connectionBed.ts';
import { httpServer, packageScript } from '../../support/definitions.ts';
import { ListeningProgram } from '../../support/program.ts';
import { until, untilSeen } from '../../support/until.ts';

const api = { uri: 'file:///projects/api', name: 'api' };
const web = { uri: 'file:///projects/web', name: 'web' };
const CHANGED = 'notifications/roots/list_changed';
const INITIALIZED = 'notifications/initialized';

const asked = (id: string) => `data: ${JSON.stringify({ jsonrpc: '2.0', id, method: 'roots/list' })}`;

suite('Roots over Streamable HTTP', () => {
  let bed: ConnectionBed;
  let server: ScriptedServer;
  setup(() => {
    bed = new ConnectionBed();
    bed.roots = [api];
  });
  teardown(() => bed.close());

  async function started(script: Script, sessions: readonly string[] = ['one']): Promise<ServerConnection> {
    server = bed.endLater(await serveScripted(script, { sessions }));
    const connection = bed.connection(httpServer(server.url));
    await connection.start();
    return connection;
  }

  function change(connection: ServerConnection, roots = [api, web]): void {
    bed.roots = roots;
    connection.rootsChanged();
  }

  /** The start and the streams of the server, in their order. */
  const begun = (): readonly string[] =>
    server.requests
      .map((one) => one.replace('POST /mcp ', '').replace(' /mcp', ''))
      .filter((one) => ['initialize', 'GET', INITIALIZED].includes(one));

  /** The folders in each answer that the server got. */
  const answers = (): readonly (readonly string[])[] =>
    server
      .received('POST')
      .filter(({ id }) => String(id).startsWith('roots'))
      .map(
        (one) =>
          (one as { result?: { roots: { name: string }[] } }).result?.roots.map(({ name }) => name) ?? [],
      );

  const answered = (count: number) => untilSeen(() => answers().length === count, `${count} are answered`);
  const told = (count: number) =>
    untilSeen(() => server.received(CHANGED).length === count, `it is notified ${count} times`);

  suite('of a server that asks soon after its start', () => {
    /** Passes everything on to a server, but each GET only after so many milliseconds. */
    async function delayed(origin: string, ms: number): Promise<string> {
      const proxy = createServer((request, response) => {
        const { method = '', url = '', headers } = request;
        const pass = (): void => {
          const onward = httpRequest(origin + url, { agent: false, method, headers });
          onward.on('response', (answer) => {
            response.writeHead(answer.statusCode ?? 502, answer.headers).flushHeaders();
            answer.pipe(response);
          });
          onward.on('error', () => response.destroy());
          response.on('close', () => onward.destroy());
          request.pipe(onward);
        };
        setTimeout(pass, method === 'GET' ? ms : 0);
      });
      const proxied = await listen(proxy);
      bed.endLater({ close: () => closeServer(proxy) });
      return proxied;
    }

    for (const ms of [0, 600, 3_000]) {
      test(`arrive when its stream takes ${ms} ms to open`, async () => {
        const script = packageScript('@modelcontextprotocol/server-everything');
        const { origin } = await ListeningProgram.start(bed, [script, 'streamableHttp']);
        const connection = bed.connection(httpServer(`${await delayed(origin, ms)}/mcp`));
        await connection.start();
        const updated = 'Roots updated: 1 root(s) received from client';
        await until(() => bed.logger.has(updated), 'it has the folders', bed.logger.onDidLog);
        assert.match(await textOf(connection.callTool('get-roots-list', {})), /file:\/\/\/projects\/api/);
        assert.equal(bed.logger.lines.filter((line) => line.includes(updated)).length, 1);
      });
    }
  });

  for (const [what, sessions] of [
    ['with a session', ['one']],
    ['without a session', []],
  ] as const) {
    test(`are asked on a stream that opens before the start ends, ${what}`, async () => {
      let isOpen = false;
      let wasOpen: boolean | undefined;
      await started(
        {
          GET: ({ events }) =>
            setTimeout(() => {
              isOpen = true;
              events().event(asked('roots 1'));
            }, 50),
          [INITIALIZED]: ({ response }) => {
            wasOpen = isOpen;
            response.writeHead(202).end();
          },
        },
        sessions,
      );
      await answered(1);
      assert.deepEqual(begun(), ['initialize', 'GET', INITIALIZED]);
      assert.equal(wasOpen, true);
      const [headers] = server.headersOf('GET');
      assert.deepEqual(
        [headers?.['mcp-session-id'], headers?.['mcp-protocol-version'], headers?.accept],
        [sessions[0], '2025-11-25', 'text/event-stream'],
      );
      assert.deepEqual([answers(), server.received(CHANGED)], [[['api']], []]);
    });
  }

  test('arrive at a server that sends the headers of its stream only with the first event', async () => {
    const streams: ScriptedExchange[] = [];
    const connection = await started({ GET: (exchange) => streams.push(exchange) });
    assert.equal(connection.state.kind, 'running');
    streams[0]?.response.writeHead(200, { 'content-type': 'text/event-stream' });
    streams[0]?.response.write(`${asked('roots 1')}\n\n`);
    await answered(1);
    change(connection);
    await told(1);
    assert.deepEqual(begun(), ['initialize', 'GET', INITIALIZED]);
    assert.deepEqual(answers(), [['api']]);
  });

  test('are announced to a server whose stream opened late, because its earlier request is lost', async () => {
    const streams: ScriptedExchange[] = [];
    await started({ GET: (exchange) => streams.push(exchange) });
    streams[0]?.events();
    await told(1);
    assert.deepEqual(begun(), ['initialize', 'GET', INITIALIZED]);
  });

  test('are announced without a stream to a server that has none, which is not asked for one again', async () => {
    const connection = await started({ GET: ({ response }) => response.writeHead(405).end() });
    change(connection);
    await told(1);
    await connection.callTool('echo', {});
    assert.deepEqual(begun(), ['initialize', 'GET', INITIALIZED]);
    assert.ok(!bed.logger.lines.some((line) => line.includes('stream is down')));
  });

  for (const status of [400, 404, 409]) {
    test(`are asked on a stream that is refused with ${status} before the start ends`, async () => {
      await started({
        GET: ({ times, response, events }) =>
          times === 1 ? response.writeHead(status).end() : events().event(asked('roots 1')),
      });
      await answered(1);
      assert.deepEqual(begun(), ['initialize', 'GET', INITIALIZED, 'GET']);
      assert.deepEqual([answers(), server.received(CHANGED)], [[['api']], []]);
    });
  }

  test('are asked in another session when the first one ended at its start', async () => {
    const connection = await started(
      {
        GET: ({ headers, response, events }) =>
          headers['mcp-session-id'] === 'one'
            ? response.writeHead(404).end('{"error":{"code":-32001,"message":"Session not found"}}')
            : events().event(asked('roots 1')),
      },
      ['one', 'two'],
    );
    await answered(1);
    await until(() => connection.state.kind === 'running', 'it runs again', connection.onDidChangeState);
    assert.deepEqual(begun(), ['initialize', 'GET', INITIALIZED, 'GET', 'initialize', 'GET', INITIALIZED]);
  });

  test('are announced once when a dropped stream is back', async () => {
    const streams: RawEvents[] = [];
    const connection = await started({
      GET: ({ times, events }) =>
        setTimeout(
          () => {
            const stream = events();
            stream.event('retry: 1', 'data:');
            streams.push(stream);
          },
          times === 1 ? 0 : 500,
        ),
      [CHANGED]: ({ response }) => {
        response.writeHead(202).end();
        streams[1]?.event(asked('roots 1'));
      },
    });
    streams[0]?.destroy();
    await untilSeen(() => server.received('GET').length === 2, 'it is opened again');
    change(connection);
    await answered(1);
    assert.deepEqual(answers(), [['api', 'web']]);
    assert.equal(server.received(CHANGED).length, 1);
  });

  test('are announced after 5 s without the stream, and again when it is back', async () => {
    let isBack = false;
    const streams: RawEvents[] = [];
    const connection = await started({
      GET: ({ times, events, response }) => {
        if (times > 1 && !isBack) {
          return response.writeHead(503).end();
        }
        const stream = events();
        stream.event('retry: 1', 'data:');
        return streams.push(stream);
      },
    });
    streams[0]?.destroy();
    await untilSeen(() => server.received('GET').length > 1, 'it is opened again');
    change(connection);
    await told(1);
    assert.equal(streams.length, 1);
    await untilSeen(
      () =>
        bed.logger.lines.some((line) => line.startsWith('info: ') && line.includes('event stream is down')),
      'the log says so',
    );
    isBack = true;
    await told(2);
    assert.equal(streams.length, 2);
  });

  test('asked during a call are answered without the stream', async () => {
    const connection = await started({
      GET: ({ times, events, response }) =>
        times === 1 ? events().end() : setTimeout(() => response.destroy(), 10),
      'tools/call': ({ events, answer }) => {
        const stream = events();
        stream.event(asked('roots 1'));
        void answered(1).then(() => {
          stream.event(`data: ${answer({ content: [{ type: 'text', text: 'Done' }] })}`);
          stream.end();
        });
      },
    });
    assert.equal(await textOf(connection.callTool('echo', {})), 'Done');
    assert.deepEqual(answers(), [['api']]);
  });
});
