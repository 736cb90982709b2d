import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { canonicalJson, isNestedTooDeep } from '../../../../src/base/values/canonicalJson.ts';
import { sameJson } from '../../../../src/base/values/sameJson.ts';

function reversed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  return Array.isArray(value)
    ? value.map(reversed)
    : Object.fromEntries(
        Object.entries(value)
          .toReversed()
          .map(([name, field]) => [name, reversed(field)]),
      );
}

/** Few values and names, so that many are equal, or nearly so. */
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<unknown>(null, true, 0, -0, 1, '', '1', 'a'),
    fc.array(tie('json'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', '0', 'toString', '__proto__'), tie('json'), { maxKeys: 2 }),
  ),
}));

suite('JSON values', () => {
  test('are the same exactly when their canonical texts are', () => {
    const pair = fc.oneof(fc.tuple(json, json), fc.tuple(fc.jsonValue(), fc.jsonValue()));
    fc.assert(
      fc.property(pair, ([one, other]) => {
        assert.equal(sameJson(one, other), canonicalJson(one) === canonicalJson(other));
        assert.ok(sameJson(one, reversed(structuredClone(one))));
      }),
      { numRuns: 2_000 },
    );
  });

  test('are the same with a field that is undefined and without it', () => {
    assert.ok(sameJson({ a: 1, b: undefined }, { a: 1 }));
    assert.ok(sameJson({ a: 1 }, { b: undefined, a: 1 }));
    assert.ok(!sameJson({ a: undefined, b: 1 }, { a: 1, b: undefined }));
  });

  test('are not the same with a field of a name that every object inherits', () => {
    const own = JSON.parse('{"__proto__":{}}') as unknown;
    assert.ok(!sameJson(own, { a: {} }));
    assert.ok(!sameJson({ a: {} }, own));
    const inherited: unknown = Reflect.get({}, 'toString');
    assert.ok(!sameJson({ toString: inherited }, {}));
  });

  test('are nested too deeply exactly when they have no canonical text', () => {
    for (const wrap of [(one: unknown) => [one], (one: unknown) => ({ a: one })]) {
      let value: unknown = 1;
      for (let depth = 0; depth < 510; depth += 1) {
        value = wrap(value);
        const hasText = (): boolean => {
          try {
            return canonicalJson(value) !== '';
          } catch (error) {
            assert.ok(error instanceof RangeError);
            return false;
          }
        };
        assert.equal(isNestedTooDeep(value), !hasText());
      }
    }
  });
});
