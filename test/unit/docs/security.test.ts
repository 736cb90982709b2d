import assert from 'node:assert/strict';
import { assertIsThere, placesIn, rowsOf } from '../support/namedPlaces.ts';

/** For a line about what must never happen: number, what, outcome, how, tests. */
const lines = rowsOf('security.md').filter(([first = '']) => /^\d+$/.test(first));
const outcomes = ['kept', 'in part', 'later'];

suite('The document of security', () => {
  test('has each line once, in order', () => {
    assert.deepEqual(
      lines.map(([number]) => Number(number)),
      Array.from({ length: 32 }, (_, index) => index + 1),
    );
  });

  test('says the outcome of each line, and how', () => {
    for (const [number, , outcome = '', how = ''] of lines) {
      assert.ok(outcomes.includes(outcome), `${number}: ${outcome}`);
      assert.ok(how.length > 20, `${number} does not say how`);
    }
  });

  for (const [number, , outcome, how = '', tests = ''] of lines) {
    test(`names what is there, and tests, in line ${number}`, () => {
      const named = placesIn(tests);
      assert.equal(named.length > 0, outcome !== 'later');
      assert.ok(named.every(({ file }) => /\.(test|page|journey)\.ts$/.test(file)));
      [...placesIn(how), ...named].forEach(assertIsThere);
    });
  }
});
