import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../editor/paths.mjs';
import { anchorsOf } from '../support/anchors.ts';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const packaged = [...read('.vscodeignore').matchAll(/^!docs\/(.+)\.md$/gm)].map(([, name = '']) => name);
const words = JSON.parse(read('package.nls.json')) as Readonly<Record<string, string>>;

suite('The documents in the package', () => {
  test('are those that "Open Documentation…" offers', () => {
    const [, topics = ''] =
      /^const topics\b[^{]*\{([^}]+)\}/m.exec(read('src/editor/documents/openDocumentation.ts')) ?? [];
    const offered = [...topics.matchAll(/^\s*'?([\w-]+)'?: /gm)].map(([, name = '']) => name);
    assert.ok(offered.length > 5);
    assert.deepEqual(offered.toSorted(), [...packaged, 'overview'].toSorted());
  });

  for (const name of packaged) {
    test(`lead from ${name} to nothing outside the package`, () => {
      const links = [...read(`docs/${name}.md`).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
      for (const link of links) {
        const [file = ''] = link.split('#');
        const isPackaged =
          packaged.includes(file.replace(/\.md$/, '')) || /^images\/[\w-]+\.webp$/.test(file);
        assert.ok(file === '' || (isPackaged && existsSync(join(root, 'docs', file))), link);
      }
    });
  }

  test('are there wherever the manifest links to one', () => {
    const linked = Object.values(words).flatMap((text) =>
      [...text.matchAll(/command:mcpHost\.openDocumentation\?([^)]*)\)/g)].map(
        ([, given = '']) => JSON.parse(decodeURIComponent(given)) as string,
      ),
    );
    assert.ok(linked.length > 5);
    const topics = linked.map((link) => link.split('#'));
    assert.deepEqual(
      topics.filter(([name = '']) => !packaged.includes(name)),
      [],
    );
    assert.deepEqual(
      topics.filter(
        ([name = '', heading]) => heading && !anchorsOf(join(root, `docs/${name}.md`)).has(heading),
      ),
      [],
    );
  });
});

test('Every label that a document for users names is in the product', () => {
  const product = [
    ...Object.values(words),
    ...globSync('src/**/*.ts', { cwd: root }).map(read),
    'Extensions: Install from VSIX…',
  ].join('\n');
  const named = ['README.md', ...packaged.map((name) => `docs/${name}.md`)].flatMap((file) => {
    const text = read(file).replaceAll(/```[^]*?```|`[^`]*`/g, '');
    return [...text.matchAll(/(?<![\w*])_([A-Z][^_]+)_(?!\w)/g)].map(([, label = '']) =>
      label.replaceAll(/\s+/g, ' ').replace(/^MCP Host: /, ''),
    );
  });
  assert.ok(named.length > 50);
  assert.deepEqual(
    named.filter((label) => !product.includes(label)),
    [],
  );
});

test('Every text of the manifest has a key, and every key a text that is used', () => {
  const used = [...read('package.json').matchAll(/"%([\w.]+)%"/g)].map(([, key = '']) => key);
  assert.deepEqual([...new Set(used)].toSorted(), Object.keys(words).toSorted());
});
