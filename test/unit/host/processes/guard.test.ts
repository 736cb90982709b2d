import assert from 'node:assert/strict';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { GuardProcess } from '../../../../src/host/processes/guardProcess.ts';
import { sweepGroups } from '../../../../src/host/processes/sweepGroups.ts';
import { guardScript, guardsOf, knownAs, ProcessGroups } from '../../support/processGroups.ts';
import { RecordingLogger } from '../../support/recordingLogger.ts';
import { isAlive, untilSeen } from '../../support/until.ts';

const hostScript = fileURLToPath(new URL('../../support/guardedHost.ts', import.meta.url));

suite('A host that is killed', () => {
  let directory: string;
  let folder: string;
  let host: ChildProcessByStdio<Writable, Readable, null>;
  let lines: AsyncIterator<string>;
  let processes: readonly number[];
  let guard: number;

  setup(async () => {
    directory = realpathSync(mkdtempSync(path.join(tmpdir(), 'mcp-host-')));
    folder = path.join(directory, 'processes');
    host = spawn(process.execPath, [hostScript, folder], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, TMPDIR: directory },
    });
    lines = createInterface({ input: host.stdout })[Symbol.asyncIterator]();
    processes = JSON.parse(await nextLine()) as readonly number[];
    const [found, ...others] = guardsOf(host.pid ?? 0);
    assert.ok(found !== undefined && others.length === 0, 'one guard');
    guard = found;
  });
  teardown(async () => {
    const left = [host.pid ?? 0, guard, ...processes].filter(isAlive);
    left.forEach((pid) => process.kill(pid, 'SIGKILL'));
    await rm(directory, { recursive: true, force: true });
    assert.deepEqual(left, [], 'a process was left behind');
  });

  async function nextLine(): Promise<string> {
    return String((await lines.next()).value);
  }

  test('leaves neither servers nor grandchildren that ignore signals, nor its guard', async () => {
    assert.equal(processes.length, process.platform === 'linux' ? 4 : 3);
    host.kill('SIGKILL');
    await untilSeen(() => !processes.some(isAlive), 'servers and grandchild are gone');
    await untilSeen(() => !isAlive(guard), 'the guard is gone');
  });

  test('together with its guard leaves processes that the next host ends', async () => {
    const logger = new RecordingLogger();
    host.kill('SIGKILL');
    process.kill(guard, 'SIGKILL');
    await once(host, 'exit');
    await untilSeen(() => !isAlive(guard), 'the guard is gone');
    assert.deepEqual(processes.filter(isAlive), processes);
    await sweepGroups(folder, logger);
    assert.deepEqual(processes.filter(isAlive), []);
    assert.deepEqual(readdirSync(folder), []);
    assert.match(logger.lines.join('\n'), /^info: .*Ended processes that the window left behind: \d+, \d+\./);
  });

  test('after it closed leaves neither a guard nor a file', async () => {
    assert.equal(readdirSync(folder).length, 1);
    host.stdin.end();
    assert.match(
      await nextLine(),
      /^\[("info: Ended processes that had left their group: \d+ \(node\)\.")?\]$/,
    );
    assert.equal(await nextLine(), 'closed');
    assert.equal(isAlive(guard), false);
    assert.deepEqual(readdirSync(folder), []);
    await once(host, 'exit');
  });
});

