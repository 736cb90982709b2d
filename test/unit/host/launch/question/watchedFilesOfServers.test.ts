import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { legacyServer, serverUrl, stdioServer } from '../../../support/definitions.ts';
import { HostBed } from '../../../support/hostBed.ts';
import type { LaunchQuestion } from '../../../../../src/host/launch/question/launchQuestion.ts';

suite('A server whose script is compared before each start', () => {
  let bed: HostBed;
  let script: string;
  setup(() => {
    bed = new HostBed();
    const folder = path.join(bed.bed.directory, 'tools');
    mkdirSync(folder);
    script = path.join(folder, 'x.mjs');
    writeFileSync(script, `await import(${JSON.stringify(serverUrl('legacyServer'))});\n`);
    one = stdioServer([script], { name: 'one' });
  });
  teardown(() => bed.close());

  let one = stdioServer([]);
  const question = (): LaunchQuestion => {
    const [asked] = bed.launches;
    assert.ok(asked, 'it is asked about');
    return asked;
  };
  const allow = async (files: readonly string[] | undefined): Promise<void> => {
    bed.questions.answer(question(), { answer: 'allow', roots: [], ...(files && { files }) });
    await bed.until(one, 'running');
  };
  const stop = async (): Promise<void> => {
    await bed.host.stop(one.id);
    await bed.until(one, 'stopped');
  };

  test('is asked about again when it has changed, and says which file', async () => {
    bed.configure([one]);
    assert.deepEqual(
      question().files?.map(({ path: file, isProposed }) => [file, isProposed]),
      [[script, false]],
    );
    await allow([script]);
    await stop();
    await bed.host.start(one.id);
    await bed.until(one, 'running');
    await stop();
    appendFileSync(script, '// evil\n');
    await bed.host.start(one.id);
    assert.equal(bed.stateOf(one), 'awaitingApproval', 'nothing runs that nobody has allowed');
    assert.deepEqual(question().changes, ['"x.mjs" has changed since you allowed it.']);
    assert.deepEqual(
      question().files?.map(({ isProposed }) => isProposed),
      [true],
      'it stays watched',
    );
    await allow(undefined);
    await stop();
    appendFileSync(script, '// more\n');
    await bed.host.start(one.id);
    assert.equal(bed.stateOf(one), 'awaitingApproval');
  });

  test('is asked about again before it comes back by a restart', async () => {
    bed.configure([one]);
    await allow([script]);
    appendFileSync(script, '// evil\n');
    await bed.host.restart(one.id);
    await bed.until(one, 'awaitingApproval');
    assert.equal(bed.launches.length, 1);
  });

  test('runs on when its file and some other decision change', async () => {
    const other = legacyServer([], { name: 'other' });
    bed.configure([one, other]);
    const [first, second] = bed.launches;
    assert.ok(first && second);
    bed.questions.answer(first, { answer: 'allow', roots: [], files: [script] });
    await bed.until(one, 'running');
    const pid = bed.pidOf(one);
    appendFileSync(script, '// edited\n');
    bed.questions.answer(second, { answer: 'allow', roots: [] });
    await bed.until(other, 'running');
    await bed.decisions.settled();
    assert.equal(bed.stateOf(one), 'running');
    assert.equal(bed.pidOf(one), pid);
  });

  test('is asked about what changed while the question waited', async () => {
    bed.configure([one]);
    const asked = question();
    appendFileSync(script, '// evil\n');
    bed.questions.answer(asked, { answer: 'allow', roots: [], files: [script] });
    await bed.decisions.settled();
    assert.equal(bed.stateOf(one), 'awaitingApproval', 'that nobody has seen');
    assert.deepEqual(question().changes, ['"x.mjs" has changed since you allowed it.']);
    await allow(undefined);
  });

  test('is asked about again when a link leads elsewhere, and when the file is gone', async () => {
    const moved = path.join(path.dirname(script), 'real.mjs');
    renameSync(script, moved);
    symlinkSync(moved, script);
    bed.configure([one]);
    await allow([script]);
    await stop();
    const evil = path.join(path.dirname(script), 'evil.mjs');
    writeFileSync(evil, 'process.exit(1);\n');
    rmSync(script);
    symlinkSync(evil, script);
    await bed.host.start(one.id);
    assert.equal(bed.stateOf(one), 'awaitingApproval');
    rmSync(script);
    const { changes, files } = bed.host.questionAbout(bed.of(one).definition);
    assert.match(changes[0] ?? '', /^"x\.mjs" can no longer be read/);
    assert.equal(files, undefined);
  });

  test('is asked about again when it changes while you are asked for an input', async () => {
    const inputs = [{ type: 'promptString', id: 'token', password: true }] as const;
    one = stdioServer([script], { name: 'one', env: { TOKEN: '${input:token}' }, inputs });
    bed.inputs.set('token', 'x');
    bed.configure([one]);
    await allow([script]);
    await stop();
    bed.inputs.get = () => {
      appendFileSync(script, '// evil\n');
      return 'x';
    };
    const before = bed.bed.pids.length;
    await assert.rejects(bed.host.start(one.id), { code: 'notAllowed' });
    await bed.until(one, 'awaitingApproval');
    assert.equal(bed.bed.pids.length, before, 'nothing has started');
  });

  test('starts as before if you did not choose that', async () => {
    bed.configure([one]);
    await allow([]);
    await stop();
    appendFileSync(script, '// edited\n');
    await bed.host.start(one.id);
    await bed.until(one, 'running');
  });

  test('is asked about again when a file that its command follows appears beside it, without a checkbox', async () => {
    const folder = path.dirname(script);
    bed.folders = [{ uri: pathToFileURL(folder).href, name: 'tools' }];
    bed.rootsDefault = 'none';
    one = { ...one, cwd: folder };
    bed.configure([one]);
    await allow([]);
    const versions = path.join(folder, '.tool-versions');
    writeFileSync(versions, 'nodejs path:/tmp/evil\n');
    assert.equal(bed.stateOf(one), 'running', 'it was started without it');
    await stop();
    await bed.host.start(one.id);
    assert.equal(bed.stateOf(one), 'awaitingApproval', 'nothing runs that nobody has allowed');
    assert.match(question().changes.join(), /tool-versions" is new since you allowed it/);
    assert.match(
      question().warnings.join(),
      /tool-versions" in the workspace sets a path, which changes what node runs/,
    );
    await allow([]);
    await stop();
    rmSync(versions);
    await bed.host.start(one.id);
    assert.equal(bed.stateOf(one), 'awaitingApproval');
    assert.match(question().changes.join(), /tool-versions" is gone since you allowed it/);
  });
});
