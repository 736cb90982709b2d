import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DefinitionOrigin } from '../../../../src/host/config/serverDefinition.ts';
import { HostError } from '../../../../src/host/errors/hostError.ts';
import { isOnOtherMachine } from '../../../../src/host/folders/otherMachine.ts';
import { ofUser, stdioServer } from '../../support/definitions.ts';
import { startedAs } from '../../support/launches.ts';

suite('An envFile', () => {
  let top: string;
  let folder: string;
  setup(() => {
    top = realpathSync(mkdtempSync(path.join(tmpdir(), 'mcp-host-')));
    folder = path.join(top, 'folder');
    mkdirSync(folder);
  });
  teardown(() => rmSync(top, { recursive: true, force: true }));

  const inFolder = (): DefinitionOrigin => ({
    scope: 'folder',
    format: 'settings',
    place: 'file:///s',
    folder: { uri: pathToFileURL(folder).href, name: 'folder' },
  });

  async function environment(
    envFile: string,
    env: Readonly<Record<string, string>> = {},
    origin = inFolder(),
  ): Promise<Readonly<Record<string, string>>> {
    const { folder: own } = inFolder();
    const expanded = await startedAs(stdioServer([], { origin, env, envFile }), {
      folders: own ? [own] : [],
      home: top,
      env: { NAME: '.env', SECRET: 'from outside' },
      input: () => Promise.reject(new Error('asked for an input')),
    });
    assert.ok(expanded.type === 'stdio' && !('envFile' in expanded));
    return expanded.env;
  }

  function refused(work: Promise<unknown>, message: RegExp): Promise<void> {
    return assert.rejects(
      work,
      (error) =>
        error instanceof HostError && error.code === 'invalidDefinition' && message.test(error.message),
    );
  }

  test('is read in the dotenv form, from the folder that defines the server', async () => {
    writeFileSync(
      path.join(folder, '.env'),
      '\uFEFF# what it needs\nexport A=1\nB="two\nlines"\nC=\'three\' # so\nD=\n\n__proto__=x\n',
    );
    const env = await environment('${env:NAME}');
    assert.equal(env['A'], '1');
    assert.equal(env['B'], 'two\nlines');
    assert.equal(env['C'], 'three');
    assert.equal(env['D'], '');
    assert.equal(Object.getPrototypeOf(env), Object.prototype);
  });

  test('is beaten by env, and nothing in it is expanded', async () => {
    writeFileSync(path.join(folder, '.env'), 'A=file\nB=${env:SECRET} $SECRET ${SECRET} $A\n');
    assert.deepEqual(await environment('.env', { A: 'env' }), {
      A: 'env',
      B: '${env:SECRET} $SECRET ${SECRET} $A',
    });
  });

  test('of the user is taken from the home directory, wherever it leads', async () => {
    writeFileSync(path.join(top, 'mine.env'), 'A=1\n');
    assert.deepEqual(await environment('mine.env', {}, ofUser), { A: '1' });
    assert.deepEqual(await environment('./folder/../mine.env', {}, ofUser), { A: '1' });
  });

  test('that is missing says which', async () => {
    await refused(environment('lost.env'), /folder[\\/]lost\.env does not exist$/);
  });

  test('that leads out of its folder is refused, by name or by link', async () => {
    const outside = path.join(top, 'outside.env');
    writeFileSync(outside, 'A=1\n');
    await refused(environment('../outside.env'), /lies outside of .*: use an absolute path$/);
    await refused(environment('x/../../outside.env'), /lies outside of/);
    symlinkSync(outside, path.join(folder, 'link.env'));
    await refused(environment('link.env'), /lies outside of/);
    assert.deepEqual(await environment(outside), { A: '1' }, 'what the user is shown is read');
  });

  test('whose name only begins with two dots is within its folder', async () => {
    writeFileSync(path.join(folder, '..env'), 'A=1\n');
    assert.deepEqual(await environment('..env'), { A: '1' });
  });

  test('with a NUL character is refused, without its values', async () => {
    writeFileSync(path.join(folder, '.env'), 'TOKEN=s3cret\0value\n');
    await refused(environment('.env'), /envFile \S+ has a NUL character in it$/);
  });

  test('that is a directory, or larger than 1 MB, is refused', async () => {
    await refused(environment('.'), /is a directory$/);
    writeFileSync(path.join(folder, 'huge'), `A=${'x'.repeat(1024 * 1024)}`);
    await refused(environment('huge'), /is larger than 1 MB$/);
    writeFileSync(path.join(folder, 'large'), `A=${'x'.repeat(1024 * 1024 - 2)}`);
    assert.equal((await environment('large'))['A']?.length, 1024 * 1024 - 2);
  });

  test('with more than 1,000 lines of values is refused', async () => {
    const lines = (count: number): string =>
      Array.from({ length: count }, (_, index) => `A${index}=secret${index}\n`).join('');
    writeFileSync(path.join(folder, 'most'), lines(1_000));
    assert.equal(Object.keys(await environment('most')).length, 1_000);
    writeFileSync(path.join(folder, 'more'), lines(1_001));
    await refused(environment('more'), /has more than 1,000 lines of values$/);
    writeFileSync(path.join(folder, 'one'), `A="${'secret\\n'.repeat(1_000)}"`);
    await refused(environment('one'), /has more than 1,000 lines of values$/);
  });

  test('that is a FIFO is refused at once', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    execFileSync('mkfifo', [path.join(folder, 'fifo')]);
    await refused(environment('fifo'), /isn't a regular file$/);
  });
});

suite('The path of an envFile on Windows', () => {
  const isElsewhere = (file: string, base: string): boolean =>
    isOnOtherMachine(path.win32.resolve(base, file), base, path.win32);

  for (const file of [
    '\\\\host\\share\\.env',
    '//host/share/.env',
    '\\\\?\\UNC\\host\\share\\.env',
    '\\\\.\\pipe\\env',
  ]) {
    test(`leads to another machine or a device: ${file}`, () =>
      assert.equal(isElsewhere(file, 'C:\\work'), true));
  }

  for (const file of [
    '.env',
    'D:\\keys\\.env',
    '\\keys\\.env',
    'C:.env',
    '..\\.env',
    'C:\\\\host\\share\\.env',
  ]) {
    test(`stays on this machine: ${file}`, () => assert.equal(isElsewhere(file, 'C:\\work'), false));
  }

  test('stays on the machine that the folder is on', () => {
    assert.equal(isElsewhere('.env', '\\\\Host\\share\\work'), false);
    assert.equal(isElsewhere('\\\\host\\SHARE\\.env', '\\\\Host\\share\\work'), false);
    assert.equal(isElsewhere('\\\\other\\share\\.env', '\\\\Host\\share\\work'), true);
  });

  test('is no other machine on other systems', () =>
    assert.equal(isOnOtherMachine(path.posix.resolve('/work', '//host/share'), '/work', path.posix), false));
});
