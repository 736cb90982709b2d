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

  const open = (options?: ConstructorParameters<typeof RecordFolder>[1]): RecordFolder => {
    const records = new RecordFolder(folder, options);
    opened.push(records);
    return records;
  };
  const write = (name: string, text: string): void => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(temporary.join('records', name), text);
  };
  const both = async (name: string): Promise<readonly (number | string)[]> => [
    valueOf(await open().get(name, format)),
    valueOf(open().getNow(name, format)),
  ];

  test('has what another window has stored, which only this user can read', async () => {
    await open({ isDurable: true }).put('a.json', { count: 1 }, format);
    open().putNow('b.json', { count: 2 }, format);
    assert.deepEqual(await open().names(), ['a.json', 'b.json']);
    assert.deepEqual(await both('a.json'), [1, 1]);
    assert.deepEqual(await both('b.json'), [2, 2]);
    assert.deepEqual(await both('c.json'), ['absent', 'absent']);
    if (process.platform !== 'win32') {
      assert.equal(statSync(folder).mode & 0o777, 0o700);
      assert.equal(statSync(temporary.join('records', 'a.json')).mode & 0o777, 0o600);
    }
  });

  test('is empty where it does not exist', async () => {
    assert.deepEqual(await open().names(), []);
    assert.deepEqual(open().namesIfChanged(), new Map());
    assert.deepEqual(await both('a.json'), ['absent', 'absent']);
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
      for (const read of [
        (records: RecordFolder) => records.get('a.json', format),
        async (records: RecordFolder) => records.getNow('a.json', format),
      ]) {
        const records = open();
        write('a.json', text);
        assert.equal((await read(records)).kind, 'unreadable');
        assert.deepEqual(readdirSync(folder), ['a.json.unreadable']);
        assert.equal(readFileSync(temporary.join('records', 'a.json.unreadable'), 'utf8'), text);
        assert.deepEqual(await records.names(), ['a.json']);
        assert.deepEqual(open().namesIfChanged(), new Map([['a.json', 'a.json.unreadable']]));
        assert.deepEqual(await both('a.json'), ['unreadable', 'unreadable']);
        await records.put('a.json', { count: 2 }, format);
        assert.deepEqual(await both('a.json'), [2, 2]);
        await records.delete('a.json');
        assert.deepEqual(readdirSync(folder), []);
      }
    });
  }

  test('leaves alone what a later version has stored', async () => {
    write('a.json', '{"version": 2, "anything": true}');
    write('b.json', '{"version": 1, "count": "later"}');
    assert.deepEqual(await both('a.json'), ['newer', 'newer']);
    assert.deepEqual(await both('b.json'), ['newer', 'newer']);
    assert.deepEqual(readdirSync(folder), ['a.json', 'b.json']);
  });

  test('does not set aside what another program holds for a moment', async () => {
    mkdirSync(temporary.join('records', 'a.json'), { recursive: true });
    assert.equal(open().getNow('a.json', format).kind, 'unreadable');
    await assert.rejects(open().get('a.json', format));
    assert.deepEqual(readdirSync(folder), ['a.json']);
  });

  test('reads no file that is larger than its records are', async () => {
    const small = { ...format, maxBytes: 40 };
    await open().put('a.json', { count: 1 }, small);
    assert.equal(valueOf(await open().get('a.json', small)), 1);
    write('a.json', `{"version": 1, "count": 1}${' '.repeat(40)}`);
    assert.equal(valueOf(await open().get('a.json', small)), 'unreadable');
  });

  test('gives the same object until the file is another one', async () => {
    const [one, other] = [open(), open()];
    const value = { count: 1 };
    await one.put('a.json', value, format);
    const found = await one.get('a.json', format);
    assert.equal(found.kind === 'value' && found.value, value);
    const [first, second] = await Promise.all([other.get('a.json', format), other.get('a.json', format)]);
    assert.equal(first, second);
    await one.put('a.json', { count: 2 }, format);
    assert.equal(valueOf(await other.get('a.json', format)), 2);
  });

  test('reads a record again that is read as something else', async () => {
    const records = open();
    await records.put('a.json', { count: 1 }, format);
    const negative = jsonFormat<Count>(({ count }) => ({ count: -Number(count) }), 1);
    assert.equal(valueOf(await records.get('a.json', negative)), -1);
  });

  test('ignores other files', async () => {
    await open().put('a.json', { count: 1 }, format);
    ['b.txt', 'a.json.bak', 'a.json.x.tmp', 'a.jsonx', '.json'].forEach((name) => write(name, ''));
    assert.deepEqual(await open().names(), ['a.json']);
  });

  for (const lock of ['record', 'folder'] as const) {
    test(`loses no change where windows lock each ${lock}, and leaves nothing else`, async () => {
      const windows = [open({ lock }), open({ lock }), open({ lock })];
      await Promise.all(
        windows.flatMap((records) =>
          [1, 2, 3].map(() =>
            records.inTurn('a.json', async () => {
              const before = await records.get('a.json', format);
              await new Promise(setImmediate);
              await records.put(
                'a.json',
                { count: Number(before.kind === 'value' && before.value.count) + 1 },
                format,
              );
            }),
          ),
        ),
      );
      assert.deepEqual(await both('a.json'), [9, 9]);
      assert.deepEqual(readdirSync(folder), ['a.json']);
    });

    test(`removes under the lock of a ${lock} what was never finished`, async () => {
      write('a.json.half.tmp', '{');
      write('b.json.half.tmp', '{');
      await open({ lock }).inTurn('a.json', async () => {});
      assert.deepEqual(readdirSync(folder), lock === 'record' ? ['b.json.half.tmp'] : []);
    });
  }

  test('goes on with the next change after one has failed', async () => {
    const records = open();
    const failing = records.inTurn('a.json', () => assert.fail('no space'));
    await assert.rejects(failing, /no space/);
    assert.equal(await records.inTurn('a.json', async () => 1), 1);
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
