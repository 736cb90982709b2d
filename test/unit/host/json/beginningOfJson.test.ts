import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { beginningOfJson } from '../../../../src/host/json/beginningOfJson.ts';

suite('The beginning of JSON', () => {
  const texts = fc.string({ unit: 'binary', maxLength: 10 });

  test('is what JSON.stringify prints first', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), fc.nat(60), (value, most) => {
        assert.equal(beginningOfJson(value, most), JSON.stringify(value).slice(0, most));
      }),
    );
    fc.assert(
      fc.property(texts, fc.nat(12), (text, most) => {
        const whole = JSON.stringify({ text, more: [text] });
        assert.equal(beginningOfJson({ text, more: [text] }, most), whole.slice(0, most));
      }),
    );
  });

  test('leaves out what JSON leaves out', () => {
    const value = { a: undefined, b: { toJSON: () => undefined }, c: [undefined, { toJSON: () => 1 }], d: 2 };
    assert.equal(beginningOfJson(value, 100), JSON.stringify(value));
  });

  test('looks at nothing that comes after it', () => {
    const value = {
      text: 'x'.repeat(100),
      get more(): string {
        throw new Error('It was read.');
      },
    };
    assert.equal(beginningOfJson(value, 20), '{"text":"xxxxxxxxxxx');
    assert.equal(beginningOfJson([['y'.repeat(100), value], value], 4), '[["y');
  });
});
