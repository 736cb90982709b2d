import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { endWithOutsiders } from '../../../../src/host/processes/endOutsiders.ts';
import { GuardedProcesses } from '../../../../src/host/processes/guardedProcesses.ts';
import { MARK, type LaunchedGroup } from '../../../../src/host/processes/processTable.ts';
import { systemProcesses } from '../../../../src/host/processes/systemProcesses.ts';
import { ConnectionBed, textOf } from '../../support/connectionBed.ts';
import { legacyServer } from '../../support/definitions.ts';
import { guardScript, ProcessGroups } from '../../support/processGroups.ts';
import { RecordingLogger } from '../../support/recordingLogger.ts';
import { isAlive, untilSeen } from '../../support/until.ts';

const linuxTable = fileURLToPath(
  new URL('../../../../src/host/processes/systemProcesses.ts', import.meta.url),
);

suite('What a launch starts outside its group', () => {
  let bed: ConnectionBed;
  let logger: RecordingLogger;
  let processes: GuardedProcesses;
  const groups = new ProcessGroups();
  const table = systemProcesses();
  setup(function () {
    if (process.platform !== 'linux') {
      this.skip(); // only there can the environment of a process be read
    }
    bed = new ConnectionBed();
    logger = new RecordingLogger();
    processes = new GuardedProcesses({ guard: guardScript, folder: bed.directory }, logger);
  });
  teardown(async () => {
    if (process.platform === 'linux') {
      groups.end();
      await bed.close();
      await processes.close();
    }
  });

  /** A server, and what it has started there. */
  async function startedWith(...where: readonly string[]) {
    const connection = bed.connection(legacyServer(), { processes });
    await connection.start();
    const pids: number[] = [];
    for (const one of where) {
      pids.push(Number(await textOf(connection.callTool('spawn', { where: one }))));
    }
    pids.forEach((pid) => bed.track(pid));
    assert.deepEqual(pids.filter(isAlive), pids);
    return { connection, pids };
  }

  test('ends with a server that is stopped, even without the variables of the launch', async () => {
    const { connection, pids } = await startedWith('outside', 'unmarked');
    await connection.stop();
    assert.deepEqual(pids.filter(isAlive), []);
    assert.match(
      logger.lines.join('\n'),
      /^info: Ended processes that had left their group: \d+ \(node\), \d+/,
    );
  });

  test('ends with a server that dies', async () => {
    const { connection, pids } = await startedWith('outside');
    await connection.callTool('die', { code: 1, stderr: '' }).catch(() => {});
    await untilSeen(() => !pids.some(isAlive), 'what it has started is gone');
  });

  /** What is left of processes with the mark of a launch that has ended, and of others. */
  async function end(group: LaunchedGroup, editor = 0): Promise<void> {
    await endWithOutsiders([group], { table, editor, logger }, () => Promise.resolve());
  }

  const launched = async (): Promise<LaunchedGroup> => ({ ...(await groups.ended()), mark: randomUUID() });

  test('is left alone if it has a terminal, and named', async () => {
    const group = await launched();
    const terminal = spawn('script', ['-qc', `${MARK}=${group.mark} exec sleep 1000`, '/dev/null'], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const sleeping = (): number =>
      Number(
        execFileSync('ps', ['--ppid', String(terminal.pid), '-o', 'pid=,comm='], { encoding: 'utf8' })
          .split('\n')
          .find((line) => line.includes('sleep'))
          ?.trim()
          .split(' ')[0] ?? 0,
      );
    try {
      await untilSeen(() => {
        try {
          return sleeping() > 0;
        } catch {
          return false;
        }
      }, 'the program in the terminal runs');
      const pid = sleeping();
      await end(group);
      assert.ok(isAlive(pid));
      assert.deepEqual(logger.lines, [
        `warn: Left running, because they are part of the editor or have a terminal: ${pid} (sleep).`,
      ]);
    } finally {
      terminal.kill('SIGKILL');
      await once(terminal, 'exit');
    }
  });

  test('is left alone if it is part of the editor', async () => {
    const group = await launched();
    const script = `const { spawn } = require('node:child_process');
      const env = { ...process.env, ${MARK}: '${group.mark}' };
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { env, stdio: 'ignore' });
      console.log(child.pid); setInterval(() => {}, 1e6);`;
    const editor = groups.run(script);
    const [line] = (await once(createInterface({ input: editor.stdout }), 'line')) as [string];
    await end(group, editor.pid);
    assert.ok(isAlive(Number(line)));
    assert.match(logger.lines.join('\n'), /^warn: Left running/);
    await end(group);
    assert.ok(!isAlive(Number(line)), 'it is nobody else’s');
  });

  test('is left alone if its mark is older than the launch, or another process has its id by now', async () => {
    const group = await launched();
    const env = { ...process.env, [MARK]: group.mark };
    const { pid = 0 } = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], {
      env,
      stdio: 'ignore',
    });
    bed.track(pid);
    await end({ ...group, start: (table.startOf(pid) ?? 0) + 1 });
    assert.ok(isAlive(pid), 'it was there before the launch');
    const gone = { pid, start: (table.startOf(pid) ?? 0) - 1, name: 'node', isSpared: false };
    const outdated = {
      ...table,
      outsidersOf: () => Promise.resolve([gone]),
      isRunning: () => Promise.resolve(true),
    };
    await endWithOutsiders([group], { table: outdated, editor: 0, logger }, () => Promise.resolve());
    assert.ok(isAlive(pid), 'it is not the one that was found');
    await end(group);
    assert.ok(!isAlive(pid), 'it is the one of this launch');
  });

  test('is left alone if another user runs it', async function () {
    if (process.getuid?.() !== 0) {
      this.skip(); // nobody else reads the environment of another user's process
    }
    const group = await launched();
    const env = { ...process.env, [MARK]: group.mark };
    const other = spawn('sleep', ['1000'], { uid: 65_534, env, stdio: 'ignore' });
    const gone = once(other, 'exit');
    try {
      await end(group);
      assert.ok(isAlive(other.pid ?? 0));
    } finally {
      other.kill('SIGKILL');
      await gone;
    }
  });

  test('never is the process that looks, or one above it', () => {
    const mark = randomUUID();
    const script = `import { systemProcesses } from ${JSON.stringify(linuxTable)};
      const found = await systemProcesses().outsidersOf({ pid: process.pid + 1e6, start: 0, mark: '${mark}' }, 0);
      console.log(JSON.stringify(found.map(({ pid, isSpared }) => [pid === process.pid, isSpared])));`;
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      env: { ...process.env, [MARK]: mark },
    });
    assert.deepEqual(JSON.parse(printed), [[true, true]]);
  });
});
