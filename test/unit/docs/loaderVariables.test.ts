import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { loaderVariables } from '../../../src/host/launch/loaderTable.ts';

const text = readFileSync(new URL('../../../docs/internals/loader-variables.md', import.meta.url), 'utf8');
/** What the variables of a section decide, and its rows. */
const sections = text
  .split(/^## /m)
  .slice(1)
  .map((section) => {
    const [title = '', ...lines] = section.split('\n');
    const rows = lines
      .filter((line) => /^\| (?!read by|---)/.test(line))
      .map((line) => line.slice(2, -2).split(' | '));
    return { decides: `${title.slice(0, 1).toLowerCase()}${title.slice(1)}`, rows };
  });

suite('The document of variables that decide which code runs', () => {
  test('has a section for whatever they decide, with a row for each row of the code, in its order', () => {
    const byDecision = Map.groupBy(loaderVariables, ({ decides }) => decides);
    assert.deepEqual(
      sections.map(({ decides, rows }) => [decides, rows.map(([of]) => of)]),
      [...byDecision].map(([decides, group]) => [decides, group.map(({ of }) => of)]),
    );
  });

  for (const { of, names } of loaderVariables) {
    test(`says the same as the code of ${of}`, () => {
      const rows = sections.flatMap((section) => section.rows);
      const [, variables = '', why = ''] = rows.find(([first]) => first === of) ?? [];
      const [those = '', butNot = ''] = variables.split(', but not ');
      assert.deepEqual([...namesIn(those), ...namesIn(butNot).map((name) => `!${name}`)], names);
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
