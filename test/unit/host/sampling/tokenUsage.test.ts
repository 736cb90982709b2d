import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Logger } from '../../../../src/base/logging/logger.ts';
import { TokenUsage } from '../../../../src/host/sampling/tokenUsage.ts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

suite('What servers used of language models', () => {
  let base: string;
  let folder: string;
  let now: number;
  let logged: string[];
  let windows: TokenUsage[];
  setup(() => {
    base = mkdtempSync(path.join(os.tmpdir(), 'usage-'));
    folder = path.join(base, 'usage');
    now = new Date(2026, 6, 28, 12).getTime();
    logged = [];
    windows = [];
  });
  teardown(() => {
    windows.forEach((window) => window.dispose());
    rmSync(base, { recursive: true, force: true });
  });

  const logger: Logger = { isTracing: false, log: (_level, message) => void logged.push(message) };
  const open = (): TokenUsage => {
    const window = new TokenUsage(folder, () => now, logger);
    windows.push(window);
    return window;
  };
  const put = (name: string, content: string): void => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, name), content);
  };

  test('counts at once in the window that added it', () => {
    const window = open();
    window.add('a', { requests: 1, tokens: 10 });
    window.add('a', { requests: 1, tokens: 5 });
    window.add('b', { requests: 1, tokens: 1 });
    assert.deepEqual(window.today('a'), { requests: 2, tokens: 15 });
    assert.deepEqual(window.today('b'), { requests: 1, tokens: 1 });
    assert.deepEqual(window.today('c'), { requests: 0, tokens: 0 });
  });

  test('counts over all windows, and again after a reload', async () => {
    const [first, second] = [open(), open()];
    first.add('a', { requests: 1, tokens: 10 });
    second.add('a', { requests: 2, tokens: 20 });
    await Promise.all([first.flush(), second.flush()]);
    await Promise.all([first.refresh(), second.refresh()]);
    assert.deepEqual(first.today('a'), { requests: 3, tokens: 30 });
    assert.deepEqual(second.today('a'), { requests: 3, tokens: 30 });
    first.dispose();
    const reloaded = open();
    await reloaded.refresh();
    assert.deepEqual(reloaded.today('a'), { requests: 3, tokens: 30 });
  });

  test('writes one complete file for each window', async () => {
    const window = open();
    for (let count = 0; count < 100; count += 1) {
      window.add('a', { requests: 1, tokens: 1 });
      if (count % 10 === 0) {
        void window.flush();
      }
    }
    await window.flush();
    const names = readdirSync(folder);
    assert.equal(names.length, 1);
    assert.match(names[0] ?? '', /^2026-07-28-[0-9a-f-]{36}\.json$/);
    const other = open();
    await other.refresh();
    assert.deepEqual(other.today('a'), { requests: 100, tokens: 100 });
  });

  test('loses nothing when the window closes, also of what is being written', async () => {
    const window = open();
    window.add('a', { requests: 1, tokens: 10 });
    const writing = window.flush();
    window.add('a', { requests: 1, tokens: 10 });
    window.dispose();
    window.add('a', { requests: 1, tokens: 10 });
    await writing;
    const other = open();
    await other.refresh();
    assert.deepEqual(other.today('a'), { requests: 3, tokens: 30 });
  });

  test('starts again at local midnight', async () => {
    const [window, other] = [open(), open()];
    now = new Date(2026, 6, 28, 23, 59, 59).getTime();
    window.add('a', { requests: 1, tokens: 10 });
    await window.flush();
    await other.refresh();
    assert.equal(other.today('a').tokens, 10);
    now = new Date(2026, 6, 29).getTime();
    assert.equal(window.today('a').tokens, 0);
    assert.equal(other.today('a').tokens, 0);
    window.add('a', { requests: 1, tokens: 3 });
    await window.flush();
    await other.refresh();
    assert.equal(other.today('a').tokens, 3);
  });

  test('removes what is of earlier days, and nothing else', async () => {
    put(`2026-07-27-${UNKNOWN}.json`, '{}');
    put(`2026-07-27-${UNKNOWN}.json.tmp`, '{');
    put(`2026-07-29-${UNKNOWN}.json`, '{"a":{"requests":1,"tokens":1}}');
    put('2020-01-01.json', '{}');
    const window = open();
    await window.refresh();
    assert.deepEqual(readdirSync(folder).toSorted(), ['2020-01-01.json', `2026-07-29-${UNKNOWN}.json`]);
    assert.equal(window.today('a').tokens, 0);
  });

  for (const [what, content] of [
    ['is no JSON', '{"a":'],
    ['is empty', ''],
    ['is a list', '[]'],
    ['has no amounts', '{"a":{"requests":1}}'],
    ['has less than nothing', '{"a":{"requests":1,"tokens":-5}}'],
    ['has texts', '{"a":{"requests":"1","tokens":"5"}}'],
  ] as const) {
    test(`leaves out a file that ${what}, and says so once`, async () => {
      put(`2026-07-28-${UNKNOWN}.json`, content);
      const window = open();
      window.add('a', { requests: 1, tokens: 10 });
      await window.refresh();
      await window.refresh();
      assert.deepEqual(window.today('a'), { requests: 1, tokens: 10 });
      assert.equal(logged.length, 1);
      assert.match(logged[0] ?? '', /^The model usage of another window could not be read: /);
    });
  }

  test('leaves out a file that is not complete yet', async () => {
    put(`2026-07-28-${UNKNOWN}.json.tmp`, '{"a":{"requests":1,"tokens":10}}');
    const window = open();
    await window.refresh();
    assert.equal(window.today('a').tokens, 0);
    assert.deepEqual(logged, []);
  });

  test('reads what other windows wrote automatically, at most every two seconds', async () => {
    const reads: Promise<void>[] = [];
    class Counting extends TokenUsage {
      override refresh(): Promise<void> {
        const read = super.refresh();
        reads.push(read);
        return read;
      }
    }
    const window = new Counting(folder, () => now);
    windows.push(window);
    put(`2026-07-28-${UNKNOWN}.json`, '{"a":{"requests":1,"tokens":10}}');
    window.today('a');
    await reads[0];
    assert.equal(window.today('a').tokens, 10);
    now += 1_999;
    window.today('a');
    assert.equal(reads.length, 1);
    put(`2026-07-28-${UNKNOWN}.json`, '{"a":{"requests":1,"tokens":20}}');
    now += 1;
    window.today('a');
    await reads[1];
    assert.equal(window.today('a').tokens, 20);
    assert.equal(reads.length, 2);
  });

  test('counts in this window when nothing can be written, and says so once', async () => {
    mkdirSync(base, { recursive: true });
    writeFileSync(folder, 'a file where the folder should be');
    const window = open();
    window.add('a', { requests: 1, tokens: 10 });
    await window.flush();
    window.add('a', { requests: 1, tokens: 10 });
    await window.flush();
    assert.equal(window.today('a').tokens, 20);
    assert.deepEqual(
      logged.map((line) => /^[^:]+/.exec(line)?.[0]),
      ['Model usage could not be written'],
    );
    rmSync(folder);
    await window.flush();
    assert.equal(readdirSync(folder).length, 1);
  });
});
