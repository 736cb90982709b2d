import assert from 'node:assert/strict';
import { Coalesced } from '../../../../src/base/time/coalesced.ts';

suite('Coalesced work', () => {
  function worked() {
    const begun: string[] = [];
    const ends: PromiseWithResolvers<void>[] = [];
    const coalesced = new Coalesced<string>((key) => {
      begun.push(key);
      const end = Promise.withResolvers<void>();
      ends.push(end);
      return end.promise;
    });
    return { begun, ends, coalesced };
  }

  test('is done once more for all requests that come meanwhile', async () => {
    const { begun, ends, coalesced } = worked();
    const runs = [coalesced.run('a'), coalesced.run('a'), coalesced.run('a'), coalesced.run('b')];
    assert.deepEqual(begun, ['a', 'b']);
    ends[0]?.resolve();
    ends[1]?.resolve();
    await runs[3];
    assert.deepEqual(begun, ['a', 'b', 'a']);
    assert.equal(coalesced.running('a'), runs[0]);
    ends[2]?.resolve();
    await Promise.all(runs);
    assert.equal(coalesced.running('a'), undefined);
    assert.deepEqual(begun, ['a', 'b', 'a']);
  });

  for (const steps of [0, 1, 2, 3, 4, 5]) {
    test(`is done again for a request ${steps} steps after its end`, async () => {
      const { begun, ends, coalesced } = worked();
      void coalesced.run('a');
      ends[0]?.resolve();
      for (let step = 0; step < steps; step++) {
        await Promise.resolve();
      }
      const asked = coalesced.run('a');
      await new Promise(setImmediate);
      ends[1]?.resolve();
      await asked;
      assert.deepEqual(begun, ['a', 'a']);
    });
  }

  test('is done again after it failed', async () => {
    const { begun, ends, coalesced } = worked();
    const run = coalesced.run('a');
    ends[0]?.reject(new Error('no'));
    await assert.rejects(run, /no/);
    void coalesced.run('a');
    assert.deepEqual(begun, ['a', 'a']);
  });
});
