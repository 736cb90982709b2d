import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../editor/paths.mjs';
import { layers, roomsOf } from '../../check/rooms.ts';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const text = read('docs/internals/architecture.md');
const sources = globSync('{src,test/unit,test/check}/**/*.ts', { cwd: root });
const code = [...sources, 'package.json', 'esbuild.js'].map(read).join('\n');

suite('The document of the architecture', () => {
  test('has the rooms in their order', () => {
    const rows = [...text.matchAll(/^\| `([\w/]+)` +\| \S/gm)].map(([, room = '']) => room);
    assert.deepEqual(rows, Object.values(layers).flatMap(roomsOf));
    const headings = [...text.matchAll(/^### `(\w+)\/`: (.+)$/gm)].map(([, layer, name]) => [layer, name]);
    const named = Object.entries(layers).flatMap(([layer, groups]) =>
      groups.map(({ name }) => [layer, `${name.slice(0, 1).toLowerCase()}${name.slice(1)}`]),
    );
    assert.deepEqual(headings, named);
    assert.ok(named.length <= 10, 'too many groups to keep in mind');
  });

  test('names only what is in the code', () => {
    const named = [...text.matchAll(/`([\w$][\w$./]*?)(?:\(\))?`/g)].map(([, name = '']) => name);
    const missing = named.filter(
      (name) => !(name.endsWith('.ts') ? isFile(name) : name.split(/[./]/).every(isWord)),
    );
    assert.ok(named.length > 150);
    assert.deepEqual([...new Set(missing)], []);
  });
});

function isFile(name: string): boolean {
  return sources.some((source) => `/${source.replaceAll('\\', '/')}`.endsWith(`/${name}`));
}

/** Whether a word is in the code as a whole. */
function isWord(word: string): boolean {
  return new RegExp(`(?<![\\w$])${word.replaceAll('$', String.raw`\$`)}(?![\\w$])`).test(code);
}
