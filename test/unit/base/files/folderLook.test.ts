import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import { FolderLook } from '../../../../src/base/files/folderLook.ts';

suite('A look at a folder', () => {
  let folder: string;
  let now: number;
  const file = (name: string): string => path.join(folder, name);
  const after = (ms: number): void => {
    now += ms;
  };

  setup(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'look-'));
    now = 0;
    mock.method(performance, 'now', () => now);
  });
  teardown(() => {
    mock.restoreAll();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A look that needs no further listing. */
  function certain(): FolderLook {
    const look = new FolderLook(folder);
    assert.equal(look.mayHaveChanged(), true, 'it has never been listed');
    after(2001);
    assert.equal(
      look.mayHaveChanged(),
      true,
      'what came right after the first listing may have the same time',
    );
    assert.equal(look.mayHaveChanged(), false);
    return look;
  }

  test('asks for a listing as long as a change could have the same time', () => {
    const look = new FolderLook(folder);
    for (const ms of [0, 1, 999, 1000]) {
      after(ms);
      assert.equal(look.mayHaveChanged(), true, `${now} ms after the first`);
    }
  });

  test('asks for none while nothing changes, however long that is', () => {
    const look = certain();
    after(3_600_000);
    assert.equal(look.mayHaveChanged(), false);
  });

  for (const [what, change] of [
    ['a file that is added', () => writeFileSync(file('new'), '')],
    ['a file that is removed', () => rmSync(file('old'))],
    ['a file that gets another name', () => renameSync(file('old'), file('other'))],
    ['a file that replaces another', () => renameSync(file('aside'), file('old'))],
  ] as const) {
    test(`asks for a listing after ${what}`, () => {
      writeFileSync(file('old'), '');
      writeFileSync(file('aside'), '');
      const look = certain();
      change();
      assert.equal(look.mayHaveChanged(), true);
      after(2001);
      assert.equal(look.mayHaveChanged(), true);
      assert.equal(look.mayHaveChanged(), false);
    });
  }

  test('asks for a listing of another folder in its place, and as long as there is none', () => {
    const look = certain();
    renameSync(folder, `${folder}-aside`);
    try {
      assert.equal(look.mayHaveChanged(), true);
      after(2001);
      assert.equal(look.mayHaveChanged(), true);
      after(2001);
      assert.equal(look.mayHaveChanged(), true);
      mkdirSync(folder);
      assert.equal(look.mayHaveChanged(), true);
    } finally {
      rmSync(`${folder}-aside`, { recursive: true });
    }
  });
});
