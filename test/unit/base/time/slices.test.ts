import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { Slices, sortedInSlices } from '../../../../src/base/time/slices.ts';

const byKey = (a: { readonly key: number }, b: { readonly key: number }): number => a.key - b.key;

suite('sortedInSlices', () => {
  test('sorts as toSorted does, and keeps the order of equal items', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(50), { maxLength: 3_000, size: 'max' }), async (keys) => {
        const items = keys.map((key, place) => ({ key, place }));
        assert.deepEqual(await sortedInSlices(items, byKey, new Slices()), items.toSorted(byKey));
      }),
      { numRuns: 30 },
    );
  });

  test('lets the process handle other events', async () => {
    let turns = 0;
    const count = setInterval(() => (turns += 1));
    try {
      const items = Array.from({ length: 4_000 }, (_, index) => ({ key: (index * 7_919) % 4_000 }));
      const slow = (a: { key: number }, b: { key: number }): number => {
        for (const end = performance.now() + 0.002; performance.now() < end;) {
          // A comparison that takes its time.
        }
        return byKey(a, b);
      };
      await sortedInSlices(items, slow, new Slices());
      assert.ok(turns > 0);
    } finally {
      clearInterval(count);
    }
  });
});
