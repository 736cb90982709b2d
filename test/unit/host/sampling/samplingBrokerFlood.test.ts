import assert from 'node:assert/strict';
import { samplingServer } from '../../support/definitions.ts';
import { SamplingBed } from '../../support/samplingBed.ts';
import { Turns } from '../../support/turns.ts';
import { perTest } from '../../support/perTest.ts';

const REQUESTS = 1_000;
/** Milliseconds in which they come; an even harder test than ten seconds. */
const WITHIN_MS = 2_000;

suite('A flood of requests for a model', () => {
  let bed: SamplingBed;
  perTest(() => (bed = new SamplingBed()));

  const server = samplingServer();

  for (const [policy, size] of [
    ['allow', 'short'],
    ['allow', 'long'],
    ['deny', 'short'],
  ] as const) {
    test(`of ${size} ones under '${policy}' reaches it as often as the limit says, and blocks nothing else`, async () => {
      await bed.hostBed.run(server);
      bed.settings.change({ policy });
      bed.record.add('scripted');
      const turns = new Turns();
      const args = {
        times: REQUESTS,
        ms: WITHIN_MS,
        prompt: size === 'short' ? 'Hi.' : 'A long text. '.repeat(1_000),
      };
      const counts = (await bed.ask(server, args, 'flood')) as unknown as Record<string, number>;
      turns.end('the flood');
      const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
      assert.equal(total, REQUESTS, 'each is answered');
      assert.equal(bed.models.heard.length, policy === 'allow' ? 10 : 0);
      assert.equal(bed.booked.length, 10, 'the flood is not there yet');
      assert.deepEqual(bed.waiting, []);
      await bed.clock.tick(60_000);
      assert.equal(bed.booked.length, 11);
      assert.equal(bed.log.filter((line) => line.startsWith('warn')).length, 1);
    });
  }
});
