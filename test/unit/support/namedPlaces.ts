import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const files = globSync('{src,test}/**/*.{ts,mjs}', {
  cwd: root,
  exclude: (path) => path.endsWith('node_modules'),
}).map((path) => path.replaceAll('\\', '/'));

/** A file that a document names, and what should stand in it. */
export interface Place {
  readonly file: string;
  readonly words: readonly string[];
}

/** The cells of each line of the tables of a document in `docs/`. */
export function rowsOf(document: string): readonly (readonly string[])[] {
  return readFileSync(`${root}docs/${document}`, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| ---'))
    .map((line) => line.slice(2, -2).split(' | '));
}

/** The places that a cell names: `file.ts` with the symbols, and the words of tests, that follow it. */
export function placesIn(cell: string): readonly Place[] {
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

export function assertIsThere({ file, words }: Place): void {
  const content = contentOf(file);
  words.forEach((one) => assert.ok(content.includes(one), `'${one}' does not stand in ${file}`));
}

/** The words stand in names of tests or suites: what does that is on the line of its call, or the next one. */
export function assertIsTested({ file, words }: Place): void {
  const titles = [...contentOf(file).matchAll(/\b(?:test|suite)\(\s*(['"`].*)/g)].map(
    ([, title]) => title ?? '',
  );
  words.forEach((one) =>
    assert.ok(
      titles.some((title) => title.includes(one)),
      `no test in ${file} is called '${one}'`,
    ),
  );
}

function contentOf(file: string): string {
  const found = files.filter((path) => path.endsWith(`/${file}`));
  assert.equal(found.length, 1, `${file} means ${found.length} files`);
  return readFileSync(`${root}${found[0]}`, 'utf8');
}
