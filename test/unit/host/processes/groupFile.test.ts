import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { GroupFile } from '../../../../src/host/processes/groupFile.ts';
import { readRecord, thisMachine } from '../../../../src/host/processes/groupRecord.ts';
import { RecordingLogger } from '../../support/recordingLogger.ts';

suite('The file of the process groups', () => {
  const owner = { machine: thisMachine(), host: { pid: 4711, start: 1 } };
  const [one, other] = [
    { pid: 4712, start: 2, mark: 'a' },
    { pid: 4713, start: 3, mark: 'b' },
  ];
  let folder: string;
  let logger: RecordingLogger;

  setup(() => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'mcp-host-')));
    logger = new RecordingLogger();
  });
  teardown(() => rm(folder, { recursive: true, force: true }));

  test('has those that run, and is removed with the last', async () => {
    const file = new GroupFile(path.join(folder, 'processes'), owner, logger);
    file.begun(one);
    file.begun(other);
    file.gone(one);
    await file.close();
    const [name = '', ...more] = readdirSync(path.join(folder, 'processes'));
    assert.deepEqual(more, []);
    const written = path.join(folder, 'processes', name);
    const record = { ...owner, groups: [other] };
    assert.deepEqual(readRecord(readFileSync(written, 'utf8')), { kind: 'record', record });
    if (process.platform !== 'win32') {
      assert.equal(statSync(written).mode & 0o777, 0o600);
    }
    file.gone(other);
    await file.close();
    assert.deepEqual(readdirSync(path.join(folder, 'processes')), []);
  });

  test('says once that it cannot be written', async () => {
    writeFileSync(path.join(folder, 'processes'), 'in the way');
    const file = new GroupFile(path.join(folder, 'processes'), owner, logger);
    file.begun(one);
    await file.close();
    file.begun(other);
    await file.close();
    assert.equal(logger.lines.length, 1);
    assert.match(logger.lines[0] ?? '', /^warn: The list of running processes could not be saved: /);
  });
});
