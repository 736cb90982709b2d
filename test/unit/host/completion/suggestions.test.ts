import assert from 'node:assert/strict';
import { isRecord } from '../../../../src/base/values/record.ts';
import { fitToSuggest } from '../../../../src/host/completion/suggestions.ts';

suite('fitToSuggest', () => {
  const numbers = (count: number): readonly string[] => Array.from({ length: count }, (_, n) => String(n));

  for (const [what, completion, values, hasMore] of [
    ['the values as they are', { values: ['b', ' a\n'] }, ['b', ' a\n'], false],
    ['what the server says of others', { values: ['a'], hasMore: true }, ['a'], true],
    ['others from the total', { values: ['a'], total: 3 }, ['a'], true],
    ['no more than 100', { values: numbers(101) }, numbers(100), true],
    ['nothing twice', { values: ['a', 'a'], total: 2 }, ['a'], false],
    ['no empty value', { values: ['', 'a'] }, ['a'], false],
    ['nothing that is too long', { values: ['x'.repeat(2_001)] }, [], false],
    ['strings only', { values: [1, null, 'a', {}], total: 'many', hasMore: 'yes' }, ['a'], false],
    ['nothing of what is no list', { values: 'abc' }, [], false],
    ['nothing of nothing', undefined, [], false],
  ] as const) {
    test(`gives ${what}`, () => {
      const { total, ...suggestions } = fitToSuggest({ completion });
      assert.deepEqual(suggestions, { values, hasMore });
      assert.equal(
        total,
        isRecord(completion) && completion['total'] !== 'many' ? completion['total'] : undefined,
      );
    });
  }

  test('is empty for something that is not a result', () => {
    for (const result of [undefined, null, 'values', [], {}]) {
      assert.deepEqual(fitToSuggest(result), { values: [], hasMore: false });
    }
  });
});
