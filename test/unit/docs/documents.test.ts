import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../../editor/paths.mjs';
import { anchorsOf } from '../support/anchors.ts';

const files = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...globSync('docs/**/*.md', { cwd: root })];

test('Every command that a document names is in the palette', () => {
  const words = JSON.parse(readFileSync(join(root, 'package.nls.json'), 'utf8')) as Record<string, string>;
  const { commandPalette } = (
    JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      readonly contributes: {
        readonly menus: { readonly commandPalette: readonly Record<'command' | 'when', string>[] };
      };
    }
  ).contributes.menus;
  const hidden = commandPalette.flatMap(({ command, when }) =>
    when === 'false' ? command.replace('mcpHost.', 'commands.') : [],
  );
  const titles = Object.entries(words).flatMap(([key, title]) =>
    key.startsWith('commands.') && !hidden.includes(key) ? title : [],
  );
  const named = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/_MCP\s+Host:\s+([^_]+)_/g)].map(
      ([, title = '']) => ({
        file,
        title: title.replaceAll(/\s+/g, ' '),
      }),
    ),
  );
  assert.ok(named.length > 10);
  assert.deepEqual(
    named.filter(({ title }) => !titles.includes(title)),
    [],
  );
});

test('Every link of a document leads to a file, and to a heading in it', () => {
  const dead = files.flatMap((file) =>
    [
      ...readFileSync(join(root, file), 'utf8').matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g),
    ].flatMap(([, place = '', heading]) => {
      const target = place === '' ? join(root, file) : join(root, dirname(file), place);
      const isThere = existsSync(target) && (heading === undefined || anchorsOf(target).has(heading));
      return isThere ? [] : [`${file}: ${place}#${heading ?? ''}`];
    }),
  );
  assert.deepEqual(dead, []);
});
