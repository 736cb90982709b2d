import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { RunningState } from '../../src/host/state/connectionState.ts';
import { ConnectionBed } from '../unit/support/connectionBed.ts';
import { rawServer } from '../unit/support/definitions.ts';
import { floodWith } from '../unit/support/malformedFlood.ts';
import { perTest } from '../unit/support/perTest.ts';

const count = 200_000;
const boundMs = 20 * 60_000;

suite('A server that writes nothing but nonsense', function () {
  this.timeout(boundMs);
  let bed: ConnectionBed;

  perTest(() => (bed = new ConnectionBed()));

  test('gets every answer through in between, from the same process and in bounded memory', async () => {
    const seed = Date.now() % 1_000_000_000;
    console.log(`      seed ${seed}`);
    const connection = bed.connection(rawServer());
    await connection.start();
    const { pid } = connection.state as RunningState;
    await floodWith(connection, count / 10, seed);
    const before = heapInUse(bed);
    await floodWith(connection, count, seed + count);
    const grown = heapInUse(bed) - before;
    assert.equal((connection.state as RunningState).pid, pid);
    console.log(`      ${count} lines; the heap has grown by ${Math.round(grown / 1e6)} MB.`);
    assert.ok(grown < 50e6);
  });
});

/** Bytes of the heap that something holds, the bed's log apart. */
function heapInUse(bed: ConnectionBed): number {
  bed.logger.lines.length = 0;
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}
