import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { askLoginShell, loginShellOf, type ShellAnswer } from '../../../../src/host/checkUp/loginShell.ts';
import { isAlive, untilSeen } from '../../support/until.ts';

suite('The login shell', function () {
  let home: string;

  suiteSetup(function () {
    if (process.platform === 'win32') {
      this.skip();
    }
  });
  setup(() => (home = realpathSync(mkdtempSync(path.join(tmpdir(), 'mcp-host-')))));
  teardown(() => rm(home, { recursive: true, force: true }));

  const file = (name: string, text: string): string => {
    const at = path.join(home, name);
    writeFileSync(at, text, { mode: 0o755 });
    return at;
  };
  const ask = (command: string, shell: string, limitMs = 5_000): Promise<ShellAnswer> =>
    askLoginShell(
      command,
      { shell, env: { HOME: home, PATH: '/usr/bin:/bin' }, limitMs },
      new AbortController().signal,
    );

  test('is the one in the environment, or else what the system has for you', () => {
    assert.equal(loginShellOf({ SHELL: '/opt/bin/fish' }), '/opt/bin/fish');
    const { shell } = userInfo();
    const ofSystem = /\/(nologin|false)$/.test(shell ?? '') ? undefined : (shell ?? undefined);
    for (const env of [{}, { SHELL: 'bash' }, { SHELL: '/usr/sbin/nologin' }]) {
      assert.equal(loginShellOf(env), ofSystem, JSON.stringify(env));
    }
  });

  for (const shell of ['/bin/sh', '/bin/bash']) {
    test(`finds what its own start-up file puts on PATH: ${shell}`, async () => {
      const program = file('a-program', '#!/bin/sh\n');
      file('.profile', `echo 'Welcome back'; PATH="$HOME:$PATH"; echo '/not/the/answer'\n`);
      assert.deepEqual(await ask('a-program', shell), { kind: 'file', file: program });
      assert.deepEqual(await ask('no-such-program', shell), { kind: 'nothing' });
    });
  }

  test('gets a command with quotes and a substitution as a plain argument', async () => {
    const touched = path.join(home, 'touched');
    for (const command of [`"; touch ${touched}; "`, `$(touch ${touched})`, '-v', "' || true '"]) {
      assert.deepEqual(await ask(command, '/bin/bash'), { kind: 'nothing' });
    }
    assert.throws(() => readFileSync(touched), { code: 'ENOENT' });
  });

  test('knows functions and aliases that no process can be started with', async () => {
    file('.bash_profile', `lazy() { :; }\nalias short='sleep 1'\n`);
    assert.deepEqual(await ask('lazy', '/bin/bash'), { kind: 'ofShell', words: 'lazy' });
    assert.deepEqual(await ask('short', '/bin/bash'), { kind: 'ofShell', words: "alias short='sleep 1'" });
  });

  test('that does not end in time ends with all that it has started', async () => {
    const pids = path.join(home, 'pids');
    const shell = file('shell', `#!/bin/sh\nsleep 600 & echo $$ $! > ${pids}\nwait\n`);
    assert.deepEqual(await ask('npx', shell, 500), { kind: 'silent' });
    const started = readFileSync(pids, 'utf8').trim().split(' ').map(Number);
    assert.equal(started.length, 2);
    await untilSeen(() => !started.some(isAlive), 'the shell and its child are gone');
  });

  test('that answers, and then goes on, is not waited for', async () => {
    const shell = file('shell', `#!/bin/sh\n/bin/sh "$@"\nsleep 600\n`);
    const { kind } = await ask('ls', shell);
    assert.equal(kind, 'file');
  });

  test('that writes only noise, or is not there, could not be asked', async () => {
    const noisy = file('shell', `#!/bin/sh\nyes noise | head -c 1000000\n`);
    assert.deepEqual(await ask('npx', noisy), { kind: 'failed' });
    assert.deepEqual(await ask('npx', '/no/such/shell'), { kind: 'failed' });
  });
});
