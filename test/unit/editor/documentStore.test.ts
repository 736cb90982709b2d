import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { DocumentStore, fileName } from '../../../src/editor/documents/documentStore.ts';

const bytes = (length: number): Uint8Array => new Uint8Array(length);

suite('DocumentStore', () => {
  test('gives each document a path and a time of its own', () => {
    const store = new DocumentStore({ documents: 10, bytes: 1_000 });
    const paths = [1, 2, 3].map((length) => store.add('files/read/14-03-22.txt', bytes(length)));
    assert.deepEqual(paths, [
      '/files/read/14-03-22.txt',
      '/files/read/14-03-22-2.txt',
      '/files/read/14-03-22-3.txt',
    ]);
    const times = paths.map((path) => store.get(path)?.mtime ?? 0);
    assert.deepEqual(new Set(times).size, 3);
    assert.deepEqual(
      times,
      [...times].sort((a, b) => a - b),
    );
  });

  test('drops the oldest closed documents first, and never the newest', () => {
    const store = new DocumentStore({ documents: 2, bytes: 1_000 });
    ['a.txt', 'b.txt', 'c.txt'].forEach((name) => store.add(name, bytes(1)));
    assert.deepEqual(
      store.trim((path) => path === '/a.txt'),
      ['/b.txt'],
    );
    store.add('d.txt', bytes(5_000));
    assert.deepEqual(
      store.trim(() => true),
      ['/a.txt', '/c.txt'],
    );
    assert.deepEqual(store.paths, ['/d.txt']);
  });

  test('replaces the bytes of a stored document, and gives it a later time', () => {
    const store = new DocumentStore({ documents: 10, bytes: 1_000 });
    const path = store.add('a.txt', bytes(1));
    const before = store.get(path)?.mtime ?? 0;
    assert.ok(store.replace(path, bytes(2)));
    assert.equal(store.get(path)?.bytes.length, 2);
    assert.ok((store.get(path)?.mtime ?? 0) > before);
    assert.equal(store.replace('/gone.txt', bytes(1)), false);
  });

  test('lists its folders', () => {
    const store = new DocumentStore({ documents: 10, bytes: 1_000 });
    store.add('files/read/a.txt', bytes(1));
    assert.deepEqual([...(store.list('/') ?? [])], [['files', 'folder']]);
    assert.deepEqual([...(store.list('/files/read') ?? [])], [['a.txt', 'file']]);
    assert.equal(store.list('/fil'), undefined);
  });
});

suite('fileName', () => {
  for (const [text, name] of [
    ['git (api)', 'git (api)'],
    ['../../etc/passwd', '.._.._etc_passwd'],
    ['..', '_'],
    ['', '_'],
    ['a\u202Eb\0', 'a_b_'],
    ['größe.txt', 'größe.txt'],
    ['aux.json', '_aux.json'],
    ['COM1', '_COM1'],
    ['console.txt', 'console.txt'],
    ['the end. ', 'the end'],
  ] as const) {
    test(`makes ${JSON.stringify(name)} of ${JSON.stringify(text)}`, () =>
      assert.equal(fileName(text), name));
  }

  test('never leaves a folder', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const name = fileName(text);
        assert.ok(name !== '' && name !== '.' && name !== '..' && !/[/\\:]/.test(name));
      }),
    );
  });
});
