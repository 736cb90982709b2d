import assert from 'node:assert/strict';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { CancellationError } from '../../../../src/base/lifetime/cancellation.ts';
import type { ServerDefinition } from '../../../../src/host/config/serverDefinition.ts';
import {
  answerBy,
  serve,
  serveSse,
  serveStreamableHttp,
  type HttpServer,
} from '../../../fixtures/servers/httpServers.ts';
import { talkingServer as createTalking, type Talked } from '../../../fixtures/servers/talkingServer.ts';
import { ConnectionBed, textOf } from '../../support/connectionBed.ts';
import { httpServer, unrulyServer, talkingServer } from '../../support/definitions.ts';
import { until, untilSeen } from '../../support/until.ts';
import { perTest } from '../../support/perTest.ts';

suite('A cancellation', () => {
  let bed: ConnectionBed;
  perTest(() => (bed = new ConnectionBed()));

  /** How a call ends before it is answered. */
  interface End {
    readonly how: string;
    /** The time allowed to it, in milliseconds. */
    readonly timeout: number;
    readonly act: (abort: AbortController) => void;
    /** What its caller gets. */
    readonly expected: object;
  }
  const ends: readonly End[] = [
    {
      how: 'by its caller',
      timeout: 240_000,
      act: (abort) => abort.abort(),
      expected: { name: 'CancellationError' },
    },
    { how: 'by the clock', timeout: 1_000, act: () => {}, expected: { name: 'HostError', code: 'timedOut' } },
  ];

  /** Has a server wait, ends that, and expects the server to be notified; `look` returns what it has seen. */
  async function endWaiting(definition: ServerDefinition, end: End, look?: () => Talked): Promise<void> {
    let requestTimeout = 10_000;
    const connection = bed.connection(definition, { requestTimeout: () => requestTimeout });
    await connection.start();
    const talked = async (): Promise<Talked> =>
      look?.() ?? (JSON.parse(await textOf(connection.callTool('talked', {}))) as Talked);
    const abort = new AbortController();
    requestTimeout = end.timeout;
    const ended = assert.rejects(connection.callTool('wait', {}, {}, abort.signal), end.expected);
    requestTimeout = 10_000;
    await untilSeen(async () => (await talked()).waiting === 1, 'the server works on the call');
    end.act(abort);
    await ended;
    await untilSeen(async () => {
      const { waiting, cancelled } = await talked();
      return waiting === 0 && cancelled === 1;
    }, 'the server has stopped');
    assert.deepEqual(
      bed.logger.lines.filter((line) => /^(warn|error)/.test(line)),
      [],
    );
  }

  for (const end of ends) {
    for (const era of ['legacy', 'modern'] as const) {
      test(`${end.how} reaches a ${era} server over stdio`, () => endWaiting(talkingServer(era), end));
    }

    test(`${end.how} ends the stream of a modern server over HTTP, without a notification`, async () => {
      const talked: Talked = { waiting: 0, cancelled: 0 };
      const server = bed.endLater(await serveTalking(talked));
      await endWaiting(httpServer(server.url), end, () => talked);
      assert.ok(!server.requests.some((request) => request.includes('notifications/cancelled')));
    });

    for (const [what, start] of [
      ['Streamable HTTP', serveStreamableHttp],
      ['HTTP+SSE', serveSse],
    ] as const) {
      test(`${end.how} reaches a legacy server over ${what}`, async () => {
        const server = bed.endLater(await start());
        let requestTimeout = 10_000;
        const connection = bed.connection(httpServer(server.url), { requestTimeout: () => requestTimeout });
        await connection.start();
        const abort = new AbortController();
        requestTimeout = end.timeout;
        const call = assert.rejects(connection.callTool('silent', {}, {}, abort.signal), end.expected);
        await untilSeen(() => server.peer.of('tools/call').length === 1, 'the server has the call');
        end.act(abort);
        await call;
        await untilSeen(
          () => server.peer.of('notifications/cancelled').length === 1,
          'the server is notified',
        );
      });
    }
  }

  test('of a start is not sent: `initialize` is not cancelled', async () => {
    const connection = bed.connection(unrulyServer(['--silent-start']));
    const start = assert.rejects(connection.start(), CancellationError);
    await until(() => bed.logger.has('got initialize'), 'the server has it', bed.logger.onDidLog);
    await connection.stop();
    await start;
    assert.ok(!bed.logger.has('got notifications/cancelled'));
  });

  test('of a start that runs out of time is not sent either', async () => {
    const connection = bed.connection(unrulyServer(['--silent-start'], { timeout: 1_500 }));
    await assert.rejects(connection.start(), { code: 'timedOut' });
    assert.ok(bed.logger.has('got initialize'));
    assert.ok(!bed.logger.has('got notifications/cancelled'));
  });
});

async function serveTalking(talked: Talked): Promise<HttpServer> {
  const handler = createMcpHandler(() => createTalking(talked), { legacy: 'reject' });
  const server = await serve('/mcp', (request, response, body) =>
    answerBy((one) => handler.fetch(one), request, response, body),
  );
  return {
    ...server,
    close: async () => {
      await handler.close();
      await server.close();
    },
  };
}
