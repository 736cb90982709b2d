import { FaultBed } from '../unit/support/faultBed.ts';
import { flood, floodingServers } from '../unit/support/flood.ts';
import { perTest } from '../unit/support/perTest.ts';

suite('A server that floods without end', function () {
  this.timeout(120_000);
  let bed: FaultBed;
  perTest(async () => (bed = await FaultBed.open()));

  for (const [kind, definition] of Object.entries(floodingServers)) {
    test(`with 200,000 notifications holds up no other (${kind})`, async () => {
      await flood(bed, await definition(bed), 33_334);
    });
  }
});
