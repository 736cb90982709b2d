import assert from 'node:assert/strict';
import type { ServerConnection } from '../../../../../src/host/connection/serverConnection.ts';
import { textOf } from '../../../support/connectionBed.ts';
import { endsInTime, FaultBed, faultyServer, pidOf, soon } from '../../../support/faultBed.ts';
import { isAlive, untilSeen, untilState } from '../../../support/until.ts';

const eras = ['legacy', 'modern'] as const;

suite('Many servers at once', () => {
  let bed: FaultBed;
  setup(async () => {
    bed = await FaultBed.open();
  });
  teardown(() => bed.close());

  /** So many servers, of both eras in turns. */
  function many(count: number, switches: readonly string[] = []): readonly ServerConnection[] {
    return Array.from({ length: count }, (_, index) =>
      bed.connection(faultyServer(index % 2 === 0 ? 'legacy' : 'modern', switches), {
        requestTimeout: () => 60_000,
      }),
    );
  }

  test('start, answer and stop, 50 of them', async function () {
    this.timeout(60_000);
    const connections = many(50);
    await Promise.all(connections.map((one) => one.start()));
    const answers = connections.map((one, index) => textOf(one.callTool('echo', { text: `${index}` })));
    assert.deepEqual(
      await Promise.all(answers),
      connections.map((_, index) => `${index}`),
    );
    await endsInTime(() => Promise.all(connections.map((one) => one.stop())));
    assert.deepEqual(bed.pids.filter(isAlive), []);
    assert.equal(bed.pids.length, 50);
  });

  for (const era of eras) {
    test(`or 200 calls of one, answered in reverse, each with its own answer (${era})`, async () => {
      const connection = await bed.started(faultyServer(era));
      // Each longer than a pipe takes at once, all together.
      const texts = Array.from({ length: 200 }, (_, call) => `${call} ${'x'.repeat(2_000)}`);
      const answers = texts.map((text) => textOf(connection.callTool('gather', { text, of: texts.length })));
      assert.deepEqual(await Promise.all(answers), texts);
    });

    test(`or 200 calls of one that are all taken back leave nothing waiting (${era})`, async () => {
      const connection = await bed.started(faultyServer(era));
      const abort = new AbortController();
      const calls = Array.from({ length: 200 }, (_, call) =>
        assert.rejects(connection.callTool('wait', { text: `${call}` }, {}, abort.signal), {
          name: 'CancellationError',
        }),
      );
      await untilSeen(() => bed.timesReceived('tools/call wait 199') === 1, 'the server has them');
      abort.abort();
      await Promise.all(calls);
      assert.equal(await textOf(connection.callTool('echo', { text: 'next' })), 'next');
      assert.equal(bed.received.filter((one) => one.startsWith('notifications/cancelled')).length, 200);
    });
  }

  test('that fail and are tried again, 20 of them, hold up no other', async () => {
    const other = await bed.started(faultyServer('legacy'));
    const failing = Array.from({ length: 20 }, () =>
      bed.connection(faultyServer('legacy', ['--exit-on=initialize']), { backoff: { ...soon, tries: 1 } }),
    );
    const ended = failing.map((one) => one.start().catch(() => untilState(one, 'failed')));
    for (let call = 0; call < 50; call += 1) {
      assert.equal(await textOf(other.callTool('echo', { text: `${call}` })), `${call}`);
    }
    await Promise.all(ended);
    assert.equal(other.state.kind, 'running');
  });

  test('that wait to be tried again, 20 of them, are stopped at once', async () => {
    const waiting = Array.from({ length: 20 }, () =>
      bed.connection(faultyServer('legacy', ['--exit-on=*']), {
        backoff: { firstMs: 3_600_000, maxMs: 3_600_000, tries: 9, stableMs: 60_000 },
      }),
    );
    await Promise.all(waiting.map((one) => one.start().catch(() => {})));
    assert.ok(waiting.every((one) => one.state.kind === 'backingOff'));
    await endsInTime(() => Promise.all(waiting.map((one) => one.stop())));
  });
});

suite('Servers that heed neither the end of their input nor SIGTERM', () => {
  let bed: FaultBed;
  setup(async () => {
    bed = await FaultBed.open();
  });
  teardown(() => bed.close());

  const stubborn = ['--stubborn', '--child'];

  test('are gone within what the editor grants, 20 of them, with their children', async function () {
    this.timeout(60_000);
    const connections = Array.from({ length: 20 }, (_, index) =>
      bed.connection(faultyServer(index % 2 === 0 ? 'legacy' : 'modern', stubborn), {
        requestTimeout: () => 60_000,
      }),
    );
    await Promise.all(connections.map((one) => one.start()));
    const calls = connections.map((one) => assert.rejects(one.callTool('wait', {}), { code: 'notRunning' }));
    assert.equal(bed.pids.filter(isAlive).length, 40);
    await endsInTime(() => Promise.all(connections.map((one) => one.close())));
    assert.deepEqual(bed.pids.filter(isAlive), []);
    await Promise.all(calls);
  });

  for (const [when, asked] of [
    ['while they are probed', 'server/discover'],
    ['while they start', 'initialize'],
  ] as const) {
    test(`are gone as soon when they are stopped ${when}`, async () => {
      const silent = ['--silent-on=server/discover', '--silent-on=initialize'];
      const connections = Array.from({ length: 5 }, () =>
        bed.connection(faultyServer('legacy', [...stubborn, ...silent])),
      );
      const starts = connections.map((one) => one.start().catch((error: unknown) => error));
      await untilSeen(() => bed.timesReceived(asked) === 5, `all are asked for ${asked}`);
      assert.equal(bed.pids.filter(isAlive).length, 10);
      await endsInTime(() => Promise.all(connections.map((one) => one.stop())));
      await Promise.all(starts);
      assert.deepEqual(bed.pids.filter(isAlive), []);
    });
  }

  test('and leave nothing behind when they are killed by another', async () => {
    const connection = await bed.started(faultyServer('legacy', stubborn));
    const pids = bed.pids;
    process.kill(pidOf(connection), 'SIGKILL');
    await untilState(connection, 'failed');
    await untilSeen(() => pids.filter(isAlive).length === 0, 'the child is gone, too');
  });
});
