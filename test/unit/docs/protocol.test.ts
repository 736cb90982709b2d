import assert from 'node:assert/strict';
import { assertIsThere, placesIn, rowsOf } from '../support/namedPlaces.ts';

/** For a line about a requirement: number, revisions, text, where. */
const rows = rowsOf('protocol.md');
const requirements = rows.filter(([first = '']) => /^\d+$/.test(first));

suite('The document of the protocol', () => {
  test('has every line of the checklist once, in its order', () => {
    assert.deepEqual(
      requirements.map(([number]) => Number(number)),
      Array.from({ length: 207 }, (_, index) => index + 1),
    );
  });

  test('says of every line in which state it is, or names a file', () => {
    for (const [number, , , where = ''] of requirements) {
      const hasState = /^(?:SDK|in part|later|not applicable)(?:$|[:;])/.test(where);
      assert.ok(hasState || placesIn(where).length > 0, `${number}: ${where}`);
    }
  });

  for (const [first = '', ...others] of rows) {
    const places = others.flatMap(placesIn);
    if (places.length > 0) {
      test(`names what is there in '${first}'`, () => places.forEach(assertIsThere));
    }
  }
});
