import assert from 'node:assert/strict';
import { assertIsThere, placesIn, rowsOf } from '../support/namedPlaces.ts';

/** For a line about a requirement: number, revisions, text, outcome, code, tests. */
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

  test('says of every line what became of it', () => {
    for (const [number, , , outcome = ''] of requirements) {
      assert.ok(outcomes.includes(outcome), `${number}: ${outcome}`);
    }
  });

  test('says of everything that is done where it is tried', () => {
    for (const [number, , , outcome, , tests = '—'] of requirements) {
      assert.ok(outcome !== 'done' || tests !== '—', `line ${number} is done, and not tried`);
    }
  });

  for (const [first = '', ...others] of rows) {
    const places = others.flatMap(placesIn);
    if (places.length > 0) {
      test(`names what is there in '${first}'`, () => places.forEach(assertIsThere));
    }
  }
});