suite('The guard', () => {
  const groups = new ProcessGroups();
  let logger: RecordingLogger;
  let guard: GuardProcess;

  setup(() => {
    logger = new RecordingLogger();
    guard = new GuardProcess(guardScript, logger);
  });
  teardown(async () => {
    groups.end();
    await guard.close();
    await untilSeen(() => guardsOf(process.pid).length === 0, 'no guard is left');
  });

  test('runs while there is a group', async () => {
    assert.deepEqual(guardsOf(process.pid), []);
    const [one, other] = [(await groups.stubborn()).leader, (await groups.stubborn()).leader];
    guard.begun(one);
    guard.begun(other);
    const { pid } = guard;
    assert.deepEqual(guardsOf(process.pid), [pid]);
    guard.gone(one);
    assert.equal(guard.pid, pid);
    guard.gone(other);
    await untilSeen(() => guardsOf(process.pid).length === 0, 'the guard is gone');
    assert.deepEqual([one.pid, other.pid].filter(isAlive), [one.pid, other.pid]);
  });

  test('that was killed is started again, and gets all groups', async () => {
    const { leader, child } = await groups.stubborn();
    guard.begun(leader);
    const { pid } = guard;
    process.kill(pid ?? 0, 'SIGKILL');
    await untilSeen(() => guard.pid !== undefined && guard.pid !== pid, 'another guard runs');
    await guard.close();
    await untilSeen(() => ![leader.pid, child].some(isAlive), 'the group has ended');
  });

  test('that does not run is tried a few times, with one warning', async () => {
    guard = new GuardProcess(`${guardScript}.none`, logger);
    const one = (await groups.stubborn()).leader;
    guard.begun(one);
    await untilSeen(() => logger.lines.length > 0, 'a line in the log');
    guard.begun((await groups.stubborn()).leader);
    guard.gone(one);
    assert.equal(guard.pid, undefined);
    assert.equal(logger.lines.length, 1);
    assert.match(
      logger.lines[0] ?? '',
      /^warn: The guard does not run: it ended again and again\. Servers run/,
    );
  });

  test('that cannot be started leads to one warning', async () => {
    const { execPath } = process;
    const [one, other] = [(await groups.stubborn()).leader, (await groups.stubborn()).leader];
    process.execPath = path.join(tmpdir(), 'none', 'node');
    try {
      guard.begun(one);
      guard.begun(other);
    } finally {
      process.execPath = execPath;
    }
    await untilSeen(() => logger.lines.length > 0, 'a line in the log');
    guard.gone(other);
    assert.equal(guard.pid, undefined);
    assert.match(
      logger.lines.join('\n'),
      /^warn: The guard does not run: spawn \S+ ENOENT\. Servers run .*$/,
    );
  });

  test('ends the members of a group whose leader is gone', async () => {
    const { leader, child } = await groups.orphaned();
    guard.begun(leader);
    await guard.close();
    await untilSeen(() => !isAlive(child), 'the member has ended');
  });

  const polite = {
    'the end of its input':
      'process.stdin.resume().once("end", () => setTimeout(() => process.exit(7), 300))',
    SIGTERM:
      'process.once("SIGTERM", () => setTimeout(() => process.exit(7), 300)); setInterval(() => {}, 1e6)',
  };
  for (const [what, script] of Object.entries(polite)) {
    test(`gives a process time to end that obeys ${what}`, async () => {
      const child = groups.run(`${script}; console.log("ready")`);
      await once(child.stdout, 'data');
      guard.begun(knownAs(child.pid ?? 0));
      child.stdin.end();
      await guard.close();
      assert.deepEqual(child.exitCode === null ? await once(child, 'exit') : [child.exitCode, null], [
        7,
        null,
      ]);
    });
  }

  test('leaves a process alone that started at another time', async () => {
    const { leader, child } = await groups.stubborn();
    guard.begun({ ...leader, start: leader.start - 1 });
    await guard.close();
    await untilSeen(() => guardsOf(process.pid).length === 0, 'the guard has done its work');
    assert.deepEqual([leader.pid, child].filter(isAlive), [leader.pid, child]);
  });

  test('is in its own session, uses no folder, and gets few variables', async function () {
    if (process.platform !== 'linux') {
      this.skip();
    }
    const { PATH: searched = '' } = process.env;
    process.env['SECRET_OF_A_TEST'] = 'yes';
    try {
      guard.begun((await groups.stubborn()).leader);
    } finally {
      delete process.env['SECRET_OF_A_TEST'];
    }
    const { pid = 0 } = guard;
    const [, , , session] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    assert.equal(Number(session), pid);
    assert.equal(realpathSync(`/proc/${pid}/cwd`), '/');
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean).sort();
    assert.deepEqual(environment, ['ELECTRON_RUN_AS_NODE=1', `PATH=${searched}`]);
  });
});
