import assert from 'node:assert/strict';
import type { RunningState } from '../../../../src/host/state/connectionState.ts';
import { HostError } from '../../../../src/host/errors/hostError.ts';
import { ConnectionBed } from '../../support/connectionBed.ts';
import { realServers } from '../../support/realServers/realServers.ts';
import { startServer } from '../../support/realServers/startServer.ts';
import { perTest } from '../../support/perTest.ts';

suite('A call to a published server that is killed fails without waiting for the timeout', () => {
  let bed: ConnectionBed;
  perTest(() => (bed = new ConnectionBed()));

  for (const { name, ways, slow } of realServers) {
    for (const way of ways) {
      test(`${name} over ${way.name}`, async () => {
        const started = await startServer(bed, way);
        const connection = bed.connection({ ...started.definition, timeout: 60_000 });
        await connection.start();
        const begun = Promise.withResolvers<void>();
        const options = { onProgress: () => begun.resolve() };
        const call = connection.callTool(slow.tool, { duration: 30, steps: 300 }, options);
        const failed = assert.rejects(call, (error) => {
          assert.ok(error instanceof HostError);
          assert.notEqual(error.code, 'timedOut');
          return true;
        });
        await begun.promise;
        started.kill((connection.state as RunningState).pid);
        await failed;
      });
    }
  }
});
