import assert from 'node:assert/strict';
import type { HostError } from '../../../../../src/host/errors/hostError.ts';
import type { ServerConnection } from '../../../../../src/host/connection/serverConnection.ts';
import {
  echoed,
  serveScripted,
  type RawEvents,
  type ScriptedExchange,
  type ScriptedServer,
} from '../../../../fixtures/servers/scriptedHttp.ts';
import { ConnectionBed, textOf } from '../../../support/connectionBed.ts';
import { httpServer } from '../../../support/definitions.ts';
import { until, untilSeen } from '../../../support/until.ts';

type Words = readonly [status: number, body: string];

const unknownSession: readonly Words[] = [
  [404, ''],
  [404, '{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}'],
  [
    400,
    '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid session ID provided"},"id":null}',
  ],
  [
    400,
    '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: Server not initialized"},"id":null}',
  ],
  [400, 'Invalid or missing session ID'],
];

suite('A session that the server no longer knows', () => {
  let bed: ConnectionBed;
  let server: ScriptedServer;
  /** The sessions that the server knows. */
  let known: Set<string>;
  setup(() => {
    bed = new ConnectionBed();
    known = new Set(['one', 'two']);
  });
  teardown(() => bed.close());

  async function started(words: Words = [404, '']): Promise<ServerConnection> {
    server = bed.endLater(await serveScripted({}, { sessions: ['one', 'two', 'three'] }));
    const checked =
      (then: (exchange: ScriptedExchange) => unknown) =>
      (exchange: ScriptedExchange): unknown =>
        known.has(String(exchange.headers['mcp-session-id']))
          ? then(exchange)
          : exchange.response.writeHead(words[0]).end(words[1]);
    server.script['tools/call'] = checked(({ json, answer }) => json(answer(echoed)));
    server.script['resources/read'] = checked(({ json, answer }) =>
      json(answer({ contents: [{ uri: 'test:///note', text: 'Note' }] })),
    );
    const connection = bed.connection(httpServer(server.url));
    await connection.start();
    return connection;
  }

  const runsAgain = (connection: ServerConnection) =>
    until(
      () => connection.state.kind === 'running' && server.received('initialize').length === 2,
      'it runs in another session',
      connection.onDidChangeState,
    );

  for (const words of unknownSession) {
    test(`is detected by ${words[0]} ${words[1]}, and another is started at once`, async () => {
      const connection = await started(words);
      known.delete('one');
      await assert.rejects(connection.callTool('echo', {}), { code: 'notTaken' });
      assert.equal(connection.state.kind, 'running');
      assert.equal(await textOf(connection.callTool('echo', {})), 'Hello');
      assert.deepEqual(
        server.headersOf('initialize').map((headers) => headers['mcp-session-id']),
        [undefined, undefined],
      );
      assert.deepEqual(
        server.headersOf('tools/call').map((headers) => headers['mcp-session-id']),
        ['one', 'two'],
      );
      assert.ok(!bed.logger.has('backingOff'));
      assert.equal(server.received('DELETE').length, 0);
    });
  }

  test('loses no request that was not handled: it is sent again', async () => {
    const connection = await started();
    known.delete('one');
    assert.deepEqual((await connection.readResource('test:///note')).contents, [
      { uri: 'test:///note', text: 'Note' },
    ]);
    assert.equal(server.received('resources/read').length, 2);
    assert.equal(server.received('initialize').length, 2);
  });

  test('costs many requests at the same time one new session', async () => {
    const connection = await started();
    known.delete('one');
    const reads = Array.from({ length: 5 }, () => connection.readResource('test:///note'));
    assert.equal((await Promise.all(reads)).length, 5);
    assert.equal(server.received('initialize').length, 2);
  });

  test('loses a response that was received in part', async () => {
    const connection = await started();
    const usual = server.script['tools/call'];
    let stream: RawEvents | undefined;
    server.script['tools/call'] = ({ events }) => {
      stream = events();
    };
    const call = connection.callTool('echo', {});
    call.catch(() => {});
    await untilSeen(() => stream !== undefined, 'the call is under way');
    known.delete('one');
    server.script['tools/call'] = usual;
    await connection.callTool('echo', {}).catch(() => {});
    await assert.rejects(call, { code: 'lost' });
  });

  test('is noticed on the stream of the server, once that was open', async () => {
    const connection = await started();
    await connection.stop();
    let stream: RawEvents | undefined;
    server.script['GET'] = ({ headers, events, response }) => {
      if (headers['mcp-session-id'] === 'two' && stream) {
        return response.writeHead(404).end();
      }
      stream = events();
      return stream.event('retry: 1', 'data:');
    };
    await connection.start();
    await untilSeen(() => stream !== undefined, 'the stream is open');
    stream?.destroy();
    await until(
      () => connection.state.kind === 'running' && server.received('initialize').length === 3,
      'it runs in another session',
      connection.onDidChangeState,
    );
    assert.equal(
      await textOf(connection.callTool('echo', {})).catch((error: HostError) => error.code),
      'notTaken',
    );
  });

  test('is noticed when a stream must be resumed in it', async () => {
    const connection = await started();
    const usual = server.script['tools/call'];
    server.script['tools/call'] = ({ events }) => {
      const stream = events();
      stream.event('id: 0', 'retry: 1', 'data:');
      stream.end();
    };
    server.script['GET'] = ({ headers, response }) =>
      response.writeHead(headers['last-event-id'] === undefined ? 405 : 404).end();
    await assert.rejects(connection.callTool('echo', {}), { code: 'lost' });
    server.script['tools/call'] = usual;
    await runsAgain(connection);
  });

  test('does not change the meaning of 404 without a session', async () => {
    server = bed.endLater(await serveScripted());
    const connection = bed.connection(httpServer(server.url));
    await connection.start();
    server.script['tools/call'] = ({ response }) => response.writeHead(404).end();
    await assert.rejects(connection.callTool('echo', {}), { code: 'refused', status: 404 });
    assert.equal(server.received('initialize').length, 1);
  });

  test('is ended at the server when the connection is', async () => {
    const connection = await started();
    await connection.stop();
    assert.deepEqual(
      server.headersOf('DELETE').map((headers) => headers['mcp-session-id']),
      ['one'],
    );
  });
});
