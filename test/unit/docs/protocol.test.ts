import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const lines = readFileSync(`${root}docs/protocol.md`, 'utf8').split('\n');
const files = globSync('{src,test}/**/*.{ts,mjs}', {
  cwd: root,
  exclude: (path) => path.endsWith('node_modules'),
}).map((path) => path.replaceAll('\\', '/'));

/** The cells of each line of a table: for one about a requirement, number, revisions, text, outcome, code, tests. */
const rows = lines
  .filter((line) => line.startsWith('| ') && !line.startsWith('| ---'))
  .map((line) => line.slice(2, -2).split(' | '));
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

/** A file, and what should stand in it. */
interface Place {
  readonly file: string;
  readonly words: readonly string[];
}

/** The places that a cell names: `file.ts` with the symbols, and the words of tests, that follow it. */
function placesIn(cell: string): readonly Place[] {
  const places: { file: string; words: string[] }[] = [];
  for (const [, symbol, words] of cell.matchAll(/`([^`]+)`|"([^"]+)"/g)) {
    if (symbol !== undefined && /\.(ts|mjs)$/.test(symbol)) {
      places.push({ file: symbol, words: [] });
    } else {
      places.at(-1)?.words.push(symbol ?? words ?? '');
    }
  }
  return places;
}

function assertIsThere({ file, words }: Place): void {
  const found = files.filter((path) => path.endsWith(`/${file}`));
  assert.equal(found.length, 1, `${file} means ${found.length} files`);
  const content = readFileSync(`${root}${found[0]}`, 'utf8');
  words.forEach((one) => assert.ok(content.includes(one), `'${one}' does not stand in ${file}`));
}
