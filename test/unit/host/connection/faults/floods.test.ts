import { FaultBed } from '../../../support/faultBed.ts';
import { flood, floodingServers } from '../../../support/flood.ts';
import { perTest } from '../../../support/perTest.ts';

suite('A server that floods', () => {
  let bed: FaultBed;
  perTest(async () => (bed = await FaultBed.open()));

  for (const [kind, definition] of Object.entries(floodingServers)) {
    test(`with 10,000 notifications holds up neither another server nor itself (${kind})`, async () => {
      await flood(bed, await definition(bed), 1_667);
    });
  }
});
