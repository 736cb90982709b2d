import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { FirstOf } from '../../../../src/base/values/firstOf.ts';

test('FirstOf keeps what a stable sort would have put first', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(9)), fc.nat(12), (keys, limit) => {
      const items = keys.map((key, place) => ({ key, place }));
      const byKey = (a: { readonly key: number }, b: { readonly key: number }): number => a.key - b.key;
      const first = new FirstOf(limit, byKey);
      items.forEach((item) => first.add(item));
      assert.deepEqual(first.items, items.toSorted(byKey).slice(0, limit));
    }),
  );
});
