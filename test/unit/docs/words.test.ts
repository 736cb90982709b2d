import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../editor/paths.mjs';
import { contributedSettings } from '../support/contributedSettings.ts';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...globSync('docs/**/*.md', { cwd: root }),
];

/** See "Don't write" in `docs/internals/words.md`. */
const dontWrite =
  /\b(?:anew|shall|heeds?|heeded|mend(?:s|ed)?|in vain|whereupon|by itself|of its own accord|what is none|the person|anybody|such an?|no more (?!than|tokens)|any more|but for|is to be|are to be|stands? in|comes? upon|(?:are|be|been|is|was|were)(?:n't| not)? (?:said|told))\b/i;

/** What a server in chat, and a tool that is on, was called before: people read one name for one thing. */
const otherNames = /\b(?:(?:un)?expos(?:e|es|ed|ing)|available to chat|withdr(?:aw|aws|awn|awing|ew))\b/i;

suite('Other names for what is in chat or on are in no', () => {
  for (const file of documents.filter((name) => !name.endsWith('words.md'))) {
    test(file, () => {
      assert.equal(otherNames.exec(read(file).replaceAll(/`[^`]*`/g, ''))?.[0], undefined);
    });
  }

  test('text of the manifest', () => {
    assert.equal(otherNames.exec(read('package.nls.json'))?.[0], undefined);
  });

  test('text of the source', () => {
    // A text has several words; identifiers, and the names of what is stored, have one.
    const inText = new RegExp(`['"\`](?=[^'"\`]* )[^'"\`]*?${otherNames.source}`, 'i');
    const isRead = /^(?!\s*(?:\*|\/[/*]))/;
    assert.deepEqual(badLines('src/**/*.ts', isRead, inText), []);
  });
});

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

  test('comment or text of the source', () => {
    assert.deepEqual(badLines('src/**/*.{ts,css}', /^/), []);
  });

  test('title of a test', () => {
    const tiers = '{bench,host,journey,page,soak,unit,windows}';
    assert.deepEqual(badLines(`test/${tiers}/**/*.ts`, /^\s*(?:suite|test)\(/), []);
  });
});

/** The lines like `pattern` that have these words, with their places. */
function badLines(places: string, pattern: RegExp, words = dontWrite): readonly string[] {
  const files = globSync(places, { cwd: root });
  assert.ok(files.length > 400);
  return files.flatMap((file) =>
    read(file)
      .split('\n')
      .filter((line) => pattern.test(line) && words.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
}

suite('The document of the configuration', () => {
  const rows = new Map(
    [...read('docs/servers.md').matchAll(/^\| (`mcpHost\.[^|]+?) *\| ([^|]+?) *\|/gm)].flatMap(
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
