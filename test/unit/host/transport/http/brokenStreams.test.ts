import assert from 'node:assert/strict';
import { CancellationError } from '../../../../../src/base/lifetime/cancellation.ts';
import type { ServerConnection } from '../../../../../src/host/connection/serverConnection.ts';
import {
  echoed,
  serveScripted,
  type RawEvents,
  type ScriptedExchange,
  type ScriptedOptions,
  type ScriptedServer,
} from '../../../../fixtures/servers/scriptedHttp.ts';
import { ConnectionBed, textOf } from '../../../support/connectionBed.ts';
import { httpServer } from '../../../support/definitions.ts';
import { untilSeen } from '../../../support/until.ts';
import { perTest } from '../../../support/perTest.ts';

const lost = 'the connection broke before the server answered; it may or may not have handled the request';
const noWait = 'retry: 1';

suite('A stream that breaks before the answer', () => {
  let bed: ConnectionBed;
  let server: ScriptedServer;
  perTest(() => (bed = new ConnectionBed()));

  async function started(options?: ScriptedOptions): Promise<ServerConnection> {
    server = bed.endLater(await serveScripted({}, options));
    const connection = bed.connection(httpServer(server.url));
    await connection.start();
    return connection;
  }

  const breaks: Record<string, (exchange: ScriptedExchange) => void> = {
    'ends without an event': ({ events }) => events().end(),
    'ends after a comment': ({ events }) => {
      const stream = events();
      stream.raw(': working\n\n');
      stream.end();
    },
    'breaks off in the middle of an event': ({ events, answer }) => {
      const stream = events();
      stream.raw(`data: ${answer(echoed).slice(0, 20)}`);
      setImmediate(() => stream.destroy());
    },
    'ends after other messages': ({ events }) => {
      const stream = events();
      stream.event(
        'data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}',
      );
      stream.end();
    },
    'is a connection that breaks off without an answer': ({ response }) => response.destroy(),
    'is a JSON body that breaks off': ({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"jsonrpc":');
      setImmediate(() => response.destroy());
    },
    'is an empty body without a type': ({ response }) => response.writeHead(200).end(),
    'is none at all (204)': ({ response }) => response.writeHead(204).end(),
    'is an empty JSON body': ({ json }) => json(''),
    'is an empty batch': ({ json }) => json([]),
    'is JSON with other messages only': ({ json }) =>
      json({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 1 } }),
  };
  for (const revision of ['2025-11-25', '2026-07-28'] as const) {
    for (const [how, breakOff] of Object.entries(breaks)) {
      test(`rejects the call at once when it ${how} (${revision})`, async () => {
        const connection = await started({ revision });
        server.script['tools/call'] = breakOff;
        await assert.rejects(connection.callTool('echo', {}), { code: 'lost', message: lost });
        if (revision === '2025-11-25') {
          await untilSeen(
            () => server.received('notifications/cancelled').length === 1,
            'the server gets the cancellation',
          );
          const [cancelled] = server.received('notifications/cancelled');
          assert.equal(cancelled?.params?.['requestId'], server.received('tools/call')[0]?.id);
        } else {
          delete server.script['tools/call'];
          await connection.callTool('echo', {});
          assert.deepEqual(server.received('notifications/cancelled'), []);
        }
        assert.equal(connection.state.kind, 'running');
      });
    }

    test(`is resumed, as often as it takes, when an event had an id (${revision})`, async () => {
      const connection = await started({ revision });
      let answer = '';
      server.script['tools/call'] = (exchange) => {
        answer = exchange.answer({ resultType: 'complete', ...echoed });
        const stream = exchange.events();
        stream.event('id: 0', noWait, 'data:');
        stream.end();
      };
      const breakOnce = ['2'];
      server.script['GET'] = ({ events, headers, response }) => {
        const id = String(headers['last-event-id']);
        if (id === breakOnce[0]) {
          breakOnce.shift();
          return response.destroy();
        }
        const stream = events();
        if (id === '3') {
          return stream.event('id: 4', `data: ${answer}`);
        }
        stream.event(`id: ${Number(id) + 1}`);
        return stream.end();
      };
      assert.equal(await textOf(connection.callTool('echo', {})), 'Hello');
      assert.deepEqual(
        server
          .headersOf('GET')
          .map((headers) => headers['last-event-id'])
          .filter(Boolean),
        ['0', '1', '2', '2', '3'],
      );
      assert.deepEqual(server.received('notifications/cancelled'), []);
    });
  }

  test('is waited for as long as the request may take, and no longer', async () => {
    const connection = await started();
    server.script['tools/call'] = ({ events }) => {
      const stream = events();
      stream.event('id: 0', 'retry: 20', 'data:');
      stream.end();
    };
    server.script['GET'] = ({ headers, response }) =>
      response.writeHead(headers['last-event-id'] === undefined ? 405 : 503).end();
    const abort = new AbortController();
    const call = connection.callTool('echo', {}, {}, abort.signal);
    await untilSeen(() => server.received('GET').length > 8, 'it was resumed often');
    abort.abort();
    await assert.rejects(call, CancellationError);
    await untilSeen(() => server.received('notifications/cancelled').length === 1, 'the server was notified');
    const tries = server.received('GET').length;
    delete server.script['tools/call'];
    // Twenty round trips are longer than any of its waits.
    for (let calls = 0; calls < 20; calls += 1) {
      await connection.callTool('echo', {});
    }
    assert.ok(server.received('GET').length <= tries + 1, 'it goes on resuming');
  });

  test('is not resumed at once when the server asks for a wait beyond the range of timers', async () => {
    const connection = await started();
    server.script['tools/call'] = ({ events }) => {
      const stream = events();
      stream.event('id: 0', 'retry: 99999999999', 'data:');
      stream.end();
    };
    const abort = new AbortController();
    const call = connection.callTool('echo', {}, {}, abort.signal);
    await untilSeen(
      () => server.received('tools/call').length === 1 && server.open === 0,
      'the stream ended',
    );
    delete server.script['tools/call'];
    await connection.callTool('echo', {});
    abort.abort();
    await assert.rejects(call, CancellationError);
    assert.equal(server.headersOf('GET').filter((headers) => headers['last-event-id']).length, 0);
  });

  for (const status of [400, 404, 405, 410]) {
    test(`is lost when resuming is refused for good (${status})`, async () => {
      const connection = await started();
      server.script['tools/call'] = ({ events }) => {
        const stream = events();
        stream.event('id: 0', noWait, 'data:');
        stream.end();
      };
      server.script['GET'] = ({ response }) => response.writeHead(status).end();
      await assert.rejects(connection.callTool('echo', {}), { code: 'lost', message: lost });
    });
  }

  test('loses no request of the server', async () => {
    bed.roots = [{ uri: 'file:///projects/api', name: 'api' }];
    const connection = await started();
    let call: ScriptedExchange | undefined;
    const asked = (id: string) => `data: ${JSON.stringify({ jsonrpc: '2.0', id, method: 'roots/list' })}`;
    server.script['tools/call'] = (exchange) => {
      call = exchange;
      const stream = exchange.events();
      stream.event('id: 0', noWait, asked('before'));
      stream.end();
    };
    const answers: unknown[] = [];
    let resumed: RawEvents | undefined;
    server.script['GET'] = ({ headers, events, response }) => {
      if (headers['last-event-id'] === undefined) {
        return response.writeHead(405).end();
      }
      resumed = events();
      return resumed.event('id: 1', asked('after'));
    };
    server.script['POST'] = ({ message, response }) => {
      answers.push(message.id);
      response.writeHead(202).end();
      if (answers.length === 2) {
        resumed?.event(`data: ${call?.answer(echoed)}`);
      }
    };
    assert.equal(await textOf(connection.callTool('echo', {})), 'Hello');
    assert.deepEqual(new Set(answers), new Set(['after', 'before']));
  });

  for (const [how, answer] of [
    ['an event stream', ({ events }: ScriptedExchange) => void events()],
    ['nothing so far', () => {}],
  ] as const) {
    test(`leaves nothing open after a call was cancelled that was answered by ${how}`, async () => {
      const connection = await started();
      await untilSeen(() => server.open === 0, 'the start is through');
      server.script['tools/call'] = answer;
      const abort = new AbortController();
      const call = connection.callTool('echo', {}, {}, abort.signal);
      await untilSeen(() => server.open === 1, 'the call is open');
      abort.abort();
      await assert.rejects(call, CancellationError);
      await untilSeen(() => server.open === 0, 'the stream of the call is closed');
      assert.equal(server.received('notifications/cancelled').length, 1);
      assert.deepEqual(
        bed.logger.lines.filter((line) => /^(warn|error)/.test(line)),
        [],
      );
    });
  }

  test('loses nothing after the response', async () => {
    const connection = await started();
    server.script['tools/call'] = ({ events, answer }) => {
      const stream = events();
      stream.event('id: 0', noWait, `data: ${answer(echoed)}`);
      setImmediate(() => stream.destroy());
    };
    assert.equal(await textOf(connection.callTool('echo', {})), 'Hello');
    await untilSeen(() => server.open === 0, 'the stream is broken');
    delete server.script['tools/call'];
    await connection.callTool('echo', {});
    assert.equal(server.headersOf('GET').filter((headers) => headers['last-event-id']).length, 0);
  });
});
