import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { ServerConnection } from '../../../../../src/host/connection/serverConnection.ts';
import {
  serveScripted,
  type RawEvents,
  type Script,
  type ScriptedExchange,
  type ScriptedServer,
} from '../../../../fixtures/servers/scriptedHttp.ts';
import { ConnectionBed, namesOf } from '../../../support/connectionBed.ts';
import { httpServer } from '../../../support/definitions.ts';
import { untilSeen } from '../../../support/until.ts';
import { perTest } from '../../../support/perTest.ts';

const said = (data: string) =>
  `data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data } })}`;

function endedAfter(stream: RawEvents, ...lines: readonly string[]): void {
  if (lines.length > 0) {
    stream.event(...lines);
  }
  stream.end();
}

suite("A server's event stream", () => {
  let bed: ConnectionBed;
  let server: ScriptedServer;
  perTest(() => (bed = new ConnectionBed()));

  async function started(script: Script): Promise<ServerConnection> {
    server = bed.endLater(await serveScripted(script, { sessions: ['one'] }));
    const connection = bed.connection(httpServer(server.url));
    await connection.start();
    return connection;
  }

  const streamsOpened = (count: number) =>
    untilSeen(() => server.received('GET').length >= count, `there are ${count} streams`);

  for (const status of [200, 202, 204]) {
    test(`is opened when the server answers with ${status} that it knows of the start`, async () => {
      const streams: RawEvents[] = [];
      await started({
        'notifications/initialized': ({ response }) => response.writeHead(status).end(),
        GET: ({ events }) => streams.push(events()),
      });
      await streamsOpened(1);
      await untilSeen(() => streams.length === 1, 'it is open');
      streams[0]?.event(said('Hello'));
      await untilSeen(() => bed.logger.has('info: [server] Hello'), 'it is heard');
    });
  }

  test('is opened again however often it ends or breaks, where it was', async () => {
    let turn = 0;
    await started({
      GET: ({ events, response }) => {
        turn += 1;
        if (turn % 3 === 2) {
          return response.destroy();
        }
        const stream = events();
        stream.event(`id: ${turn}`, 'retry: 1', said(`turn ${turn}`));
        return turn % 3 === 0 ? stream.end() : setImmediate(() => stream.destroy());
      },
    });
    await streamsOpened(12);
    assert.deepEqual(
      server
        .headersOf('GET')
        .map((headers) => headers['last-event-id'])
        .slice(0, 8),
      [undefined, '1', '1', '3', '4', '4', '6', '7'],
    );
    assert.ok([1, 3, 4, 6, 7].every((turn) => bed.logger.has(`info: [server] turn ${turn}`)));
    assert.deepEqual(
      bed.logger.lines.filter((line) => /^(warn|error)/.test(line)),
      [],
    );
  });

  test('is logged once as down, and once as open again', async () => {
    const retrying = async (): Promise<void> => {
      const before = server.received('GET').length;
      await streamsOpened(before + 8);
    };
    await started({
      GET: ({ events }) => {
        const stream = events();
        stream.event('retry: 1', 'data:');
        stream.end();
      },
    });
    await streamsOpened(2);
    server.script['GET'] = ({ response }) => response.writeHead(503).end();
    await retrying();
    const said = (what: string) => bed.logger.lines.filter((line) => line.includes(what)).length;
    assert.equal(said("info: The server's event stream cannot be opened"), 1);
    server.script['GET'] = ({ events }) => void events();
    await untilSeen(() => said("info: The server's event stream is open again.") === 1, 'so');
    assert.deepEqual(
      bed.logger.lines.filter((line) => /^(warn|error)/.test(line)),
      [],
    );
  });

  const proposals: readonly [string, (exchange: ScriptedExchange) => unknown][] = [
    ['streams that end without an event', ({ events }) => endedAfter(events())],
    [
      'streams that end after an event that says nothing',
      ({ events }) => endedAfter(events(), 'id: 1', 'data:'),
    ],
    ['refusals', ({ response }) => response.writeHead(503).end()],
    ['connections that break', ({ response }) => response.destroy()],
  ];
  for (const [what, GET] of proposals) {
    test(`is opened less and less often after ${what}, although the server asks for no wait`, async () => {
      const connection = await started({ GET: ({ events }) => endedAfter(events(), 'retry: 0', 'data:') });
      await streamsOpened(1);
      server.script['GET'] = GET;
      await delay(4_000);
      const { length } = server.received('GET');
      assert.ok(length >= 3 && length <= 15, `${length} streams`);
      assert.equal(connection.state.kind, 'running');
    });
  }

  for (const [what, answer] of [
    ['405', 405],
    ['404, as what has no route for it', 404],
    ['400', 400],
    ['a page', 200],
  ] as const) {
    test(`is not used when the server responds with ${what}`, async () => {
      const connection = await started({
        GET: ({ response }) => response.writeHead(answer, { 'content-type': 'text/html' }).end('<p>'),
      });
      await streamsOpened(1);
      await connection.callTool('echo', {});
      assert.equal(connection.state.kind, 'running');
      assert.equal(server.received('initialize').length, 1);
      assert.deepEqual(
        bed.logger.lines.filter((line) => /^(warn|error)/.test(line)),
        [],
      );
    });
  }

  test('says that a list has changed, after it was broken off, too', async () => {
    let names = ['first'];
    const streams: RawEvents[] = [];
    const connection = await started({
      initialize: ({ json, answer, response }) => {
        response.setHeader('mcp-session-id', 'one');
        json(
          answer({
            protocolVersion: '2025-11-25',
            capabilities: { tools: { listChanged: true } },
            serverInfo: { name: 'lists', version: '1' },
          }),
        );
      },
      'tools/list': ({ json, answer }) =>
        json(answer({ tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) })),
      GET: ({ events }) => {
        const stream = events();
        stream.event('retry: 1', 'data:');
        streams.push(stream);
      },
    });
    await streamsOpened(1);
    streams[0]?.destroy();
    await untilSeen(() => streams.length === 2, 'it is open again');
    names = ['second'];
    streams[1]?.event('data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}');
    await untilSeen(() => namesOf(connection.catalogue?.tools).includes('second'), 'the list is new');
  });

  test('is no longer opened once the connection is closed', async () => {
    const connection = await started({
      GET: ({ events }) => {
        const stream = events();
        stream.event('retry: 1', 'data:');
        stream.end();
      },
    });
    await streamsOpened(3);
    await connection.stop();
    const opened = server.received('GET').length;
    await untilSeen(() => server.open === 0, 'all is closed');
    // A second server's whole start and end is longer than any wait of the first.
    await bed
      .connection(httpServer(server.url))
      .start()
      .catch(() => {});
    const ofFirst = server.headersOf('GET').filter((headers) => headers['mcp-session-id'] === 'one');
    assert.ok(ofFirst.length <= opened, 'it goes on');
  });
});
