import assert from 'node:assert/strict';
import { assertIsThere, placesIn, rowsOf } from '../support/namedPlaces.ts';

/** For a line about a requirement: number, revisions, text, outcome, code. */
const rows = rowsOf('protocol.md');
const requirements = rows.filter(([first = '']) => /^\d+$/.test(first));
const outcomes = ['done', 'SDK', 'in part', 'later', 'not applicable'];

suite('The document of the protocol', () => {
  test('has every line of the checklist once, in its order', () => {
    assert.deepEqual(
      requirements.map(([number]) => Number(number)),
      Array.from({ length: 207 }, (_, index) => index + 1),
    );
  });

  test('says the outcome of every line', () => {
    for (const [number, , , outcome = ''] of requirements) {
      assert.ok(outcomes.includes(outcome), `${number}: ${outcome}`);
    }
  });

  test('names a file for everything that is done', () => {
    for (const [number, , , outcome, code = ''] of requirements) {
      assert.ok(outcome !== 'done' || placesIn(code).length > 0, `line ${number} is done, and names no file`);
    }
  });

  for (const [first = '', ...others] of rows) {
    const places = others.flatMap(placesIn);
    if (places.length > 0) {
      test(`names what is there in '${first}'`, () => places.forEach(assertIsThere));
    }
  }
});
