import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { LanguageModel } from '../../../../../src/host/sampling/request/languageModels.ts';
import { chosenPatterns, modelsMatching } from '../../../../../src/host/sampling/request/modelChoice.ts';

const modelOf = (vendor: string, id: string, family: string): LanguageModel => ({
  id,
  vendor,
  name: `${vendor} ${id}`,
  family,
  version: '1',
  maxInputTokens: 1_000,
});
const small = modelOf('acme', 'small', 'a');
const large = modelOf('acme', 'large', 'a');
const other = modelOf('other', 'large-2', 'b');
const there = [small, large, other];

suite('The models that you checked', () => {
  const cases: readonly [what: string, before: string[], ticked: LanguageModel[], after: string[]][] = [
    ['all, where all were allowed, stay all, later ones as well', [], there, []],
    ['some, where all were allowed, are named', [], [other, small], ['other/large-2', 'acme/small']],
    ['what was allowed stays as it is written', ['large-2', 'A*'], there, ['large-2', 'A*']],
    ['one more comes last', ['other/*'], [small, other], ['other/*', 'acme/small']],
    [
      'one less takes the place of the pattern that meant it, too',
      ['large-2', 'a'],
      [small, other],
      ['large-2', 'acme/small'],
    ],
    ['nothing that a pattern meant takes it away', ['a', 'large-2'], [other], ['large-2']],
    ['a model that is not there now is still allowed', ['gone', 'a'], [small, large], ['gone', 'a']],
    ['a model is named once', ['acme/small', 'a'], [small], ['acme/small']],
    [
      'all, where only some were allowed, are named',
      ['small'],
      there,
      ['small', 'acme/large', 'other/large-2'],
    ],
  ];
  for (const [what, before, ticked, after] of cases) {
    test(what, () => {
      assert.deepEqual(chosenPatterns(before, there, ticked), after);
    });
  }

  test('are those that are allowed then, and no others', () => {
    const patterns = fc.array(
      fc.constantFrom('small', 'a', 'b', 'gone', '*', 'acme/*', 'large*', 'other large-2'),
    );
    const ticked = fc.subarray(there, { minLength: 1 });
    fc.assert(
      fc.property(patterns, ticked, (before, chosen) => {
        const after = modelsMatching(there, chosenPatterns(before, there, chosen));
        assert.deepEqual(new Set(after), new Set(chosen));
      }),
    );
  });

  test('are distinguished by vendor if ids are equal', () => {
    const twin = { ...modelOf('twin', 'small', 'c'), id: 'twin/small' };
    const patterns = chosenPatterns([], [small, twin], [twin]);
    assert.deepEqual(modelsMatching([small, twin], patterns), [twin]);
  });
});
