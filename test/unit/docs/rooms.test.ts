import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { roomFaults } from '../../check/rooms.ts';

suite('The check of the order of rooms', () => {
  let root: string;

  setup(() => {
    root = realpathSync(mkdtempSync(path.join(tmpdir(), 'mcp-host-')));
    write('ground/floor.ts', 'export interface Floor {}\nexport const floor = 1;');
    write('upper/stairs.ts', "import { floor } from '../ground/floor.ts';\nexport const stairs = floor;");
  });
  teardown(() => rm(root, { recursive: true, force: true }));

  const write = (file: string, text: string): void => {
    mkdirSync(path.join(root, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  };
  const faults = (order: readonly string[] = ['ground', 'upper']) => roomFaults(root, order);

  test('finds nothing where rooms import only what is before them', () => {
    write('upper/landing.ts', "import { stairs } from './stairs.ts';\nexport const landing = stairs;");
    assert.deepEqual(faults(), []);
  });

  for (const [what, text] of [
    ['an import', "import { stairs } from '../upper/stairs.ts';"],
    ['a type import', "import type { stairs } from '../upper/stairs.ts';"],
    ['an import of a type among values', "import { type stairs } from '../upper/stairs.ts';"],
    ['an import for its effects', "import '../upper/stairs.ts';"],
    ['an export', "export { stairs } from '../upper/stairs.ts';"],
    ['an export of everything', "export * from '../upper/stairs.ts';"],
    ['an export of a type', "export type { stairs } from '../upper/stairs.ts';"],
    ['an import at run time', "export const later = () => import('../upper/stairs.ts');"],
    ['an import in a type', "export type Stairs = import('../upper/stairs.ts').Stairs;"],
  ] as const) {
    test(`finds ${what} upwards`, () => {
      write('ground/cellar.ts', text);
      const name = `${path.join('ground', 'cellar.ts')} imports ${path.join('upper', 'stairs.ts')}`;
      assert.deepEqual(faults(), [`${name}, which stands above it`]);
    });
  }

  test('finds two rooms that import each other, whatever their order', () => {
    write('ground/cellar.ts', "import { stairs } from '../upper/stairs.ts';");
    assert.equal(faults(['ground', 'upper']).length, 1);
    assert.equal(faults(['upper', 'ground']).length, 1);
  });

  test('finds a room that is not in the list, and files at the root', () => {
    write('attic/box.ts', 'export const box = 1;');
    write('door.ts', 'export const door = 1;');
    assert.deepEqual(faults().toSorted(), [
      "'' is not in the list of rooms",
      "'attic' is not in the list of rooms",
    ]);
  });

  test('finds fewer rooms than there are in the list', () => {
    assert.deepEqual(faults(['ground', 'upper', 'attic']), ["'attic' is in the list, but has no files"]);
  });

  test('finds a room that is apart from its folder', () => {
    write('ground/cellar/box.ts', 'export const box = 1;');
    assert.deepEqual(faults(['ground', 'upper', 'ground/cellar']), [
      "'ground/cellar' stands apart from the other rooms of its folder",
    ]);
    assert.deepEqual(faults(['ground', 'ground/cellar', 'upper']), []);
  });

  test('finds an import of a file that does not exist', () => {
    write('upper/landing.ts', "import { gone } from '../ground/gone.ts';");
    assert.match(faults().join('\n'), /landing\.ts imports .*gone\.ts, which does not exist$/);
  });

  test('fails for a file that cannot be parsed', () => {
    write('upper/landing.ts', 'import {');
    assert.throws(() => faults(), /landing\.ts could not be parsed/);
  });
});
