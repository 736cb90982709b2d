import assert from 'node:assert/strict';
import { endsInTime, FaultBed, faultyServer, startAll } from '../../../support/faultBed.ts';
import { HostBed } from '../../../support/hostBed.ts';
import { isAlive, untilSeen } from '../../../support/until.ts';
import { perTest } from '../../../support/perTest.ts';

suite('Servers that ignore both the end of their input and SIGTERM', () => {
  let bed: FaultBed;
  perTest(async () => (bed = await FaultBed.open()));

  const stubborn = ['--stubborn', '--child'];

  test('are gone with their host within the time that the editor grants, 20 of them, with their children', async function () {
    const hostBed = bed.endLater(new HostBed());
    const definitions = Array.from({ length: 20 }, (_, index) =>
      faultyServer(index % 2 === 0 ? 'legacy' : 'modern', stubborn, {
        name: `server ${index}`,
        timeout: 60_000,
      }),
    );
    const connections = await startAll(hostBed, definitions);
    const calls = connections.map((one) => assert.rejects(one.callTool('wait', {}), { code: 'notRunning' }));
    const { pids } = hostBed.bed;
    assert.equal(pids.filter(isAlive).length, 40);
    await endsInTime(() => hostBed.host.close());
    assert.deepEqual(pids.filter(isAlive), []);
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
      await untilSeen(() => bed.received.times(asked) === 5, `all are asked for ${asked}`);
      assert.equal(bed.pids.filter(isAlive).length, 10);
      await endsInTime(() => Promise.all(connections.map((one) => one.stop())));
      await Promise.all(starts);
      assert.deepEqual(bed.pids.filter(isAlive), []);
    });
  }
});
