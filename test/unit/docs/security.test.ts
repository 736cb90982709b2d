import assert from 'node:assert/strict';
import { assertIsThere, placesIn, rowsOf } from '../support/namedPlaces.ts';

/** For a line about what must never happen: number, what, how, tests. */
const lines = rowsOf('security.md').filter(([first = '']) => /^\d+$/.test(first));

suite('The document of security', () => {
  test('has each line once, in order', () => {
    assert.deepEqual(
      lines.map(([number]) => Number(number)),
      Array.from({ length: 32 }, (_, index) => index + 1),
    );
  });

  for (const [number, , how = '', tests = ''] of lines) {
    test(`says how line ${number} is kept, and names what is there, and tests`, () => {
      const named = placesIn(tests);
      assert.ok(how.length > 20 && named.length > 0);
      assert.ok(named.every(({ file }) => /\.(test|page|journey)\.ts$/.test(file)));
      [...placesIn(how), ...named].forEach(assertIsThere);
    });
  }
});
