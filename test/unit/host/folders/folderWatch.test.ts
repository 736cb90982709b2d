import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, renameSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LocalDisk } from '../../../../src/host/folders/folderDisk.ts';
import { FolderWatch } from '../../../../src/host/folders/folderWatch.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { FakeDisk } from '../../support/fakeDisk.ts';
import { until } from '../../support/until.ts';

const pollMs = 30_000;

suite('The watch over folders', () => {
  let disk: FakeDisk;
  let clock: FakeClock;
  let watch: FolderWatch;
  let changes: number;
  const api = '/projects/api';
  const kindOf = (folder: string): string | undefined => watch.lookOf(folder)?.kind;

  setup(() => {
    disk = new FakeDisk();
    clock = new FakeClock();
    watch = new FolderWatch(disk, clock.after);
    changes = 0;
    watch.onDidChange(() => (changes += 1));
  });
  teardown(() => watch.dispose());

  test('looks at what is new, and at the parent of many once', async () => {
    watch.watch([api, '/projects/web', api]);
    await clock.tick(0);
    assert.equal(kindOf(api), 'folder');
    assert.deepEqual(disk.watched, ['/projects']);
    assert.equal(disk.looks, 2);
    watch.watch([api, '/projects/web', '/other/docs']);
    await clock.tick(0);
    assert.equal(disk.looks, 3);
  });

  test('watches a folder by its parent, and gathers the events', async () => {
    watch.watch([api, '/projects/web']);
    await clock.tick(0);
    disk.take(api);
    for (let index = 0; index < 10; index += 1) {
      disk.tell('/projects', 'api');
      disk.tell('/projects', 'something else');
    }
    await clock.tick(99);
    assert.equal(kindOf(api), 'folder');
    await clock.tick(1);
    assert.equal(kindOf(api), 'none');
    assert.equal(disk.looks, 3);
    disk.giveBack(api);
    disk.tell('/projects');
    await clock.tick(100);
    assert.equal(kindOf(api), 'folder');
  });

  test('recognizes a folder whose name the system reports in another case', async () => {
    watch.watch([api]);
    await clock.tick(0);
    disk.take(api);
    disk.tell('/projects', 'API');
    await clock.tick(100);
    assert.equal(kindOf(api), 'none');
  });

  test('finds changes without an event, and looks at most every 30 seconds', async () => {
    watch.watch([api]);
    await clock.tick(0);
    disk.take(api, 'unreadable');
    await clock.tick(pollMs - 1);
    assert.equal(disk.looks, 1);
    await clock.tick(1);
    assert.equal(kindOf(api), 'none');
    assert.equal(disk.looks, 2);
    for (let rounds = 0; rounds < 10; rounds += 1) {
      await clock.tick(pollMs);
    }
    assert.equal(disk.looks, 12);
    assert.equal(changes, 2, 'only what is different is reported');
  });

  test('watches again a parent that has come back', async () => {
    watch.watch([api]);
    await clock.tick(pollMs);
    assert.deepEqual(disk.watched, ['/projects']);
  });

  test('watches no folder that is not shared, and none once disposed', async () => {
    watch.watch([api, '/other/docs']);
    await clock.tick(0);
    disk.tell('/other', 'docs');
    watch.watch([api]);
    assert.deepEqual(disk.watched, ['/projects']);
    assert.equal(watch.lookOf('/other/docs'), undefined, 'what it found would be stale');
    watch.watch([]);
    assert.deepEqual(disk.watched, []);
    assert.equal(clock.pending, 0);
    watch.watch([api]);
    disk.tell('/projects', 'api');
    watch.dispose();
    assert.deepEqual(disk.watched, []);
    assert.equal(clock.pending, 0);
  });

  test('gives a look that is younger than the question', async () => {
    const [first, second] = [watch.look([api]), watch.look([api])];
    disk.take(api);
    await Promise.all([first, second]);
    assert.equal(kindOf(api), 'none');
  });
});

suite('The watch over folders of a real disk', () => {
  let directory: string;
  let watch: FolderWatch;
  setup(() => {
    directory = realpathSync(mkdtempSync(path.join(tmpdir(), 'mcp-host-')));
    watch = new FolderWatch(new LocalDisk());
  });
  teardown(async () => {
    watch.dispose();
    await rm(directory, { recursive: true, force: true });
  });

  test('reports a folder that goes and comes back within the poll', async () => {
    const api = path.join(directory, 'api');
    const away = path.join(directory, 'away');
    mkdirSync(api);
    watch.watch([api]);
    const untilKind = (kind: string): Promise<void> =>
      until(() => watch.lookOf(api)?.kind === kind, `the folder is ${kind}`, watch.onDidChange);
    await untilKind('folder');
    renameSync(api, away);
    await untilKind('none');
    renameSync(away, api);
    await untilKind('folder');
  });
});
