import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { RecordFolder } from '../../../../src/base/files/recordFolder.ts';
import { jsonFormat, type Found } from '../../../../src/base/files/recordFormat.ts';
import { TemporaryFolder } from '../../../editor/temporaryFolder.ts';
import { until } from '../../support/until.ts';
import { Emitter } from '../../../../src/base/lifetime/event.ts';

interface Count {
  readonly count: number;
}

const format = jsonFormat<Count>(
  ({ count }) => (typeof count === 'number' ? { count } : count === 'later' ? 'newer' : undefined),
  1,
);
const valueOf = (found: Found<Count>): number | string =>
  found.kind === 'value' ? found.value.count : found.kind;

suite('A folder of records', () => {
  let temporary: TemporaryFolder;
  let folder: string;
  let opened: RecordFolder[];
  setup(() => {
    temporary = new TemporaryFolder('records');
    folder = temporary.join('records');
    opened = [];
  });
  teardown(() => {
    opened.forEach((one) => one.dispose());
    temporary.remove();
  });

  const open = (): RecordFolder => {
    const records = new RecordFolder(folder);
    opened.push(records);
    return records;
  };
  const write = (name: string, text: string): void => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(temporary.join('records', name), text);
  };
  const stored = (name: string): number | string => valueOf(open().get(name, format));
  const names = (): readonly string[] => [...(open().namesIfChanged()?.keys() ?? [])];

  test('has what another window has stored, which only this user can read', async () => {
    await open().put('a.json', { count: 1 }, format);
    await open().put('b.json', { count: 2 }, format);
    assert.deepEqual(names().toSorted(), ['a.json', 'b.json']);
    assert.equal(stored('a.json'), 1);
    assert.equal(stored('b.json'), 2);
    assert.equal(stored('c.json'), 'absent');
    if (process.platform !== 'win32') {
      assert.equal(statSync(folder).mode & 0o777, 0o700);
      assert.equal(statSync(temporary.join('records', 'a.json')).mode & 0o777, 0o600);
    }
  });

  test('is empty where it does not exist', () => {
    assert.deepEqual(open().namesIfChanged(), new Map());
    assert.equal(stored('a.json'), 'absent');
  });

  for (const [how, text] of [
    ['no JSON', '{"version": 1, "count"'],
    ['empty', ''],
    ['no object', '[1]'],
    ['without a version', '{"count": 1}'],
    ['of a version that is no number', '{"version": "2", "count": 1}'],
    ['of a version that never was', '{"version": 0, "count": 1}'],
    ['of another shape', '{"version": 1, "count": "1"}'],
  ] as const) {
    test(`sets a file aside that is ${how}, and its record is unreadable until one is stored`, async () => {
      const records = open();
      write('a.json', text);
      assert.equal(records.get('a.json', format).kind, 'unreadable');
      assert.deepEqual(readdirSync(folder), ['a.json.unreadable']);
      assert.equal(readFileSync(temporary.join('records', 'a.json.unreadable'), 'utf8'), text);
      assert.deepEqual(open().namesIfChanged(), new Map([['a.json', 'a.json.unreadable']]));
      assert.equal(stored('a.json'), 'unreadable');
      await records.put('a.json', { count: 2 }, format);
      assert.equal(stored('a.json'), 2);
      await records.delete('a.json');
      assert.deepEqual(readdirSync(folder), []);
    });
  }

  test('leaves alone what a later version has stored', () => {
    write('a.json', '{"version": 2, "anything": true}');
    write('b.json', '{"version": 1, "count": "later"}');
    assert.equal(stored('a.json'), 'newer');
    assert.equal(stored('b.json'), 'newer');
    assert.deepEqual(readdirSync(folder), ['a.json', 'b.json']);
  });

  test('does not set aside what another program holds for a moment', () => {
    mkdirSync(temporary.join('records', 'a.json'), { recursive: true });
    assert.equal(stored('a.json'), 'unreadable');
    assert.deepEqual(readdirSync(folder), ['a.json']);
  });

  test('ignores other files', async () => {
    await open().put('a.json', { count: 1 }, format);
    ['b.txt', 'a.json.bak', 'a.json.x.tmp', 'a.jsonx', 'a.jsonl', '.json'].forEach((name) => write(name, ''));
    assert.deepEqual(names(), ['a.json']);
  });

  test('loses no change that a window makes in its turn, and leaves nothing else', async () => {
    const records = open();
    await Promise.all(
      Array.from({ length: 9 }, () =>
        records.inTurn(async () => {
          const before = records.get('a.json', format);
          await new Promise(setImmediate);
          const count = Number(before.kind === 'value' && before.value.count) + 1;
          await records.put('a.json', { count }, format);
        }),
      ),
    );
    assert.equal(stored('a.json'), 9);
    assert.deepEqual(readdirSync(folder), ['a.json']);
  });

  test('goes on with the next change after one has failed', async () => {
    const records = open();
    const failing = records.inTurn(() => assert.fail('no space'));
    await assert.rejects(failing, /no space/);
    assert.equal(await records.inTurn(async () => 1), 1);
  });

  test('reports what other windows store, and not what this one does', async () => {
    const [own, other] = [open(), open()];
    const seen: (string | undefined)[] = [];
    const reported = new Emitter<void>();
    own.watch((name) => {
      seen.push(name);
      reported.fire();
    });
    await own.put('own.json', { count: 1 }, format);
    write('readme.txt', '');
    await other.put('other.json', { count: 1 }, format);
    await until(() => seen.includes('other.json'), 'the record of the other window', reported.event);
    assert.deepEqual(new Set(seen), new Set(['other.json']));
    rmSync(temporary.join('records', 'own.json'));
    await until(() => seen.includes('own.json'), 'that it is gone', reported.event);
  });
});
