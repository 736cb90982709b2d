import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { globSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { copyCheckout } from '../../editor/copyCheckout.ts';
import { codeServerFolder } from '../../editor/paths.mjs';
import { TemporaryFolder } from '../../editor/temporaryFolder.ts';
import { untilSeen } from '../support/until.ts';

const mark = 'RUNNER_TEST';

suite('npm test', () => {
  /** A copy: a run builds the extension, and those who test this checkout would find that half done. */
  let checkout: TemporaryFolder;
  let temporary: string;

  setup(() => {
    checkout = new TemporaryFolder('runner');
    copyCheckout(checkout.path, ['dist']);
    temporary = checkout.join('temporary');
    mkdirSync(temporary);
  });
  teardown(() => checkout.remove());

  /** Starts it with tests that aren't there, and waits until its first tier runs. */
  async function started(id: string): Promise<ChildProcess> {
    const runner = spawn(process.execPath, ['test/run.mjs', `no test has ${id} in its title`], {
      cwd: checkout.path,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        TMPDIR: temporary,
        CODE_SERVER_DIR: dirname(codeServerFolder),
        [mark]: id,
      },
    });
    runner.stdout.resume();
    await untilSeen(
      () => runner.exitCode !== null || commandsOf(id).some((command) => command.includes('mocha')),
      'its first tier runs',
    );
    assert.equal(runner.exitCode, null, 'the runner ended before its first tier');
    assert.notDeepEqual(readdirSync(temporary), []);
    return runner;
  }

  test('leaves no process and no folder behind when it is interrupted', async function () {
    if (process.platform !== 'linux') {
      this.skip(); // the processes are found by their environment
    }
    const id = randomUUID();
    const runner = await started(id);
    const ended = once(runner, 'exit');
    runner.kill('SIGINT');
    const [code] = (await ended) as [number];
    assert.equal(code, 130);
    assert.deepEqual(commandsOf(id), []);
    assert.deepEqual(readdirSync(temporary), []);
  });

  test('ends and removes what a run has left that was killed', async function () {
    if (process.platform !== 'linux') {
      this.skip();
    }
    const [first, second] = [randomUUID(), randomUUID()];
    const killed = await started(first);
    const left = readdirSync(temporary);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    const runner = await started(second);
    assert.deepEqual(commandsOf(first), []);
    assert.deepEqual(
      readdirSync(temporary).filter((name) => left.includes(name)),
      [],
    );
    const ended = once(runner, 'exit');
    runner.kill('SIGINT');
    await ended;
    assert.deepEqual(readdirSync(temporary), []);
    assert.deepEqual(
      readdirSync(checkout.join('out/test')).filter((name) => name.startsWith('run-')),
      [],
    );
  });
});

/** The command lines of the processes that a run with that id has started, with their own. */
function commandsOf(id: string): readonly string[] {
  return globSync('/proc/[0-9]*').flatMap((process) =>
    read(join(process, 'environ')).split('\0').includes(`${mark}=${id}`)
      ? [read(join(process, 'cmdline')).replaceAll('\0', ' ')]
      : [],
  );
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // it has ended in the meantime
  }
}
