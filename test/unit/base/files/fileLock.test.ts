import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { FileLock } from '../../../../src/base/files/fileLock.ts';
import { TemporaryFolder } from '../../../editor/temporaryFolder.ts';

const user = fileURLToPath(new URL('../../support/lockUser.ts', import.meta.url));

suite('A lock of several processes', () => {
  let folder: TemporaryFolder;
  let path: string;
  let children: ChildProcess[];

  setup(() => {
    folder = new TemporaryFolder('lock');
    path = folder.join('it.lock');
    children = [];
  });

  teardown(async () => {
    for (const child of children.filter(({ exitCode, signalCode }) => (exitCode ?? signalCode) === null)) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    folder.remove();
  });

  const names = (): string[] => readdirSync(folder.path);

  const start = (staleMs: number, count: number, workMs = 0): ChildProcess => {
    const child = spawn(process.execPath, [user, path, `${staleMs}`, `${count}`, `${workMs}`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    return child;
  };

  const exitOf = async (child: ChildProcess): Promise<unknown> => (await once(child, 'exit'))[0];

  test('is never held by two processes at once', async () => {
    const codes = await Promise.all([1, 2, 3, 4].map(() => exitOf(start(10_000, 50))));
    assert.deepEqual(codes, [0, 0, 0, 0], 'a process has met another one inside');
    assert.deepEqual(names(), []);
  });

  test('is never held by two callers of one process at once', async () => {
    let inside = 0;
    const use = async (): Promise<void> => {
      const lock = await FileLock.take(path);
      inside += 1;
      assert.equal(inside, 1);
      await delay(1);
      inside -= 1;
      await lock.release();
    };
    await Promise.all(Array.from({ length: 20 }, use));
    assert.deepEqual(names(), []);
  });

  test('is given to one process when many find the lock of a process that is gone', async () => {
    for (let round = 0; round < 2; round += 1) {
      writeFileSync(`${path}.${randomUUID()}`, '');
      // All have watched it for as long when it becomes stale, and stay inside for longer than that takes.
      const codes = await Promise.all([1, 2, 3, 4].map(() => exitOf(start(3_000, 3, 100))));
      assert.deepEqual(codes, [0, 0, 0, 0], 'a process has met another one inside');
      assert.deepEqual(names(), []);
    }
  });

  test('is free again some time after its process was killed', async () => {
    const child = start(1_000, 0);
    await once(child.stdout ?? assert.fail(), 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    assert.equal(names().length, 1);
    await (await FileLock.take(path, 1_000)).release();
    assert.deepEqual(names(), []);
  });

  test('is kept for longer than it takes to become stale', async () => {
    const held = await FileLock.take(path, 1_000);
    let isFree = false;
    const next = FileLock.take(path, 1_000).then((lock) => {
      assert.ok(isFree, 'the lock is free');
      return lock;
    });
    await delay(4_000);
    isFree = true;
    await held.release();
    await (await next).release();
  });

  test('is not free because the clock has been set', async () => {
    const held = await FileLock.take(path);
    const [name = ''] = names();
    utimesSync(folder.join(name), 0, 0);
    const next = FileLock.take(path);
    assert.equal(await Promise.race([next.then(() => 'taken'), delay(500, 'waits')]), 'waits');
    await held.release();
    await (await next).release();
  });

  test('says why it cannot be taken', async () => {
    await assert.rejects(FileLock.take(folder.join('missing', 'it.lock')), { code: 'ENOENT' });
  });

  test('leaves other files alone', async () => {
    writeFileSync(`${path}.mine`, '');
    writeFileSync(folder.join(`another.lock.${randomUUID()}`), '');
    await (await FileLock.take(path)).release();
    assert.equal(names().length, 2);
  });
});
