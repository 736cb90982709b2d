import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../editor/paths.mjs';
import { contributedSettings } from '../support/contributedSettings.ts';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const documents = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...globSync('docs/*.md', { cwd: root })];

/** See "Don't write" in `docs/words.md`. */
const dontWrite =
  /\b(?:anew|shall|heeds?|heeded|mend(?:s|ed)?|in vain|whereupon|by itself|of its own accord|what is none|the person|no more (?!than|tokens)|any more|but for|is to be|are to be|stands? in|comes? upon)\b/i;

suite('Words that we do not write are in no', () => {
  for (const file of documents.filter((name) => !name.endsWith('words.md'))) {
    test(file, () => {
      // Names of tests and symbols are quoted as they are.
      const text = read(file).replaceAll(/`[^`]*`|"[^"\n]*"/g, '');
      assert.equal(dontWrite.exec(text)?.[0], undefined);
    });
  }

  test('text of the manifest', () => {
    assert.equal(dontWrite.exec(read('package.nls.json'))?.[0], undefined);
  });
});

suite('The document of the configuration', () => {
  const rows = new Map(
    [...read('docs/configuration.md').matchAll(/^\| (`mcpHost\.[^|]+?) *\| ([^|]+?) *\|/gm)].flatMap(
      ([, names = '', value = '']) =>
        [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']): [string, string] => [name, value]),
    ),
  );

  for (const [name, setting] of Object.entries(
    contributedSettings<{ readonly default: string | number | boolean | object }>(),
  )) {
    test(`has ${name} with its default`, () => {
      const { default: value } = setting;
      const wanted = typeof value === 'object' ? /^(?:none|all)$/ : new RegExp(`^\`${value}\`$`);
      assert.match(rows.get(name) ?? 'no row', wanted);
    });
  }
});
