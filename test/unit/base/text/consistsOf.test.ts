import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { consistsOf } from '../../../../src/base/text/consistsOf.ts';
import { runs } from '../../support/thoroughness.ts';

suite('A text with anything between its pieces', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 10 });
  const patterns = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 6 });

  test('matches as the regular expression does', () => {
    fc.assert(
      fc.property(texts, patterns, (text, pattern) => {
        const expected = new RegExp(`^${pattern.replaceAll('*', '.*')}$`, 's').test(text);
        assert.equal(consistsOf(text, pattern.split('*')), expected);
      }),
      { numRuns: runs(300) },
    );
  });

  for (const [pattern, text] of [
    ['a*a', 'a'],
    ['ab*ba', 'aba'],
    ['*a*a*', 'a'],
    ['', 'a'],
  ] as const) {
    test(`'${pattern}' does not match '${text}'`, () => assert.ok(!consistsOf(text, pattern.split('*'))));
  }
});
