import assert from 'node:assert/strict';
import { textOf } from '../../../support/connectionBed.ts';
import { endsInTime, FaultBed, faultyServer, pidOf, soon, startAll } from '../../../support/faultBed.ts';
import { HostBed } from '../../../support/hostBed.ts';
import { isThorough } from '../../../support/thoroughness.ts';
import { isAlive, untilSeen, untilState } from '../../../support/until.ts';
import { perTest } from '../../../support/perTest.ts';

const eras = ['legacy', 'modern'] as const;
/** Those that run, and those that fail. */
const [many, some] = isThorough ? [50, 20] : [20, 8];

suite('Many servers at once', () => {
  let bed: FaultBed;
  perTest(async () => (bed = await FaultBed.open()));

  test(`start, answer and stop with their host, ${many} of them`, async function () {
    const hostBed = bed.endLater(new HostBed());
    const definitions = Array.from({ length: many }, (_, index) =>
      faultyServer(index % 2 === 0 ? 'legacy' : 'modern', [], { name: `server ${index}`, timeout: 60_000 }),
    );
    const connections = await startAll(hostBed, definitions);
    const answers = connections.map((one, index) => textOf(one.callTool('echo', { text: `${index}` })));
    assert.deepEqual(
      await Promise.all(answers),
      connections.map((_, index) => `${index}`),
    );
    const pids = connections.map(pidOf);
    assert.equal(pids.filter(isAlive).length, many);
    await endsInTime(() => hostBed.host.close());
    assert.deepEqual(pids.filter(isAlive), []);
  });

  for (const era of eras) {
    test(`or 200 calls of one, answered in reverse, each with its own answer (${era})`, async () => {
      const connection = await bed.started(faultyServer(era));
      // Each longer than a pipe takes at once, all together.
      const texts = Array.from({ length: 200 }, (_, call) => `${call} ${'x'.repeat(2_000)}`);
      const answers = texts.map((text) => textOf(connection.callTool('gather', { text, of: texts.length })));
      assert.deepEqual(await Promise.all(answers), texts);
    });

    test(`or 200 calls of one that are all cancelled leave nothing waiting (${era})`, async () => {
      const connection = await bed.started(faultyServer(era));
      const abort = new AbortController();
      const calls = Array.from({ length: 200 }, (_, call) =>
        assert.rejects(connection.callTool('wait', { text: `${call}` }, {}, abort.signal), {
          name: 'CancellationError',
        }),
      );
      await untilSeen(() => bed.received.times('tools/call wait 199') === 1, 'the server has them');
      abort.abort();
      await Promise.all(calls);
      assert.equal(await textOf(connection.callTool('echo', { text: 'next' })), 'next');
      assert.equal(bed.received.timesOf('notifications/cancelled'), 200);
    });
  }

  test(`that fail and are tried again, ${some} of them, hold up no other`, async () => {
    const other = await bed.started(faultyServer('legacy'));
    const failing = Array.from({ length: some }, () =>
      bed.connection(faultyServer('legacy', ['--exit-on=initialize']), { backoff: { ...soon, tries: 1 } }),
    );
    const ended = failing.map((one) => one.start().catch(() => untilState(one, 'failed')));
    for (let call = 0; call < 50; call += 1) {
      assert.equal(await textOf(other.callTool('echo', { text: `${call}` })), `${call}`);
    }
    await Promise.all(ended);
    assert.equal(other.state.kind, 'running');
  });

  test(`that wait to be tried again, ${some} of them, are stopped at once`, async () => {
    const waiting = Array.from({ length: some }, () =>
      bed.connection(faultyServer('legacy', ['--exit-on=*']), {
        backoff: { firstMs: 3_600_000, maxMs: 3_600_000, tries: 9, stableMs: 60_000 },
      }),
    );
    await Promise.all(waiting.map((one) => one.start().catch(() => {})));
    assert.ok(waiting.every((one) => one.state.kind === 'backingOff'));
    await endsInTime(() => Promise.all(waiting.map((one) => one.stop())));
  });
});
