import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { taskkill } from '../../../../src/host/processes/taskkill.ts';
import { isAlive, untilSeen } from '../../support/until.ts';

suite('Ending a tree of processes on Windows', () => {
  let directory: string;
  suiteSetup(function () {
    if (process.platform === 'win32') {
      // A program in place of Windows' own is a script, which Windows would not run.
      this.skip();
    }
  });
  setup(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'mcp-host-'));
  });
  teardown(() => rm(directory, { recursive: true, force: true }));

  /** Something to be run in place of Windows' program. */
  function program(script: string): string {
    const file = path.join(directory, 'program');
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
    return file;
  }

  test('forces the process and its children to end, and waits until that is done', async () => {
    const record = path.join(directory, 'arguments');
    await taskkill(4711, program(`sleep 0.2; echo "$*" > '${record}'`), 15_000);
    assert.equal(readFileSync(record, 'utf8'), '/T /F /PID 4711\n');
  });

  test('waits no longer than its time, and leaves nothing behind', async () => {
    const record = path.join(directory, 'pid');
    await taskkill(4711, program(`echo $$ > '${record}'; exec sleep 1000`), 1_500);
    const pid = Number(readFileSync(record, 'utf8'));
    await untilSeen(() => !isAlive(pid), 'the program is gone');
  });

  test('ends if there is no such program', () => taskkill(4711, path.join(directory, 'none'), 15_000));
});
