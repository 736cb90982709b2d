import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { echoed, serveScripted, type ScriptedServer } from '../../../../fixtures/servers/scriptedHttp.ts';
import { ConnectionBed, textOf } from '../../../support/connectionBed.ts';
import { httpServer } from '../../../support/definitions.ts';
import { untilSeen } from '../../../support/until.ts';

const mebibyte = Buffer.alloc(2 ** 20, 'x');

/** Writes without an end, as fast as it is read, until the other side has enough; how many bytes it took. */
function flood(response: ServerResponse, taken: (mebibytes: number) => void): void {
  let sent = 0;
  const more = (): void => {
    while (!response.destroyed && sent < 1_024) {
      sent += 1;
      taken(sent);
      if (!response.write(mebibyte)) {
        response.once('drain', more);
        return;
      }
    }
  };
  more();
}

suite('An answer without an end', () => {
  let bed: ConnectionBed;
  let server: ScriptedServer;
  /** Milliseconds; lowered once a server runs. */
  let requestTimeout: number;
  setup(() => {
    bed = new ConnectionBed();
    requestTimeout = 240_000;
  });
  teardown(() => bed.close());

  async function started() {
    server = bed.endLater(await serveScripted());
    const connection = bed.connection(httpServer(server.url), { requestTimeout: () => requestTimeout });
    await connection.start();
    return connection;
  }

  for (const [type, start, what] of [
    ['application/json', '{"jsonrpc":"2.0","x":"', 'the response of the server'],
    ['text/event-stream', 'data: "', 'an event of the server'],
  ] as const) {
    test(`of ${type} ends its call, and stays within the memory of one message`, async function () {
      const connection = await started();
      let taken = 0;
      server.script['tools/call'] = ({ response }) => {
        response.writeHead(200, { 'content-type': type }).write(start);
        flood(response, (mebibytes) => (taken = mebibytes));
      };
      await assert.rejects(connection.callTool('echo', {}), {
        code: 'protocol',
        message: `${what} is larger than 64 MiB, the maximum`,
      });
      await untilSeen(() => server.open === 0, 'the answer is broken off');
      assert.ok(taken >= 64 && taken < 128, `${taken} MiB`);
      delete server.script['tools/call'];
      assert.equal(await textOf(connection.callTool('echo', {})), 'Hello');
    });
  }

  for (const [status, type] of [
    [500, 'application/json'],
    [200, 'text/html'],
  ] as const) {
    test(`with status ${status} and type ${type} is read no further than its reason`, async () => {
      const connection = await started();
      let taken = 0;
      server.script['tools/call'] = ({ response }) => {
        response.writeHead(status, { 'content-type': type });
        flood(response, (mebibytes) => (taken = mebibytes));
      };
      await assert.rejects(connection.callTool('echo', {}));
      await untilSeen(() => server.open === 0, 'the answer is broken off');
      assert.ok(taken < 64, `${taken} MiB`);
    });
  }

  for (const [what, type] of [
    ['headers that never come', undefined],
    ['a JSON body', 'application/json'],
    ['an event', 'text/event-stream'],
  ] as const) {
    test(`that trickles as ${what} takes no longer than the call, and is aborted`, async () => {
      const connection = await started();
      let trickle: NodeJS.Timeout | undefined;
      server.script['tools/call'] = ({ response }) => {
        if (type) {
          response.writeHead(200, { 'content-type': type }).flushHeaders();
          trickle = setInterval(() => response.write(' '), 10);
        }
      };
      requestTimeout = 300;
      try {
        await assert.rejects(connection.callTool('echo', {}), { code: 'timedOut' });
        await untilSeen(() => server.open === 0, 'the answer is broken off');
      } finally {
        clearInterval(trickle);
      }
    });
  }

  test('on the stream of the server ends that stream, with a warning', async () => {
    server = bed.endLater(
      await serveScripted({
        GET: ({ response }) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: "');
          flood(response, () => {});
        },
      }),
    );
    const connection = bed.connection(httpServer(server.url));
    await connection.start();
    const warning =
      "warn: The server's event stream was given up: an event of the server is larger than 64 MiB";
    await untilSeen(() => bed.logger.has(warning), 'the warning is logged');
    assert.equal(await textOf(connection.callTool('echo', {})), 'Hello');
    assert.equal(server.received('GET').length, 1);
  });

  test('may have many messages that together are larger than one may be', async function () {
    const connection = await started();
    const data = 'x'.repeat(2 ** 20);
    const note = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/other', params: { data } });
    server.script['tools/call'] = async ({ events, answer, response }) => {
      const stream = events();
      for (let sent = 0; sent < 80; sent += 1) {
        stream.event(`data: ${note}`);
        await new Promise((resolve) =>
          response.writableNeedDrain ? response.once('drain', resolve) : resolve(0),
        );
      }
      stream.event(`data: ${answer(echoed)}`);
      stream.end();
    };
    assert.equal(await textOf(connection.callTool('echo', {})), 'Hello');
  });
});
