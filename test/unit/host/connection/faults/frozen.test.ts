import assert from 'node:assert/strict';
import type { ServerConnection } from '../../../../../src/host/connection/serverConnection.ts';
import { textOf } from '../../../support/connectionBed.ts';
import { endsInTime, FaultBed, faultyServer, pidOf } from '../../../support/faultBed.ts';
import { isAlive, untilSeen } from '../../../support/until.ts';

const eras = ['legacy', 'modern'] as const;

suite('A server that is frozen in the middle of its work', function () {
  let bed: FaultBed;
  setup(async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    bed = await FaultBed.open();
  });
  teardown(() => bed.close());

  /** A server that runs, and allows a request that long once it is frozen. */
  async function frozen(era: 'legacy' | 'modern', timeout = 240_000): Promise<ServerConnection> {
    const connection = await bed.started(faultyServer(era));
    process.kill(pidOf(connection), 'SIGSTOP');
    connection.update({ ...connection.definition, timeout });
    return connection;
  }

  for (const era of eras) {
    test(`blocks a call until its timeout, and no other server (${era})`, async () => {
      const other = await bed.started(faultyServer(era));
      const connection = await frozen(era);
      const pid = pidOf(connection);
      let isOver = false;
      const given = new AbortController();
      const held = assert
        .rejects(connection.callTool('echo', { text: 'held' }, {}, given.signal), {
          name: 'CancellationError',
        })
        .finally(() => (isOver = true));
      for (let call = 0; call < 20; call += 1) {
        assert.equal(await textOf(other.callTool('echo', { text: `${call}` })), `${call}`);
      }
      assert.ok(!isOver, 'the calls of the other one did not wait');
      given.abort();
      await held;
      connection.update({ ...connection.definition, timeout: 300 });
      await assert.rejects(connection.callTool('echo', { text: 'late' }), { code: 'timedOut' });

      process.kill(pid, 'SIGCONT');
      connection.update({ ...connection.definition, timeout: 240_000 });
      assert.equal(await textOf(connection.callTool('echo', { text: 'thawed' })), 'thawed');
      assert.deepEqual([connection.state.kind, pidOf(connection)], ['running', pid]);
      assert.equal(bed.received.times('tools/call echo late'), 1);
      assert.deepEqual(bed.complaints, []);
    });
  }

  test('is ended in time when it is stopped, with what waits for it', async () => {
    const connections = await Promise.all(eras.map((era) => frozen(era)));
    const pids = connections.map(pidOf);
    // More than a pipe holds, so that some of it is never even taken.
    const calls = connections.flatMap((connection) =>
      Array.from({ length: 10 }, () =>
        assert.rejects(connection.callTool('echo', { text: 'x'.repeat(100_000) }), { code: 'notRunning' }),
      ),
    );
    await endsInTime(() => Promise.all(connections.map((one) => one.stop())));
    await Promise.all(calls);
    assert.deepEqual(pids.filter(isAlive), []);
  });

  test('works again when it is restarted', async () => {
    const connections = await Promise.all(eras.map((era) => frozen(era)));
    const pids = connections.map(pidOf);
    await endsInTime(() => Promise.all(connections.map((one) => one.restart())));
    assert.deepEqual(pids.filter(isAlive), []);
    for (const connection of connections) {
      assert.equal(await textOf(connection.callTool('echo', { text: 'restarted' })), 'restarted');
    }
  });

  test('is ended in time when it is stopped while it starts', async () => {
    const connection = bed.connection(faultyServer('legacy', ['--silent-on=server/discover']));
    const start = connection.start().catch((error: unknown) => error);
    await untilSeen(() => bed.pids.length === 1, 'the process runs');
    process.kill(bed.pids[0] ?? 0, 'SIGSTOP');
    await endsInTime(() => connection.stop());
    await start;
    assert.deepEqual(bed.pids.filter(isAlive), []);
  });
});
