import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, truncateSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { withAcknowledged } from '../../../../../src/host/gate/pins/serverChanges.ts';
import {
  isAsPinned,
  noPins,
  withNew,
  type Pins,
  type ItemPin,
} from '../../../../../src/host/gate/pins/pins.ts';
import { PinStore } from '../../../../../src/host/gate/pins/pinStore.ts';
import { CountedHashes } from '../../../support/countedHashes.ts';
import { until } from '../../../support/until.ts';
import { listedItem, type ListedItem } from '../../../../../src/host/gate/pins/itemFingerprint.ts';

const run = promisify(execFile);
const subject = { serverId: 'user settings:user server', launch: 'launch', revision: '2025-11-25' };

function listing(...names: readonly string[]): ReadonlyMap<string, ListedItem> {
  return new Map(
    names.map((name) => {
      const tool = {
        name,
        description: `Line one\nline two\u2028 of ${name}`,
        inputSchema: { type: 'object' as const },
      };
      return [name, listedItem('tools', tool) ?? assert.fail('nothing to compare')];
    }),
  );
}

function pinned(pins: Pins, ...names: readonly string[]): Pins {
  return withNew(pins, { tools: listing(...names), instructions: 'Do.' });
}

suite('Pins on the disk', () => {
  let folder: string;
  const stores: PinStore[] = [];
  setup(() => {
    folder = path.join(realpathSync(mkdtempSync(path.join(tmpdir(), 'mcp-host-'))), 'pins');
  });
  teardown(async () => {
    for (const store of stores.splice(0)) {
      store.dispose();
      await store.settled();
    }
    await rm(path.dirname(folder), { recursive: true, force: true });
  });

  function open(remoteName?: string): PinStore {
    const store = new PinStore(folder, remoteName);
    stores.push(store);
    return store;
  }

  function files(ending = ''): readonly string[] {
    return readdirSync(folder).filter((name) => name.endsWith(ending));
  }

  test('are read back as they were written, and leave nothing else behind', async () => {
    const pins = await open().change(subject, (before) => pinned(before, 'one', '__proto__', 'zwei\n'));
    assert.deepEqual(await open().read(subject), pins);
    assert.equal(pins.tools?.size, 3);
    assert.deepEqual(files(), files('.jsonl'));
  });

  test('are nothing before anything is pinned', async () => {
    assert.equal(await open().read(subject), noPins);
  });

  test('are the same object until something changes', async () => {
    const store = open();
    const pins = await store.change(subject, (before) => pinned(before, 'one'));
    assert.equal(await store.read(subject), pins);
    assert.equal(await store.change(subject, (before) => before), pins);
  });

  test('belong to one server, launch, revision and remote', async () => {
    await open().change(subject, (before) => pinned(before, 'one'));
    for (const other of [
      { ...subject, serverId: 'other' },
      { ...subject, launch: 'other' },
      { ...subject, revision: '2026-07-28' },
    ]) {
      assert.equal(await open().read(other), noPins);
    }
    assert.equal(await open('ssh').read(subject), noPins);
    assert.equal((await open().read(subject)).tools?.size, 1);
  });

  test('include what the same launch showed in other revisions', async () => {
    const store = open();
    await store.change({ ...subject, revision: '2025-06-18' }, (before) => pinned(before, 'one'));
    await store.change({ ...subject, launch: 'other' }, (before) => pinned(before, 'two'));
    const others = await store.inOtherRevisions(subject);
    assert.deepEqual(
      others.map(({ tools }) => [...(tools?.keys() ?? [])]),
      [['one']],
    );
  });

  test('include what another window pinned a moment ago', async () => {
    const [one, two] = [open(), open()];
    await one.change(subject, (before) => pinned(before, 'one', 'two'));
    await two.change(subject, (before) => pinned(before, 'one', 'two', 'three'));
    await one.change(subject, (before) => pinned(before, 'four'));
    const { tools } = await two.read(subject);
    assert.deepEqual([...(tools?.keys() ?? [])], ['one', 'two', 'three']);
  });

  test('report what another window pins, and not what their own window does', async () => {
    const [own, other, third] = [open(), open(), open()];
    const told = { own: 0, third: 0 };
    own.onDidChange(() => (told.own += 1));
    third.onDidChange(() => (told.third += 1));
    for (const launch of ['one', 'two', 'three']) {
      await own.change({ ...subject, launch }, (before) => pinned(before, 'one'));
    }
    await until(() => told.third >= 3, 'the third window hears of each', third.onDidChange);
    await other.change(subject, (before) => pinned(before, 'one'));
    await until(() => told.own > 0, 'the window hears of the other', own.onDidChange);
    assert.ok(told.own < told.third, `${told.own} of ${told.third}`);
  });

  test('keep what each of several windows does at once', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `tool${index}`);
    await open().change(subject, (before) => pinned(pinned(before), ...names));
    await Promise.all(names.map((name) => open().change(subject, (pins) => withAcknowledged(pins, [name]))));
    const { tools } = await open().read(subject);
    assert.deepEqual(
      [...(tools?.values() ?? [])].map(({ isNew }) => isNew),
      names.map(() => false),
    );
    assert.deepEqual(files(), files('.jsonl'));
  });

  test('keep what several processes do at once', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `tool${index}`);
    await open().change(subject, (before) => pinned(pinned(before), ...names));
    const writer = fileURLToPath(new URL('../../../support/pinWriter.ts', import.meta.url));
    await Promise.all(
      [names.slice(0, 10), names.slice(10)].map((some) =>
        run(process.execPath, [writer, folder, JSON.stringify(subject), ...some]),
      ),
    );
    const { tools } = await open().read(subject);
    assert.ok([...(tools?.values() ?? [])].every(({ isNew }) => !isNew));
  });

  test('go on when a process ended while it wrote', async () => {
    const store = open();
    await store.change(subject, (before) => pinned(before, 'one'));
    writeFileSync(path.join(folder, `${files('.jsonl')[0] ?? ''}.lock.${randomUUID()}`), '');
    writeFileSync(path.join(folder, `${files('.jsonl')[0] ?? ''}.half.tmp`), 'half');
    await store.change(subject, (before) => pinned(before, 'one', 'two'));
    assert.equal((await open().read(subject)).tools?.size, 2);
    assert.deepEqual(files(), files('.jsonl'));
  });

  for (const [how, spoil] of [
    ['no JSON', (file: string) => writeFileSync(file, 'nonsense\n')],
    ['empty', (file: string) => truncateSync(file)],
    ['cut short', (file: string) => truncateSync(file, readFileSync(file).length - 5)],
    [
      'short of a line',
      (file: string) =>
        writeFileSync(file, readFileSync(file, 'utf8').split('\n').slice(0, 2).join('\n') + '\n'),
    ],
    ['of another version', (file: string) => writeFileSync(file, '{"version":99,"isLost":false}\n')],
    [
      'of another shape',
      (file: string) =>
        writeFileSync(file, '{"version":1,"tools":1,"isLost":false}\n{"tool":{"name":1},"isNew":false}\n'),
    ],
  ] as const) {
    test(`that are ${how} are set aside, and everything counts as new, the instructions too`, async () => {
      await open().change(subject, (before) => pinned(before, 'one', 'two'));
      const [name = ''] = files('.jsonl');
      spoil(path.join(folder, name));
      const store = open();
      assert.deepEqual(await store.read(subject), { ...noPins, isLost: true });
      assert.deepEqual(files(), [`${name}.unreadable`]);
      assert.deepEqual(await open().read(subject), { ...noPins, isLost: true });
      const { tools } = await store.change(subject, (before) => pinned(before, 'one', 'two'));
      assert.deepEqual(
        [...(tools?.values() ?? [])].map(({ isNew }) => isNew),
        [true, true],
      );
      assert.equal((await open().read(subject)).instructions?.text, undefined);
      assert.equal((await open().read(subject)).tools?.get('one')?.isNew, true);
    });
  }

  test('are compared with the same list without a hash of any tool, and with a changed one by its hashes', async () => {
    const tools = listing('one', 'two', 'three');
    await open().change(subject, (before) => withNew(before, { tools, instructions: 'Do.' }));
    const later = listing('one', 'two', 'three');
    const hashes = new CountedHashes('Line one');
    try {
      const pins = await open().change(subject, (before) =>
        withNew(before, { tools: later, instructions: 'Do.' }),
      );
      const pinOf = (name: string): ItemPin => pins.tools?.get(name) ?? assert.fail(`${name} is not pinned`);
      for (const [name, one] of later) {
        assert.ok(isAsPinned(one, pinOf(name)));
      }
      assert.equal(hashes.count, 0);
      for (const two of listing('two').values()) {
        assert.ok(!isAsPinned(two, pinOf('one')));
        assert.ok(!isAsPinned(two, pinOf('one')));
      }
      assert.equal(hashes.count, 2);
    } finally {
      hashes.dispose();
    }
  });

  test('say why they cannot be kept', async () => {
    writeFileSync(folder, 'a file where the folder should be');
    await assert.rejects(open().change(subject, (before) => pinned(before, 'one')));
  });
});
