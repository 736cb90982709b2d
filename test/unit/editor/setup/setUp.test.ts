import assert from 'node:assert/strict';
import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { root } from '../../../editor/paths.mjs';
import { TemporaryFolder } from '../../../editor/temporaryFolder.ts';

const installed = { 'node_modules/a': { version: '1.0.0' }, 'node_modules/b': { version: '2.0.0' } };
const missing = { 'node_modules/of-another-system': { version: '3.0.0', optional: true } };
const begin = 'node test/editor/setup.mjs ';

suite('the set-up', () => {
  let checkout: TemporaryFolder;
  let shared: TemporaryFolder;

  /** A checkout of the set-up alone, with an npm that only notes what it is asked. */
  setup(() => {
    checkout = new TemporaryFolder('checkout');
    shared = new TemporaryFolder('shared');
    cpSync(join(root, 'test/editor'), checkout.join('test/editor'), { recursive: true });
    writeLock({ ...installed, ...missing });
    mkdirSync(checkout.join('bin'));
    writeFileSync(checkout.join('bin/npm'), `#!/bin/sh\necho "$@" >> ${checkout.join('asked')}\n`, {
      mode: 0o755,
    });
  });

  teardown(() => {
    checkout.remove();
    shared.remove();
  });

  function writeLock(packages: object): void {
    writeFileSync(checkout.join('package-lock.json'), JSON.stringify({ packages: { '': {}, ...packages } }));
  }

  /** What each npm leaves behind: packages, here only Node 24, and a list of them. */
  function install(): void {
    mkdirSync(checkout.join('node_modules'));
    symlinkSync(join(root, 'node_modules/node'), checkout.join('node_modules/node'));
    writeFileSync(
      checkout.join('node_modules/.package-lock.json'),
      JSON.stringify({ packages: { ...installed } }),
    );
  }

  function run(...parameters: readonly string[]): SpawnSyncReturns<string> {
    const path = [checkout.join('bin'), dirname(process.execPath), process.env['PATH']].join(delimiter);
    return spawnSync(process.execPath, ['test/editor/setup.mjs', ...parameters], {
      cwd: checkout.path,
      encoding: 'utf8',
      env: { ...process.env, PATH: path },
    });
  }

  function asked(): string {
    return existsSync(checkout.join('asked')) ? readFileSync(checkout.join('asked'), 'utf8') : '';
  }

  test('leaves alone what a plain npm ci has installed', () => {
    install();
    const { status, stdout, stderr } = run('build');
    assert.deepEqual([status, stdout, stderr, asked()], [0, '', '', '']);
  });

  test('installs again when the lock file names another version', () => {
    install();
    writeLock({ ...installed, 'node_modules/b': { version: '2.1.0' } });
    assert.equal(run('build').status, 0);
    assert.match(asked(), /^ci /);
  });

  test('runs a program under Node 24 once everything is there, and gives its exit code', () => {
    install();
    const code = "console.log(process.version, process.argv[1]); process.exitCode = require('child_process')";
    const { status, stdout } = run(
      'build',
      'node',
      '-e',
      `${code}.spawnSync('node', ['-e', 'process.exit(7)']).status`,
      'x',
    );
    assert.match(stdout, /^v24\..* x\n$/);
    assert.equal(status, 7);
  });

  test('changes nothing through a link to what another checkout has installed', () => {
    writeFileSync(shared.join('used'), 'by others');
    symlinkSync(shared.path, checkout.join('node_modules'));
    for (const what of ['build', 'browser', 'editor']) {
      const { status, stderr } = run(what);
      assert.equal(status, 1);
      assert.match(stderr, /'node_modules' is a link/);
    }
    assert.equal(asked(), '');
    assert.deepEqual(readdirSync(shared.path), ['used']);
    assert.ok(lstatSync(checkout.join('node_modules')).isSymbolicLink());
    assert.equal(existsSync(checkout.join('.code-server')), false);
  });

  test('says what it is for', () => {
    const { status, stderr } = run('unknown');
    assert.equal(status, 1);
    assert.match(stderr, /no set-up for 'unknown', only for build, unit, /);
  });

  test('comes first in each script of package.json', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    const others = Object.entries(scripts).filter(([, script]) => !script.startsWith(begin));
    assert.deepEqual(Object.fromEntries(others), {
      start: 'node test/editor/start.mjs', // set up for the editor that they choose
      test: 'node test/run.mjs',
    });
    // The shell would use the Node again that it found before.
    const again = Object.entries(scripts).filter(([, script]) => /&& node /.test(script));
    assert.deepEqual(again, []);
  });
});
