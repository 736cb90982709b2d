import assert from 'node:assert/strict';
import fs, { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { setReceivedBytes } from '../../../../src/host/json/receivedBytes.ts';
import { fileNameOf } from '../../../../src/host/ledger/ledgerFolder.ts';
import { ledgerLineOf, readLedgerLine } from '../../../../src/host/ledger/ledgerLine.ts';
import { anEnd, aRequest, LedgerBed } from '../../support/ledgerBed.ts';
import { untilSeen } from '../../support/until.ts';

/** The id of a process that no system gives out. */
const NOBODY = 2 ** 31 - 1;

suite('The ledger', () => {
  let bed: LedgerBed;
  setup(() => {
    bed = new LedgerBed();
  });
  teardown(() => bed.dispose());

  test('keeps who asked for what, and how it ended', async () => {
    const ledger = bed.open();
    const entry = bed.write(ledger);
    const { id, ...rest } = entry;
    const { args, ...request } = aRequest;
    assert.deepEqual(rest, {
      ...request,
      at: bed.now - 10,
      workspace: 'file:///projects/app',
      decision: 'asked',
      outcome: 'done',
      durationMs: 10,
      sentBytes: JSON.stringify({ name: 'read_file', arguments: args }).length,
      receivedBytes: JSON.stringify(anEnd.result).length,
    });
    await ledger.flush();
    assert.deepEqual(JSON.parse(bed.text), { ...rest, id });
  });

  test('writes each entry when it happens, in order', async () => {
    const ledger = bed.open();
    for (let count = 0; count < 100; count += 1) {
      bed.write(ledger, { target: `tool ${count}` });
    }
    await ledger.flush();
    const targets = bed.text
      .trimEnd()
      .split('\n')
      .map((line) => readLedgerLine(line)?.entry.target);
    assert.deepEqual(
      targets,
      Array.from({ length: 100 }, (_, count) => `tool ${count}`),
    );
    assert.deepEqual(
      ledger.entries.map(({ target }) => target),
      targets.toReversed(),
    );
  });

  test('writes the first entry at once, and those of the moment after it together', async () => {
    const ledger = bed.open();
    bed.write(ledger, { target: 'first' });
    await ledger.flush();
    const opened = mock.method(fs.promises, 'appendFile');
    syncBuiltinESMExports();
    try {
      for (let count = 0; count < 100; count += 1) {
        bed.write(ledger, { target: `tool ${count}` });
        await turn();
      }
      assert.equal(opened.mock.callCount(), 0);
      bed.pass();
      await opened.mock.calls[0]?.result;
      assert.match(bed.text, /tool 99"/);
      bed.write(ledger, { target: 'soon' });
      await ledger.flush();
      assert.equal(opened.mock.callCount(), 2);
      bed.pass();
      bed.write(ledger, { target: 'later' });
      assert.equal(opened.mock.callCount(), 3, 'at once again');
    } finally {
      mock.restoreAll();
      syncBuiltinESMExports();
    }
  });

  test('writes what waits when the window closes, and from then on each entry at once', async () => {
    const ledger = bed.open();
    bed.write(ledger);
    await ledger.flush();
    bed.write(ledger, { target: 'waits' });
    ledger.dispose();
    ledger.begin({ ...aRequest, target: 'while writing' }, () => {}).end(anEnd);
    await untilSeen(() => /waits[^]*while writing/.test(bed.text), 'both are written');
    ledger.begin({ ...aRequest, target: 'late' }, () => {}).end(anEnd);
    await untilSeen(() => bed.text.includes('late'), 'it is written');
  });

  test('counts only what was sent', () => {
    const ledger = bed.open();
    const open = ledger.begin(aRequest, () => {});
    open.end({ decision: 'denied', outcome: 'refused', problem: 'You did not allow it.' });
    assert.equal(ledger.entries[0]?.sentBytes, 0);
    assert.equal(ledger.entries[0]?.receivedBytes, 0);
    assert.equal(ledger.entries[0]?.problem, 'You did not allow it.');
  });

  test('keeps what a server asked a model for, and which model answered', async () => {
    const ledger = bed.open();
    const open = ledger.begin(
      {
        caller: { kind: 'server' },
        serverId: aRequest.serverId,
        server: 'git',
        method: 'sampling/createMessage',
        target: 'no model',
        args: { maxTokens: 100 },
      },
      () => {},
    );
    const isSent = (): boolean | undefined => ledger.running[0]?.isSent;
    open.sent();
    assert.equal(isSent(), true);
    open.asksPerson();
    assert.equal(isSent(), false, 'its answer waits for the user');
    open.sent();
    assert.equal(isSent(), true);
    const sampling = { model: 'Scripted', inputTokens: 12, outputTokens: 3, isEdited: false };
    open.end({ decision: 'asked', outcome: 'done', result: { model: 'Scripted' }, sampling });
    const [entry] = ledger.entries;
    assert.ok(entry);
    assert.equal(entry.target, 'Scripted');
    assert.deepEqual(entry.sampling, sampling);
    assert.equal(entry.receivedBytes, '{"maxTokens":100}'.length, 'what the server asked was received');
    assert.equal(entry.sentBytes, '{"model":"Scripted"}'.length, 'what it got was sent');
    await ledger.flush();
    assert.deepEqual(readLedgerLine(bed.text.trimEnd())?.entry, entry);
    const broken = { ...entry, sampling: { ...sampling, inputTokens: 'many' } };
    assert.equal(readLedgerLine(JSON.stringify(broken)), undefined);
  });

  test('takes only the first end of a request', () => {
    const ledger = bed.open();
    const open = ledger.begin(aRequest, () => {});
    open.end(anEnd);
    open.end({ decision: 'asked', outcome: 'failed' });
    open.sent();
    assert.deepEqual(
      ledger.entries.map(({ outcome }) => outcome),
      ['done'],
    );
    assert.deepEqual(ledger.running, []);
  });

  test('shows running requests, from the question on, and cancels them once', () => {
    const ledger = bed.open();
    let changes = 0;
    ledger.onDidChange(() => (changes += 1));
    let cancelled = 0;
    const open = ledger.begin(aRequest, () => (cancelled += 1));
    assert.deepEqual(
      ledger.running.map(({ target, isSent, isCancelling }) => ({ target, isSent, isCancelling })),
      [{ target: 'read_file', isSent: false, isCancelling: false }],
    );
    open.sent();
    assert.equal(ledger.running[0]?.isSent, true);
    assert.equal(cancelled, 0);
    const [running] = ledger.running;
    running?.cancel();
    running?.cancel();
    ledger.running[0]?.cancel();
    assert.equal(cancelled, 1);
    assert.equal(ledger.running[0]?.isCancelling, true);
    assert.equal(changes, 3);
    open.end({ decision: 'asked', outcome: 'cancelled' });
    running?.cancel();
    assert.equal(cancelled, 1);
    assert.equal(changes, 4);
    assert.equal(ledger.entries[0]?.outcome, 'cancelled');
  });

  test('shows the state of a task, and keeps that it was one', () => {
    const ledger = bed.open();
    let changes = 0;
    const open = ledger.begin(aRequest, () => {});
    open.sent();
    ledger.onDidChange(() => (changes += 1));
    const reading = { status: 'working', message: 'Reading' } as const;
    open.becomesTask(reading);
    open.becomesTask(reading);
    assert.deepEqual([ledger.running[0]?.task, changes], [reading, 1]);
    open.end({ decision: 'asked', outcome: 'failed', isTaskGone: true });
    open.becomesTask({ status: 'input_required' });
    const [entry] = ledger.entries;
    assert.deepEqual([entry?.task, ledger.running], ['gone', []]);
    assert.ok(entry);
    assert.deepEqual(readLedgerLine(ledgerLineOf(entry))?.entry, entry);
    assert.equal(readLedgerLine(ledgerLineOf({ ...entry, task: 'lost' as 'gone' })), undefined);
  });

  test('goes on with a request that was left, under its ID', () => {
    const ledger = bed.open();
    const left = ledger.begin(aRequest, () => {});
    left.sent();
    left.leave();
    left.end(anEnd);
    assert.deepEqual([ledger.running, ledger.entries], [[], []]);
    bed.now += 60_000;
    const { args: _args, ...request } = aRequest;
    const open = ledger.begin(request, () => {}, left);
    open.sent();
    open.end(anEnd);
    const [entry] = ledger.entries;
    const { id, at, sentBytes } = left;
    assert.partialDeepStrictEqual(entry, { id, at, sentBytes, durationMs: 60_000 });
    assert.deepEqual(entry && Object.keys(entry).includes('becomesTask'), false);
  });

  test('keeps the arguments as they were when the request came', async () => {
    const ledger = bed.open();
    const args = { path: 'a' };
    const open = ledger.begin({ ...aRequest, args }, () => {});
    args.path = 'b';
    open.end(anEnd);
    assert.equal((await ledger.contentOf(ledger.entries[0]?.id ?? ''))?.args, '{"path":"a"}');
  });

  test('writes requests that end while the window closes', async () => {
    const ledger = bed.open();
    const open = ledger.begin(aRequest, () => {});
    ledger.dispose();
    open.end({ decision: 'asked', outcome: 'failed' });
    await ledger.flush();
    assert.match(bed.text, /"outcome":"failed"/);
  });

  suite('keeps arguments and results', () => {
    test('in memory only, unless the settings store them', async () => {
      const ledger = bed.open();
      const { id } = bed.write(ledger);
      await ledger.flush();
      assert.doesNotMatch(bed.text, /README|Hello/);
      assert.deepEqual(await ledger.contentOf(id), {
        args: '{"path":"/projects/app/README.md"}',
        result: '{"content":[{"type":"text","text":"Hello"}]}',
      });
      const later = bed.open();
      await later.load();
      assert.equal(later.entries[0]?.id, id);
      assert.equal(await later.contentOf(id), undefined);
    });

    test('on the disk if the settings say so, for later windows too', async () => {
      bed.settings.storesContent = true;
      const ledger = bed.open();
      const { id } = bed.write(ledger);
      await ledger.flush();
      assert.match(bed.text, /"args":\{"path":"\/projects\/app\/README.md"\},"result":\{"content"/);
      const later = bed.open();
      await later.load();
      assert.deepEqual(await later.contentOf(id), await ledger.contentOf(id));
    });

    test('cut if they are too long, with a note', async () => {
      bed.settings.storesContent = true;
      const ledger = bed.open({ contentCharacters: 100 });
      const { id, receivedBytes } = bed.write(ledger, {}, { result: { text: 'x'.repeat(1_000) } });
      const { result = '' } = (await ledger.contentOf(id)) ?? {};
      assert.match(result, /^\{"text":"x{91}… \(911 more characters were not kept\)$/);
      assert.equal(receivedBytes, 1_011);
      await ledger.flush();
      const later = bed.open();
      assert.equal((await later.contentOf(id))?.result, result);
    });

    test('without printing more of a result than is kept, if its size is known', async () => {
      const ledger = bed.open({ contentCharacters: 100 });
      const result = {
        text: 'x'.repeat(1_000),
        get more(): string {
          throw new Error('It was printed.');
        },
      };
      const { id, receivedBytes } = bed.write(ledger, {}, { result: setReceivedBytes(result, 2_000) });
      assert.equal(receivedBytes, 2_000);
      const content = await ledger.contentOf(id);
      assert.equal(content?.result, `{"text":"${'x'.repeat(91)}… (the rest was not kept)`);
    });

    test('whole, if the result is shorter than the message in which it came', async () => {
      const ledger = bed.open({ contentCharacters: 100 });
      const { id, receivedBytes } = bed.write(ledger, {}, { result: setReceivedBytes({ text: 'é' }, 2_000) });
      assert.equal(receivedBytes, 2_000);
      assert.equal((await ledger.contentOf(id))?.result, '{"text":"é"}');
    });

    test('of the latest requests, if all would be too much', async () => {
      const ledger = bed.open({ memoryCharacters: 200 });
      const ids = [1, 2, 3].map(() => bed.write(ledger).id);
      const kept = await Promise.all(ids.map((id) => ledger.contentOf(id)));
      assert.deepEqual(
        kept.map((content) => content !== undefined),
        [false, true, true],
      );
    });

    test('in spite of values that are not JSON', async () => {
      const ledger = bed.open();
      const circle: Record<string, unknown> = {};
      circle['self'] = circle;
      const { id, receivedBytes } = bed.write(ledger, { args: undefined }, { result: circle });
      assert.deepEqual(await ledger.contentOf(id), {});
      assert.equal(receivedBytes, 0);
    });
  });

  suite('leaves out values of secrets', () => {
    const secret = 'pa"ss\nw/örd';
    const shown = 'pa|rd|%C3%B6';

    test('from the target, the problem, the arguments and the result, on the disk and in memory', async () => {
      bed.settings.storesContent = true;
      const ledger = bed.open();
      const { id, ...entry } = bed.write(
        ledger,
        { target: `https://x/?key=${encodeURIComponent(secret)}`, args: { [secret]: [secret] } },
        {
          problem: `No such key: ${secret}`,
          result: { content: [{ type: 'text', text: JSON.stringify({ inner: secret }) }] },
        },
        [secret],
      );
      assert.equal(entry.target, 'https://x/?key=•••');
      assert.equal(entry.problem, 'No such key: •••');
      const content = await ledger.contentOf(id);
      assert.equal(content?.args, '{"•••":["•••"]}');
      assert.equal(content?.result, '{"content":[{"type":"text","text":"{\\"inner\\":\\"•••\\"}"}]}');
      await ledger.flush();
      const written = [bed.text, ...(await bed.exported(ledger))].join('');
      assert.doesNotMatch(written.replaceAll('"workspace":', ''), new RegExp(shown));
    });

    test('where the text is cut within one', async () => {
      for (let limit = 1; limit < 80; limit += 1) {
        const ledger = bed.open({ contentCharacters: limit });
        const text = `${'x'.repeat(20)}hidden-value-1${'y'.repeat(20)}hidden-value-2${'z'.repeat(5_000)}`;
        const { id } = bed.write(ledger, {}, { result: text }, ['hidden-value-1', 'hidden-value-2']);
        const kept = (await ledger.contentOf(id))?.result ?? '';
        assert.doesNotMatch(kept.replace(/… .*$/, ''), /[hiden]/);
      }
    });

    test('also from numbers, which become strings', async () => {
      bed.settings.storesContent = true;
      const ledger = bed.open();
      const { id } = bed.write(ledger, { args: { pin: 12345678 } }, {}, ['12345678']);
      assert.equal((await ledger.contentOf(id))?.args, '{"pin":•••}');
      await ledger.flush();
      assert.equal((await bed.open().contentOf(id))?.args, '{"pin":•••}');
    });
  });

  suite('on the disk', () => {
    const lineBytes = 380;

    test('starts another file when one is full', async () => {
      const ledger = bed.open({ fileBytes: 4 * lineBytes });
      for (let count = 0; count < 30; count += 1) {
        bed.write(ledger);
      }
      await ledger.flush();
      assert.ok(bed.files.length >= 5, bed.files.join());
      for (const name of bed.files) {
        assert.ok(Buffer.byteLength(bed.read(name)) <= 4 * lineBytes);
      }
      const later = bed.open();
      await later.load();
      assert.equal(later.entries.length, 30);
    });

    test('stays within its limit by deleting the oldest files', async () => {
      const limits = { fileBytes: 5 * lineBytes, folderBytes: 20 * lineBytes };
      const ledger = bed.open(limits);
      for (let count = 0; count < 200; count += 1) {
        bed.write(ledger, { target: `tool ${count}` });
        await ledger.flush();
        assert.ok(bed.bytes <= limits.folderBytes, `${bed.bytes} bytes`);
      }
      assert.match(bed.text, /tool 199/);
      assert.match(bed.text, /tool 190/);
      assert.doesNotMatch(bed.text, /tool 100"/);
    });

    test('deletes files of closed windows before those of open ones', async () => {
      const limits = { fileBytes: 5 * lineBytes, folderBytes: 20 * lineBytes };
      const other = bed.open(limits);
      bed.write(other, { target: 'of the other window' });
      await other.flush();
      const gone = fileNameOf(bed.now, '0a1b2c3d', 1, NOBODY);
      writeFileSync(path.join(bed.folder, gone), bed.text.replaceAll('of the other', 'of a dead').repeat(3));
      const ledger = bed.open(limits);
      for (let count = 0; count < 100; count += 1) {
        bed.write(ledger);
        await ledger.flush();
        assert.ok(bed.bytes <= limits.folderBytes);
      }
      assert.ok(!bed.files.includes(gone));
      assert.match(bed.text, /of the other window/);
    });

    test('keeps at most the allowed number of files', async () => {
      const ledger = bed.open({ fileBytes: 10, files: 4 });
      for (let count = 0; count < 20; count += 1) {
        bed.write(ledger);
      }
      await ledger.flush();
      assert.ok(bed.files.length <= 5, bed.files.join());
      assert.ok(bed.files.length >= 3);
    });

    test('is shared by two windows, each with a file of its own', async () => {
      const [one, two] = [bed.open(), bed.open()];
      for (let count = 0; count < 20; count += 1) {
        bed.write(one, { target: 'one' });
        bed.write(two, { target: 'two' });
      }
      await Promise.all([one.flush(), two.flush()]);
      assert.equal(bed.files.length, 2);
      const third = bed.open();
      await third.load();
      assert.equal(third.entries.length, 40);
      assert.deepEqual(
        third.entries.map(({ at }) => at),
        third.entries.map(({ at }) => at).toSorted((a, b) => b - a),
      );
      await one.load();
      assert.equal(one.entries.length, 40, 'its own are not counted twice');
    });

    test('loses nothing but a broken line', async () => {
      const ledger = bed.open();
      bed.write(ledger, { target: 'before' });
      await ledger.flush();
      const [name = ''] = bed.files;
      const whole = bed.text;
      const strange = [
        '{"id":"half',
        'null',
        '[]',
        whole.trim().replace('"asked"', '"guessed"'),
        whole.trim().replace('"agentMode"', '"window"'),
        whole.trim().replace(/"at":\d+/, '"at":"now"'),
        '\0\0\0',
      ];
      appendFileSync(path.join(bed.folder, name), `${strange.join('\n')}\n`);
      bed.write(ledger, { target: 'after' });
      await ledger.flush();
      const later = bed.open();
      await later.load();
      assert.deepEqual(
        later.entries.map(({ target }) => target),
        ['after', 'before'],
      );
    });

    test('is read no further back than the newest entries', async () => {
      const ledger = bed.open({ fileBytes: 3 * lineBytes });
      for (let count = 0; count < 30; count += 1) {
        bed.write(ledger, { target: `tool ${count}` });
      }
      await ledger.flush();
      const later = bed.open({ history: 5 });
      await later.load();
      assert.deepEqual(
        later.entries.map(({ target }) => target),
        ['tool 29', 'tool 28', 'tool 27', 'tool 26', 'tool 25'],
      );
    });

    test('is tried again after a failure, and says why meanwhile', async () => {
      mkdirSync(path.dirname(bed.folder), { recursive: true });
      writeFileSync(bed.folder, 'a file in the way');
      const ledger = bed.open();
      let changes = 0;
      ledger.onDidChange(() => (changes += 1));
      bed.write(ledger, { target: 'first' });
      const before = changes;
      await ledger.flush();
      assert.match(ledger.problem ?? '', /EEXIST|ENOTDIR/);
      assert.equal(changes, before + 1);
      assert.equal(ledger.entries.length, 1);
      rmSync(bed.folder);
      bed.write(ledger, { target: 'second' });
      await ledger.flush();
      assert.equal(ledger.problem, undefined);
      assert.match(bed.text, /first[^]*second/);
    });

    test('never blocks for long, however much there is', async () => {
      const ledger = bed.open();
      for (let count = 0; count < 10_000; count += 1) {
        bed.write(ledger);
      }
      await ledger.flush();
      const later = bed.open({ history: 10_000 });
      let turns = 0;
      let isDone = false;
      const others = (): void => {
        turns += 1;
        if (!isDone) {
          setImmediate(others);
        }
      };
      setImmediate(others);
      await later.load();
      isDone = true;
      assert.equal(later.entries.length, 10_000);
      assert.ok(turns > 3, `the others had ${turns} turns`);
    });

    test('bounds what is in memory', () => {
      const ledger = bed.open({ entries: 10 });
      for (let count = 0; count < 30; count += 1) {
        bed.write(ledger, { target: `tool ${count}` });
      }
      assert.equal(ledger.entries.length, 10);
      assert.equal(ledger.entries.at(-1)?.target, 'tool 20');
    });
  });

  suite('exports', () => {
    test('what all windows kept, with contents only if the settings store them', async () => {
      bed.settings.storesContent = true;
      const earlier = bed.open();
      bed.write(earlier, { target: 'earlier' });
      await earlier.flush();
      const ledger = bed.open();
      bed.write(ledger, { target: 'now' });
      const whole = await bed.exported(ledger);
      assert.deepEqual(
        whole.map((line) => readLedgerLine(line)?.entry.target),
        ['earlier', 'now'],
      );
      assert.ok(whole.every((line) => line.includes('Hello') && line.endsWith('}\n')));
      bed.settings.storesContent = false;
      const bare = await bed.exported(ledger);
      assert.equal(bare.length, 2);
      assert.ok(bare.every((line) => !line.includes('Hello') && !line.includes('README')));
    });

    test('what is in memory only if nothing can be written', async () => {
      mkdirSync(path.dirname(bed.folder), { recursive: true });
      writeFileSync(bed.folder, 'a file in the way');
      const ledger = bed.open();
      bed.write(ledger);
      const lines = await bed.exported(ledger);
      assert.equal(lines.length, 1);
      rmSync(bed.folder);
    });
  });
});
