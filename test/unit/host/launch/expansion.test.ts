import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { URI } from 'vscode-uri';
import type { DefinitionOrigin, InputDeclaration } from '../../../../src/host/config/serverDefinition.ts';
import { legacyServer, ofUser, stdioServer } from '../../support/definitions.ts';
import { HostBed } from '../../support/hostBed.ts';

const token: InputDeclaration = { type: 'promptString', id: 'token', password: true };

suite('The variables of a definition', () => {
  let bed: HostBed;
  let folder: { readonly uri: string; readonly name: string };
  let inFolder: DefinitionOrigin;
  setup(() => {
    bed = new HostBed();
    const directory = path.join(bed.bed.directory, 'folder');
    mkdirSync(directory);
    folder = { uri: pathToFileURL(directory).href, name: 'folder' };
    inFolder = { scope: 'folder', format: 'settings', place: `${folder.uri}/settings`, folder };
    bed.folders = [folder];
  });
  teardown(() => bed.close());

  test('are filled in after the launch was allowed, and not before', async () => {
    const asked: string[] = [];
    bed.inputs.get = (id) => {
      asked.push(id);
      return 'the secret';
    };
    const one = legacyServer(['--stderr=got ${input:token}'], { inputs: [token] });
    bed.configure([one]);
    assert.equal(bed.stateOf(one), 'awaitingApproval');
    assert.deepEqual(asked, []);
    bed.answerAll('allow');
    await bed.until(one, 'running');
    assert.deepEqual(asked, ['token']);
    assert.deepEqual(bed.of(one).definition.inputs, [token], 'the definition stays as it is written');
  });

  test('have values that appear in no log and no failure', async () => {
    bed.inputs.set('token', 's3cret-value');
    const script = 'console.error(process.argv[1], process.env.KEY); process.exit(3)';
    const one = stdioServer(['-e', script, '--', '${input:token}'], {
      env: { KEY: 'key-${input:token}' },
      inputs: [token],
    });
    bed.configure([one]);
    bed.answerAll('allow');
    await bed.until(one, 'failed');
    const { state } = bed.of(one);
    assert.ok(state.kind === 'failed');
    assert.match(state.reason.message, /exited with code 3: ••• •••$/);
    const log = bed.logs.get('server');
    assert.ok(log?.has('[stderr] ••• •••'));
    assert.ok(!log?.has('s3cret'));
  });

  test('make a server fail in words to act on, and it is not tried again', async () => {
    const one = legacyServer(['${env:NO_SUCH_VARIABLE}']);
    bed.configure([one]);
    bed.answerAll('allow');
    await bed.until(one, 'failed');
    const { state } = bed.of(one);
    assert.ok(state.kind === 'failed');
    assert.equal(state.reason.code, 'invalidDefinition');
    assert.match(state.reason.message, /^the environment variable NO_SUCH_VARIABLE/);
    assert.deepEqual(bed.bed.pids, []);
  });

  test('leave the server stopped when the user gives no value', async () => {
    const one = legacyServer(['${input:token}'], { inputs: [token] });
    bed.configure([one]);
    bed.answerAll('allow');
    await bed.until(one, 'stopped');
    assert.deepEqual(bed.bed.pids, []);
  });

  test('do not hold up a stop while the user is asked', async () => {
    const connection = bed.bed.connection(legacyServer(), { admit: () => new Promise(() => {}) });
    const started = assert.rejects(connection.start(), /Cancelled/);
    await connection.stop();
    await started;
    assert.equal(connection.state.kind, 'stopped');
  });

  test('and an envFile reach the process, in its own directory', async () => {
    mkdirSync(path.join(bed.bed.directory, 'folder', 'sub'));
    writeFileSync(path.join(bed.bed.directory, 'folder', '.env'), 'FROM_FILE=from-the-file\n');
    const script = 'console.error([process.cwd(), process.env.FROM_FILE].join()); process.exit(1)';
    const one = stdioServer(['-e', script], {
      origin: inFolder,
      cwd: '${workspaceFolder}/sub',
      envFile: '.env',
    });
    const directory = path.join(URI.parse(folder.uri).fsPath, 'sub');
    assert.equal(bed.host.resolve(one).workingDirectory, directory);
    bed.configure([one]);
    bed.answerAll('allow');
    await bed.until(one, 'failed');
    assert.ok(bed.logs.get('server')?.has(`${path.join('folder', 'sub')},•••`));
  });

  test('stay as written in a working directory that depends on an answer of the user', () => {
    const workingDirectory = (cwd: string): string =>
      bed.host.resolve(stdioServer([], { origin: ofUser, cwd, inputs: [token] })).workingDirectory;
    assert.equal(workingDirectory('${input:token}/x'), '${input:token}/x');
    bed.env['TOOLS'] = '/opt/tools';
    assert.equal(workingDirectory('${env:TOOLS}/x'), path.resolve(homedir(), '/opt/tools/x'));
  });

  test('are not looked up in a workspace that is not trusted', async () => {
    await bed.close();
    bed = new HostBed({ isTrusted: false });
    bed.env['TOOLS'] = '/opt/tools';
    const one = stdioServer(['${env:TOOLS}'], { envFile: '/nowhere/.env' });
    assert.deepEqual(bed.host.questionAbout(one).variables, [
      { written: '${env:TOOLS}', becomes: 'nothing: it has no value now' },
    ]);
    assert.equal(bed.envFileReads, 0);
  });
});
