import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  createFileSync,
  replaceFile,
  replaceFileSync,
  retryWhileHeld,
} from '../../../../src/base/files/atomicFile.ts';
import { TemporaryFolder } from '../../../editor/temporaryFolder.ts';

suite('A file that is written atomically', () => {
  let folder: TemporaryFolder;
  let file: string;

  setup(() => {
    folder = new TemporaryFolder('atomic');
    file = path.join(folder.path, 'inner', 'it.json');
  });

  teardown(() => folder.remove());

  const names = () => readdirSync(path.dirname(file));

  test('replaces what was there, and leaves nothing else', async () => {
    await replaceFile(file, 'one', { isDurable: true });
    await replaceFile(file, (handle) => handle.writeFile('two'));
    assert.equal(readFileSync(file, 'utf8'), 'two');
    replaceFileSync(file, 'three');
    assert.equal(readFileSync(file, 'utf8'), 'three');
    assert.deepEqual(names(), ['it.json']);
  });

  test('can be read by its user only', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    await replaceFile(file, 'one');
    assert.equal(statSync(file).mode & 0o777, 0o600);
    replaceFileSync(file, 'two');
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(statSync(path.dirname(file)).mode & 0o777, 0o700);
  });

  test('keeps what was there when writing fails', async () => {
    await replaceFile(file, 'one');
    const failing = replaceFile(file, async (handle) => {
      await handle.writeFile('half');
      throw new Error('no more space');
    });
    await assert.rejects(failing, /no more space/);
    assert.equal(readFileSync(file, 'utf8'), 'one');
    assert.deepEqual(names(), ['it.json']);
  });

  test('leaves nothing when the name is taken by a folder', async () => {
    mkdirSync(path.join(file, 'full'), { recursive: true });
    await assert.rejects(replaceFile(file, 'one'));
    assert.throws(() => replaceFileSync(file, 'one'));
    assert.deepEqual(names(), ['it.json']);
  });

  test('is not written when it is no longer wanted', async () => {
    await replaceFile(file, 'one');
    await replaceFile(file, 'two', { isStillWanted: () => false });
    assert.equal(readFileSync(file, 'utf8'), 'one');
    assert.deepEqual(names(), ['it.json']);
  });

  test('is created only where there is none', () => {
    createFileSync(file, 'one');
    assert.throws(() => createFileSync(file, 'two'), { code: 'EEXIST' });
    assert.equal(readFileSync(file, 'utf8'), 'one');
    assert.deepEqual(names(), ['it.json']);
  });

  test('is tried again while another program holds it', async () => {
    let tries = 0;
    const isDone = await retryWhileHeld(async () => {
      tries += 1;
      if (tries < 3) {
        throw Object.assign(new Error('held'), { code: tries === 1 ? 'EPERM' : 'EBUSY' });
      }
      return true;
    });
    assert.deepEqual({ isDone, tries }, { isDone: true, tries: 3 });
  });

  test('fails at once for any other reason', async () => {
    let tries = 0;
    const failing = retryWhileHeld(async () => {
      tries += 1;
      writeFileSync(path.join(folder.path, 'missing', 'it'), '');
    });
    await assert.rejects(failing, { code: 'ENOENT' });
    assert.equal(tries, 1);
  });
});
