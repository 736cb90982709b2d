import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../editor/paths.mjs';

const mark = 'RUNNER_TEST';

suite('npm test', () => {
  let temporary: string;

  setup(() => {
    temporary = mkdtempSync(join(tmpdir(), 'runner-'));
  });
  teardown(() => {
    rmSync(temporary, { recursive: true, force: true });
  });

  test('leaves no process and no folder behind when it is interrupted', async function () {
    if (process.platform !== 'linux') {
      this.skip(); // the processes are found by their environment
    }
    const id = randomUUID();
    const runner = spawn(process.execPath, [join(root, 'test/run.mjs'), `no test has ${id} in its title`], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, TMPDIR: temporary, [mark]: id },
    });
    const ended = once(runner, 'exit');
    runner.stdout.resume();
    while (runner.exitCode === null && !commandsOf(id).some((command) => command.includes('mocha'))) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.equal(runner.exitCode, null, 'the runner ended before its first tier');
    assert.notDeepEqual(readdirSync(temporary), []);
    runner.kill('SIGINT');
    const [code] = (await ended) as [number];
    assert.equal(code, 130);
    assert.deepEqual(commandsOf(id), []);
    assert.deepEqual(readdirSync(temporary), []);
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
