import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, realpathSync, utimesSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { recordText, thisMachine, type GroupRecord } from '../../../../src/host/processes/groupRecord.ts';
import { sweepGroups } from '../../../../src/host/processes/sweepGroups.ts';
import { knownAs, ProcessGroups, type StartedGroup } from '../../support/processGroups.ts';
import { RecordingLogger } from '../../support/recordingLogger.ts';
import { isAlive } from '../../support/until.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

suite('The sweep', () => {
  const groups = new ProcessGroups();
  let folder: string;
  let logger: RecordingLogger;
  let group: StartedGroup;

  setup(async () => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'mcp-host-')));
    logger = new RecordingLogger();
    group = await groups.stubborn();
  });
  teardown(async () => {
    groups.end();
    await rm(folder, { recursive: true, force: true });
  });

  async function write(record: Partial<GroupRecord>, name = 'host.json', age = 0): Promise<void> {
    const host = await groups.ended();
    writeText(recordText({ machine: thisMachine(), host, groups: [group.leader], ...record }), name, age);
  }

  function writeText(text: string, name = 'host.json', age = 0): void {
    const time = new Date(Date.now() - age);
    writeFileSync(path.join(folder, name), text);
    utimesSync(path.join(folder, name), time, time);
  }

  /** What is there after the sweep. */
  async function swept(): Promise<{ readonly runs: boolean; readonly files: readonly string[] }> {
    await sweepGroups(folder, logger);
    const running = [group.leader.pid, group.child].filter(isAlive);
    assert.ok(running.length === 0 || running.length === 2);
    return { runs: running.length > 0, files: readdirSync(folder).sort() };
  }

  test('ends what hosts that are gone left behind, and nothing else', async () => {
    const here = knownAs(process.pid);
    const stubborn = await groups.stubborn();
    const orphaned = await groups.orphaned();
    const ofReusedId = await groups.stubborn();
    await write({ groups: [stubborn.leader, orphaned.leader] }, 'one.json');
    await write(
      { host: { pid: here.pid, start: here.start - 60_000 }, groups: [ofReusedId.leader] },
      'other.json',
    );
    assert.deepEqual(await swept(), { runs: true, files: [] });
    const pids = [stubborn, orphaned, ofReusedId].flatMap(({ leader, child }) => [leader.pid, child]);
    assert.deepEqual(pids.filter(isAlive), []);
    assert.equal(logger.lines.length, 2);
  });

  test('leaves alone what belongs to a host that runs', async () => {
    await write({ host: knownAs(process.pid) });
    assert.deepEqual(await swept(), { runs: true, files: ['host.json'] });
    assert.deepEqual(logger.lines, []);
  });

  test('leaves a process alone that started at another time', async () => {
    const { leader } = group;
    await write({ groups: [{ ...leader, start: leader.start - 60_000 }] });
    assert.deepEqual(await swept(), { runs: true, files: [] });
    assert.deepEqual(logger.lines, []);
  });

  test('touches nothing from before the start of the system', async () => {
    await write({ machine: { name: thisMachine().name, boot: 'another' } });
    assert.deepEqual(await swept(), { runs: true, files: [] });
  });

  test('touches nothing of another machine, whose file is removed after a month', async () => {
    const machine = { ...thisMachine(), name: 'another' };
    await write({ machine }, 'new.json');
    await write({ machine }, 'old.json', 31 * DAY_MS);
    assert.deepEqual(await swept(), { runs: true, files: ['new.json'] });
  });

  test('leaves a file of a later version alone', async () => {
    writeText('{"version":2}');
    assert.deepEqual(await swept(), { runs: true, files: ['host.json'] });
  });

  const broken: Readonly<Record<string, string>> = {
    'cut off': '{"version":1,',
    'no object': '[]',
    'without a version': '{}',
    'of all processes': recordText({
      machine: thisMachine(),
      host: { pid: 4711, start: 1 },
      groups: [{ pid: 1, start: 0, mark: 'x' }],
    }),
    'of nobody': JSON.stringify({ version: 1, machine: thisMachine(), groups: [] }),
  };
  for (const [what, text] of Object.entries(broken)) {
    test(`removes a file that is ${what}, and logs that`, async () => {
      writeText(text);
      assert.deepEqual(await swept(), { runs: true, files: [] });
      assert.match(logger.lines.join('\n'), /^warn: .*host\.json: It could not be read, and was removed\.$/);
    });
  }

  test('removes files that were being written when their host was killed', async () => {
    writeText('{', 'now.json.tmp');
    writeText('{', 'then.json.tmp', DAY_MS);
    assert.deepEqual(await swept(), { runs: true, files: ['now.json.tmp'] });
  });

  test('does nothing without files', async () => {
    await sweepGroups(path.join(folder, 'none'), logger);
    assert.deepEqual(logger.lines, []);
  });
});
