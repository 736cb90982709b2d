import assert from 'node:assert/strict';
import { FaultBed, faultyServer, kill, pidOf, soon, untilRunsAgain } from '../../../support/faultBed.ts';
import { launchOf } from '../../../support/launches.ts';
import { textOf } from '../../../support/connectionBed.ts';
import { untilSeen } from '../../../support/until.ts';
import { perTest } from '../../../support/perTest.ts';

const waitingRead = 'resources/read test:///wait';

suite('A server that is killed in the middle of its work', () => {
  let bed: FaultBed;
  perTest(async () => (bed = await FaultBed.open()));

  for (const era of ['legacy', 'modern'] as const) {
    test(`loses the calls under way at once, and comes back (${era})`, async () => {
      const connection = await bed.started(faultyServer(era), soon);
      const before = pidOf(connection);
      const lost = Promise.all(
        Array.from({ length: 20 }, (_, call) =>
          assert.rejects(connection.callTool('wait', { text: `call ${call}` }), {
            name: 'HostError',
            code: 'lost',
            message: /^the connection (ended|broke) before the server answered/,
          }),
        ),
      );
      await untilSeen(() => bed.received.times('tools/call wait call 19') === 1, 'the server has the calls');
      await kill(before);
      await lost;
      await untilRunsAgain(connection, before);
      assert.equal(await textOf(connection.callTool('echo', { text: 'again' })), 'again');
      for (let call = 0; call < 20; call += 1) {
        assert.equal(bed.received.times(`tools/call wait call ${call}`), 1, 'no call is repeated');
      }
      const how = process.platform === 'win32' ? 'it exited with code 1' : 'it was ended by SIGKILL';
      assert.ok(bed.logger.has(`error: Failed: ${how}`));
    });

    test(`automatically gets a pending read once more (${era})`, async () => {
      const connection = await bed.started(faultyServer(era), soon);
      const lost = assert.rejects(connection.readResource('test:///wait'), { code: 'lost' });
      await untilSeen(() => bed.received.times(waitingRead) === 1, 'the server has the read');
      await kill(pidOf(connection));
      await untilSeen(() => bed.received.times(waitingRead) === 2, 'it is read again');
      const again = pidOf(connection);
      await kill(again);
      await lost;
      await untilRunsAgain(connection, again);
      assert.equal(bed.received.times(waitingRead), 2, 'and not more often');
    });

    test(`and no longer starts is given up, with the pending reads (${era})`, async () => {
      const exits = faultyServer(era);
      const exiting = { ...exits, args: [...exits.args, '--exit-on=*'] };
      let starts = 0;
      const connection = bed.connection(exits, {
        backoff: { ...soon, tries: 3 },
        // What is launched from the second time on exits whatever it is asked.
        resolve: () => launchOf(bed.recorded(starts++ > 0 ? exiting : exits), { env: process.env }),
      });
      await connection.start();
      const failed = assert.rejects(connection.readResource('test:///wait'), { code: 'exited' });
      await untilSeen(() => bed.received.times(waitingRead) === 1, 'the server has the read');
      await kill(pidOf(connection));
      await failed;
      assert.equal(connection.state.kind, 'failed');
      assert.equal(starts, 4);
      assert.equal(bed.received.times(waitingRead), 1);
    });
  }
});
