import assert from 'node:assert/strict';
import { isBinaryName, languageFor } from '../../../../src/host/resources/mimeNames.ts';
import { areSameContents, contentsOf } from '../../../../src/host/resources/resourceContents.ts';
import { resourceFileName } from '../../../../src/host/resources/resourceFileName.ts';
import { resourceFileAt } from '../../../../src/host/resources/resourceFiles.ts';

const snapshotOf = (...contents: readonly Record<string, unknown>[]) => ({
  contents: contentsOf({ contents: contents as never }, 1_000),
  mtime: 1,
  readAt: 1,
  ttlMs: undefined,
});

suite('The entry at the path of a resource', () => {
  const a = { uri: 'x://h/a.md', text: 'A' };
  const b = { uri: 'x://h/b', mimeType: 'application/json', text: '{}' };

  test('is a file for one content', () => {
    const file = resourceFileAt({ uri: 'x://h' }, 'h', snapshotOf(b));
    assert.deepEqual(file.kind === 'file' && [Buffer.from(file.bytes).toString(), file.mimeType], [
      '{}',
      b.mimeType,
    ]);
  });

  test('is an empty file for none', () => {
    const file = resourceFileAt({ uri: 'x://h' }, 'h', snapshotOf());
    assert.deepEqual(file.kind === 'file' && file.bytes.length, 0);
  });

  test('is a folder for several', () => {
    assert.deepEqual(resourceFileAt({ uri: 'x://h' }, 'h', snapshotOf(a, b)), {
      kind: 'folder',
      names: ['1 a.md', '2 b.json'],
    });
  });

  test('is one of several by its number and its name', () => {
    const snapshot = snapshotOf(a, b);
    const kind = (content: number, name: string) =>
      resourceFileAt({ uri: 'x', content }, name, snapshot).kind;
    assert.equal(kind(1, '2 b.json'), 'file');
    assert.equal(kind(1, '2 a.md'), 'gone');
    assert.equal(kind(2, '3 c.md'), 'gone');
    assert.equal(resourceFileAt({ uri: 'x', content: 0 }, '1 a.md', snapshotOf(a)).kind, 'gone');
  });

  test('is no picture when it is a text', () => {
    const file = resourceFileAt({ uri: 'x' }, 'x', snapshotOf({ ...a, mimeType: 'image/png' }));
    assert.equal(file.kind === 'file' && file.mimeType, 'text/plain');
  });
});

suite('The contents of a resource', () => {
  test('are the same only with the same names, types and bytes', () => {
    const one = { uri: 'x', mimeType: 'a/b', text: 'A' };
    const contents = (...all: readonly Record<string, unknown>[]) => snapshotOf(...all).contents;
    assert.ok(areSameContents(contents(one), contents(one)));
    for (const other of [
      [],
      [one, one],
      [{ ...one, uri: 'y' }],
      [{ ...one, mimeType: 'a/c' }],
      [{ ...one, text: 'B' }],
    ]) {
      assert.ok(!areSameContents(contents(one), contents(...other)));
    }
  });

  test('are limited together', () => {
    const half = { uri: 'x', blob: Buffer.alloc(600).toString('base64') };
    assert.equal(snapshotOf(half).contents.length, 1);
    assert.throws(() => snapshotOf(half, half), /larger than/);
  });
});

suite('A MIME type', () => {
  for (const [type, language] of [
    ['application/json', 'json'],
    ['Application/VND.a+JSON; charset=utf-8', 'json'],
    ['image/svg+xml', 'xml'],
    ['text/x-python', 'python'],
    ['image/png', undefined],
    ['', undefined],
    ['+json', 'json'],
  ] as const) {
    test(`of '${type}' has the language ${language}`, () => {
      assert.equal(languageFor(type), language);
    });
  }

  test('is distinguished from text by the name, too', () => {
    assert.deepEqual(['a.PNG', 'a.pdf', 'a.md', 'png', 'a.svg', 'a.b/c'].map(isBinaryName), [
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});

suite('The file name of a resource', () => {
  for (const [uri, name] of [
    ['notes://aux.txt', '_aux.txt.md'],
    ['notes://host/aux.txt', '_aux.txt'],
    ['notes://host/NUL', '_NUL.md'],
    ['notes://host/console', 'console.md'],
  ] as const) {
    test(`is one that Windows can have, too: ${uri}`, () =>
      assert.equal(resourceFileName(uri, 'text/markdown'), name));
  }
});
