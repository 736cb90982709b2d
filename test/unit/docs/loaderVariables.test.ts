import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { loaderVariables } from '../../../src/host/launch/loaderTable.ts';

const text = readFileSync(new URL('../../../docs/loader-variables.md', import.meta.url), 'utf8');
const rows = text
  .split('\n')
  .filter((line) => /^\| (?!read by|---)/.test(line))
  .map((line) => line.slice(2, -2).split(' | '));

suite('The document of variables that decide which code runs', () => {
  test('has a row for each row of the code, in its order', () => {
    assert.deepEqual(
      rows.map(([of]) => of),
      loaderVariables.map(({ of }) => of),
    );
  });

  for (const { of, decides, names } of loaderVariables) {
    test(`says the same as the code of ${of}`, () => {
      const [, variables = '', said, why = ''] = rows.find(([first]) => first === of) ?? [];
      const [those = '', butNot = ''] = variables.split(', but not ');
      assert.deepEqual([...namesIn(those), ...namesIn(butNot).map((name) => `!${name}`)], names);
      assert.equal(said, decides);
      assert.ok(why.length > 10, 'says why');
    });
  }

  test('has no name twice', () => {
    const all = loaderVariables.flatMap(({ names }) => names);
    assert.deepEqual(
      all.filter((name, index) => all.indexOf(name) < index),
      [],
    );
  });
});

function namesIn(cell: string): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}
