import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const files = globSync('{src,test}/**/*.{ts,mjs}', {
  cwd: root,
  exclude: (path) => path.endsWith('node_modules'),
}).map((path) => path.replaceAll('\\', '/'));

/** A file that a document names, and the symbols in it. */
export interface Place {
  readonly file: string;
  readonly symbols: readonly string[];
}

/** The cells of each line of the tables of a document in `docs/internals/`. */
export function rowsOf(document: string): readonly (readonly string[])[] {
  return readFileSync(`${root}docs/internals/${document}`, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| ---'))
    .map((line) => line.slice(2, -2).split(' | '));
}

/** The places that a cell names: `file.ts` with the symbols that follow it. */
export function placesIn(cell: string): readonly Place[] {
  const places: { file: string; symbols: string[] }[] = [];
  for (const [, name = ''] of cell.matchAll(/`([^`]+)`/g)) {
    if (/\.(ts|mjs)$/.test(name)) {
      places.push({ file: name, symbols: [] });
    } else {
      places.at(-1)?.symbols.push(name);
    }
  }
  return places;
}

/** The file is there, with its symbols; without any, with one that has the name of the file. */
export function assertIsThere({ file, symbols }: Place): void {
  const content = contentOf(file);
  symbols.forEach((one) => assert.ok(content.includes(one), `'${one}' is not in ${file}`));
  if (symbols.length === 0 && !/\.(test|page|journey)\.ts$/.test(file)) {
    const name = basename(file).replace(/\.\w+$/, '');
    assert.ok(content.toLowerCase().includes(name.toLowerCase()), `'${name}' is not in ${file}`);
  }
}

function contentOf(file: string): string {
  const found = files.filter((path) => path.endsWith(`/${file}`));
  assert.equal(found.length, 1, `${file} means ${found.length} files`);
  return readFileSync(`${root}${found[0]}`, 'utf8');
}
