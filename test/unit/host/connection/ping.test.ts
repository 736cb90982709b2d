import assert from 'node:assert/strict';
import type { RunningState } from '../../../../src/host/state/connectionState.ts';
import type { PingPolicy } from '../../../../src/host/connection/idlePing.ts';
import type { ServerConnection } from '../../../../src/host/connection/serverConnection.ts';
import { serveStreamableHttp } from '../../../fixtures/servers/httpServers.ts';
import { ConnectionBed, textOf } from '../../support/connectionBed.ts';
import { httpServer, legacyServer, unrulyServer, talkingServer } from '../../support/definitions.ts';
import { until, untilSeen, untilState } from '../../support/until.ts';
import { perTest } from '../../support/perTest.ts';

const impatient: PingPolicy = { quietMs: 150, answerMs: 600 };
const again = { firstMs: 1, maxMs: 1, tries: 3, stableMs: 60_000 };

suite('An idle server', () => {
  let bed: ConnectionBed;
  perTest(() => (bed = new ConnectionBed()));

  async function started(...given: Parameters<ConnectionBed['connection']>): Promise<ServerConnection> {
    const connection = bed.connection(given[0], { ping: impatient, ...given[1] });
    await connection.start();
    return connection;
  }

  function untilPinged(times = 1): Promise<void> {
    return until(
      () => bed.logger.lines.filter((line) => line.endsWith('got ping')).length >= times,
      `${times} pings have come`,
      bed.logger.onDidLog,
    );
  }

  /** A ping has been answered: from now on, a ping that is not is the server's end. */
  function untilAnswered(): Promise<void> {
    const { lines, onDidLog } = bed.logger;
    return until(() => lines.some((line) => /← .*"result":\{\}/.test(line)), 'a ping is answered', onDidLog);
  }

  test('of a legacy revision is pinged, again and again', async () => {
    const connection = await started(unrulyServer());
    await untilPinged(3);
    assert.equal(connection.state.kind, 'running');
  });

  test('that answers a ping with an error is there', async () => {
    const connection = await started(unrulyServer(['--no-ping']));
    await untilPinged(4);
    assert.equal(connection.state.kind, 'running');
  });

  test('over HTTP is pinged, too', async () => {
    const server = bed.endLater(await serveStreamableHttp());
    await started(httpServer(server.url));
    await untilSeen(() => server.peer.of('ping').length > 2, 'it is pinged');
  });

  test('that is frozen is restarted', async () => {
    bed.logger.isTracing = true;
    const connection = await started(legacyServer(), { backoff: again });
    const { pid } = connection.state as RunningState;
    await untilAnswered();
    process.kill(pid ?? 0, 'SIGSTOP');
    await untilState(connection, 'backingOff');
    const { state } = connection;
    assert.ok(state.kind === 'backingOff');
    assert.deepEqual(
      [state.reason.code, state.reason.message],
      ['timedOut', 'the server did not answer a ping within 0.6 s'],
    );
    await untilState(connection, 'running');
    assert.notEqual((connection.state as RunningState).pid, pid);
  });

  test('that ignores every ping is left alone', async () => {
    const connection = await started(unrulyServer(['--mute']), { backoff: again });
    const said = 'debug: The server does not answer pings';
    await until(() => bed.logger.has(said), 'it is given up', bed.logger.onDidLog);
    assert.equal(connection.state.kind, 'running');
    assert.equal(bed.pids.length, 1);
  });

  test('that was frozen in a call is restarted once the call has run out of time', async () => {
    let requestTimeout = 10_000;
    bed.logger.isTracing = true;
    const connection = await started(legacyServer(), {
      backoff: again,
      requestTimeout: () => requestTimeout,
    });
    const { pid } = connection.state as RunningState;
    await untilAnswered();
    requestTimeout = 2_000;
    const call = connection.callTool('silent', {});
    const failed = assert.rejects(call, {
      code: 'timedOut',
      message: /^the server did not answer within 2 s/,
    });
    process.kill(pid ?? 0, 'SIGSTOP');
    await failed;
    requestTimeout = 10_000;
    await untilState(connection, 'backingOff');
    await untilState(connection, 'running');
  });

  test('that computes for long in one call is left alone', async () => {
    const connection = await started(unrulyServer());
    const ms = 3 * (impatient.quietMs + impatient.answerMs);
    assert.equal(await textOf(connection.callTool('compute', { ms, said: 'done' })), 'done');
    assert.equal(connection.state.kind, 'running');
  });

  test('is not pinged while you are asked because of it', async () => {
    bed.logger.isTracing = true;
    const connection = await started(legacyServer());
    await untilAnswered();
    const { pid } = connection.state as RunningState;
    const { promise, resolve } = Promise.withResolvers<void>();
    const asking = connection.whileAskingYou(() => promise);
    process.kill(pid ?? 0, 'SIGSTOP');
    const other = await started(unrulyServer());
    await untilPinged(4);
    // The other one has been pinged for so long that this one would have been given up.
    await new Promise((wait) => setTimeout(wait, 2 * (impatient.quietMs + impatient.answerMs)));
    assert.deepEqual([connection.state.kind, other.state.kind], ['running', 'running']);
    resolve();
    await asking;
    await untilState(connection, 'failed');
  });

  test('of the modern revision, which has no ping, is not pinged', async () => {
    bed.logger.isTracing = true;
    const connection = await started(talkingServer('modern'));
    await new Promise((wait) => setTimeout(wait, 4 * impatient.quietMs));
    await textOf(connection.callTool('talked', {}));
    assert.ok(!bed.logger.has('"method":"ping"'));
  });
});
