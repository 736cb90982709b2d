import assert from 'node:assert/strict';
import { Ration } from '../../../../src/base/time/ration.ts';
import { FakeClock } from '../../support/fakeClock.ts';

suite('A ration', () => {
  test('allows some in an interval, and reports how many it left out', async () => {
    const clock = new FakeClock();
    const sums: number[] = [];
    const ration = new Ration({ most: 3, stretchMs: 1_000 }, (count) => sums.push(count), clock.after);
    const taken = (times: number): number =>
      Array.from({ length: times }, () => ration.take()).filter(Boolean).length;
    assert.equal(taken(10), 3);
    assert.deepEqual(sums, []);
    await clock.tick(1_000);
    assert.deepEqual(sums, [7]);
    assert.equal(taken(3), 3);
    await clock.tick(1_000);
    assert.deepEqual(sums, [7], 'nothing to tell of those that all came through');
    assert.equal(clock.pending, 0);
    assert.equal(taken(5), 3);
    ration.dispose();
    assert.deepEqual(sums, [7, 2], 'the rest is reported at the end');
    assert.equal(taken(1), 0);
    assert.equal(clock.pending, 0);
  });
});
