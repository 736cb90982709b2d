import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import path from 'node:path';
import { URI } from 'vscode-uri';
import { LaunchApproval } from '../../../../src/host/launch/question/launchApproval.ts';
import {
  serverId,
  type DefinitionOrigin,
  type ServerDefinition,
  type StdioServerDefinition,
} from '../../../../src/host/config/serverDefinition.ts';
import type { WorkspaceFolder } from '../../../../src/host/folders/sharedRoot.ts';
import type { ServerConnection } from '../../../../src/host/connection/serverConnection.ts';
import { sampleDefinition } from '../../../../src/host/added/addedDefinitions.ts';
import { receivedBy, textOf } from '../../support/connectionBed.ts';
import { Window } from '../../support/consentBed.ts';
import { httpServer, legacyServer, ofCopilot, ofUser } from '../../support/definitions.ts';
import { endsInTime } from '../../support/faultBed.ts';
import { HostBed } from '../../support/hostBed.ts';
import { pathOnDisk } from '../../support/onDisk.ts';
import { isAlive, until, untilSeen } from '../../support/until.ts';
import { perTest } from '../../support/perTest.ts';
import type { LaunchQuestion } from '../../../../src/host/launch/question/launchQuestion.ts';

const ofWorkspace: DefinitionOrigin = { scope: 'workspace', format: 'settings', place: 'file:///w' };

function inFolder(
  folder: WorkspaceFolder,
  format: DefinitionOrigin['format'] = 'settings',
): DefinitionOrigin {
  return { scope: 'folder', format, place: `${folder.uri}/${format}`, folder };
}

function folderAt(directory: string, name = path.basename(directory)): WorkspaceFolder {
  return { uri: URI.file(directory).toString(), name };
}

suite('The host keeps its servers as the definitions say', () => {
  let bed: HostBed;
  perTest(() => (bed = new HostBed()));

  const one = legacyServer([], { name: 'one' });
  const other = legacyServer([], { name: 'other' });

  test('stops what is removed and keeps the process of the rest', async () => {
    await bed.run(one, other);
    const [pid, otherPid] = [bed.pidOf(one), bed.pidOf(other)];
    const removed = bed.of(other);
    bed.configure([one]);
    assert.deepEqual(
      bed.host.servers.map(({ label }) => label),
      ['one'],
    );
    await removed.close();
    assert.ok(!isAlive(otherPid ?? 0));
    assert.equal(bed.pidOf(one), pid);
    assert.equal(bed.stateOf(one), 'running');
  });

  test('lists them in the order of the definitions, whichever of them came first', () => {
    const [first, second, third] = ['first', 'second', 'third'].map((name) => legacyServer([], { name }));
    assert.ok(first && second && third);
    const listed = () => bed.host.servers.map(({ label }) => label);
    bed.configure([third]);
    bed.configure([first, second, third]);
    assert.deepEqual(listed(), ['first', 'second', 'third']);
    const unreadable = { origin: ofUser, severity: 'error', message: 'half-typed' } as const;
    bed.configure([first, third], [{ ...unreadable, name: 'second' }]);
    assert.deepEqual(listed(), ['first', 'second', 'third']);
    bed.configure([second, third], [{ ...unreadable, name: 'first' }]);
    assert.deepEqual(listed(), ['first', 'second', 'third']);
  });

  test('keeps the process of a server of which only its timeout changes', async () => {
    await bed.run(one);
    const pid = bed.pidOf(one);
    bed.configure([{ ...one, timeout: 5_000, autoStart: true }]);
    assert.equal(bed.pidOf(one), pid);
    assert.equal(bed.of(one).definition.timeout, 5_000);
  });

  test('asks about what is added, and starts it once allowed', async () => {
    await bed.run(one);
    const pid = bed.pidOf(one);
    bed.configure([one, other]);
    assert.equal(bed.stateOf(other), 'awaitingApproval');
    const [question, ...more] = bed.launches;
    assert.deepEqual(more, []);
    assert.equal(question?.label, 'other');
    assert.equal(question.workingDirectory, homedir());
    bed.answerAll('allow');
    await bed.until(other, 'running');
    assert.equal(bed.pidOf(one), pid);
  });

  test('asks once, however often the settings are read and a start is asked for', async () => {
    bed.configure([one]);
    bed.configure([one]);
    await bed.host.start(one.id);
    await bed.host.restart(one.id);
    assert.equal(bed.questions.questions.length, 1);
    assert.equal(bed.stateOf(one), 'awaitingApproval');
  });

  test('asks again about a changed launch, and restarts it once allowed', async () => {
    await bed.run(one);
    const pid = bed.pidOf(one);
    const changed = { ...one, args: [...one.args, '--noise'] };
    bed.configure([changed]);
    await bed.until(one, 'awaitingApproval');
    assert.ok(!isAlive(pid ?? 0));
    assert.equal(bed.questions.questions.length, 1);
    bed.answerAll('allow');
    await bed.until(one, 'running');
    assert.notEqual(bed.pidOf(one), pid);
    bed.configure([one]);
    await bed.until(one, 'running');
    assert.deepEqual(bed.questions.questions, [], 'the launch before was allowed already');
  });

  suite('with several questions', () => {
    const named = (...args: readonly string[]) => ['a', 'b', 'c'].map((name) => legacyServer(args, { name }));
    let changes: number;
    setup(() => {
      changes = 0;
      bed.questions.onDidChange(() => (changes += 1));
    });

    test('asks about all of them in one change, and again when another folder is opened', () => {
      const [first, second] = ['first', 'second'].map((name) => folderAt(path.join(bed.bed.directory, name)));
      assert.ok(first && second);
      bed.folders = [first];
      bed.configure(named('--stderr', '${workspaceFolder}'));
      assert.equal(changes, 1);
      const before = bed.launches;
      bed.folders = [second];
      assert.equal(changes, 2);
      assert.deepEqual(
        bed.launches.map(({ label, variables }) => [label, variables?.[0]?.becomes]),
        ['a', 'b', 'c'].map((name) => [name, path.join(bed.bed.directory, 'second')]),
      );
      assert.ok(bed.launches.every((question) => !before.includes(question)));
    });

    test('asks about all that must stop before they have, and starts what you allow meanwhile', async () => {
      const before = named();
      await bed.run(...before);
      changes = 0;
      const after = named('--stderr', 'more');
      bed.configure(after);
      assert.equal(changes, 1);
      assert.equal(bed.launches.length, 3);
      assert.ok(before.every((one) => bed.stateOf(one) === 'stopping'));
      bed.answerAll('allow');
      await Promise.all(after.map((one) => bed.until(one, 'running')));
      assert.deepEqual(bed.launches, []);
      assert.equal(changes, 4, 'each was asked about once');
    });
  });

  test('asks about the present launch only, when it changes while it is asked about', async () => {
    bed.configure([one]);
    const [before] = bed.questions.questions;
    const changed = { ...one, args: [...one.args, '--noise'] };
    bed.configure([changed]);
    await bed.until(one, 'awaitingApproval');
    const [question, ...more] = bed.launches;
    assert.deepEqual(more, []);
    assert.ok(question && before && question !== before);
    assert.equal(bed.questions.answer(before, { answer: 'allow', roots: [] }), false);
    assert.deepEqual(question.definition, bed.of(one).definition);
  });

  test('starts nothing but what was asked about, when it changes while the answer is kept', async () => {
    const kept = Promise.withResolvers<void>();
    bed.decisions.beforeSet = kept.promise;
    bed.configure([one]);
    bed.answerAll('allow');
    const changed = { ...one, args: [...one.args, '--noise'] };
    bed.configure([changed]);
    kept.resolve();
    await bed.decisions.settled();
    assert.equal(bed.stateOf(one), 'awaitingApproval', 'the changed launch was never allowed');
    assert.equal(bed.questions.questions.length, 1);
  });

  test('starts nothing that is stopped or switched off while the answer is kept', async () => {
    const kept = Promise.withResolvers<void>();
    bed.decisions.beforeSet = kept.promise;
    bed.configure([one, other]);
    bed.answerAll('allow');
    bed.configure([{ ...one, disabled: true }, other]);
    await bed.host.stop(other.id);
    kept.resolve();
    await bed.decisions.settled();
    assert.equal(bed.stateOf(one), 'disabled');
    assert.equal(bed.stateOf(other), 'stopped');
  });

  test('goes on with an answer although the settings are read again while it is saved', async () => {
    const kept = Promise.withResolvers<void>();
    bed.decisions.beforeSet = kept.promise;
    bed.configure([one]);
    bed.answerAll('allow');
    bed.configure([{ ...one }]);
    kept.resolve();
    await bed.until(one, 'running');
  });

  test('starts nothing when it is closed while the answer is kept', async () => {
    const kept = Promise.withResolvers<void>();
    bed.decisions.beforeSet = kept.promise;
    bed.configure([one]);
    bed.answerAll('allow');
    const closed = bed.host.close();
    kept.resolve();
    await closed;
    assert.deepEqual(bed.bed.pids, []);
  });

  test('remembers a denial, and asks again when you start it', async () => {
    bed.configure([one]);
    bed.answerAll('deny');
    await bed.until(one, 'denied');
    bed.configure([]);
    bed.configure([one]);
    assert.equal(bed.stateOf(one), 'denied');
    assert.deepEqual(bed.questions.questions, []);
    await bed.host.start(one.id);
    assert.equal(bed.stateOf(one), 'awaitingApproval');
    bed.answerAll('allow');
    await bed.until(one, 'running');
  });

  test('withdraws the question of a server that is removed or stopped', async () => {
    bed.configure([one, other]);
    assert.equal(bed.questions.questions.length, 2);
    bed.configure([one]);
    await bed.host.stop(one.id);
    assert.deepEqual(bed.questions.questions, []);
    assert.equal(bed.stateOf(one), 'stopped');
  });

  test('does not start what is disabled, until you start it', async () => {
    const off = { ...one, disabled: true };
    bed.configure([off]);
    assert.equal(bed.stateOf(off), 'disabled');
    await bed.host.start(off.id);
    bed.answerAll('allow');
    await bed.until(off, 'running');
  });

  test('stops what is switched off, and starts it again when it is switched on', async () => {
    await bed.run(one);
    bed.configure([{ ...one, disabled: true }]);
    await bed.until(one, 'disabled');
    bed.configure([one]);
    await bed.until(one, 'running');
  });

  test('neither starts nor asks about what does not start automatically', async () => {
    bed.settings.autoStart = false;
    bed.configure([one, { ...other, autoStart: true }]);
    assert.equal(bed.stateOf(one), 'stopped');
    assert.equal(bed.stateOf(other), 'awaitingApproval');
    assert.equal(bed.questions.questions.length, 1);
    await bed.host.start(one.id);
    assert.equal(bed.stateOf(one), 'awaitingApproval');
  });

  test('keeps a server whose definition is being written', async () => {
    await bed.run(one, other);
    const pid = bed.pidOf(one);
    const problem = { origin: ofUser, severity: 'error', message: 'half-typed' } as const;
    bed.configure([other], [{ ...problem, name: 'one' }]);
    assert.equal(bed.pidOf(one), pid);
    assert.deepEqual(bed.host.problems, [{ ...problem, name: 'one' }]);
    bed.configure([], [problem]);
    assert.equal(bed.pidOf(one), pid);
    bed.configure([other], [{ ...problem, name: 'other' }]);
    assert.equal(bed.stateOf(one), undefined, 'a problem elsewhere keeps nothing');
  });

  test('restarts a server on demand', async () => {
    await bed.run(one);
    const pid = bed.pidOf(one);
    await bed.host.restart(one.id);
    assert.equal(bed.stateOf(one), 'running');
    assert.notEqual(bed.pidOf(one), pid);
  });

  test('says that a removed server no longer exists', async () => {
    await assert.rejects(bed.host.start(one.id), { code: 'notRunning' });
    await assert.rejects(bed.host.stop(one.id), { code: 'notRunning' });
  });

  test('shows why a server did not start only if you started it', async () => {
    const broken = legacyServer([], { name: 'broken', command: 'no-such-command' });
    bed.configure([broken]);
    bed.answerAll('allow');
    await bed.until(broken, 'failed');
    await assert.rejects(bed.host.start(broken.id), { code: 'commandNotFound' });
  });

  test('ends everything within the time that the editor grants, and starts nothing afterwards', async () => {
    const all = ['a', 'b', 'c', 'd'].map((name, index) =>
      legacyServer(index % 2 === 0 ? ['--stubborn'] : [], { name }),
    );
    await bed.run(...all);
    const pids = all.map((definition) => bed.pidOf(definition) ?? 0);
    await endsInTime(() => bed.host.close());
    assert.deepEqual(pids.filter(isAlive), []);
    bed.configure([one]);
    assert.equal(bed.host.server(one.id), undefined);
    await assert.rejects(bed.host.start(all[0]?.id ?? ''), { code: 'notRunning' });
  });

  test('waits at its end for what is still being removed', async () => {
    await bed.run(one);
    const pid = bed.pidOf(one) ?? 0;
    bed.configure([]);
    await bed.host.close();
    assert.ok(!isAlive(pid));
  });
});

suite('In a workspace that is not trusted', () => {
  let bed: HostBed;
  perTest(() => (bed = new HostBed({ isTrusted: false })));

  const one = legacyServer();

  test('nothing is started or asked, even on demand; trust asks, and goes on', async () => {
    bed.configure([one]);
    assert.equal(bed.stateOf(one), 'restricted');
    await bed.host.start(one.id);
    assert.equal(bed.stateOf(one), 'restricted');
    assert.deepEqual(bed.questions.questions, []);
    bed.grantTrust();
    assert.equal(bed.stateOf(one), 'awaitingApproval');
    bed.answerAll('allow');
    await bed.until(one, 'running');
  });

  test('what would run is looked at without the environment and without an envFile', () => {
    bed.env['TOOLS'] = '/tools';
    bed.envFile = { KEY: 'one' };
    const definition = legacyServer(['${env:TOOLS}'], { envFile: '.env' });
    bed.configure([definition]);
    const { meanings, inherited, envFile } = bed.host.resolve(definition);
    assert.deepEqual(
      [meanings['${env:TOOLS}']?.kind, Object.keys(inherited), envFile, bed.envFileReads],
      ['nothing', [], undefined, 0],
    );
    bed.grantTrust();
    assert.deepEqual(bed.host.resolve(definition).envFile, bed.envFile);
  });

  test('what is disabled stays so when the workspace is trusted', () => {
    bed.configure([{ ...one, disabled: true }]);
    bed.grantTrust();
    assert.equal(bed.stateOf(one), 'disabled');
  });
});

suite('A server has its place', () => {
  let bed: HostBed;
  setup(() => {
    bed = new HostBed();
    bed.settings.autoStart = false;
  });
  teardown(() => bed.close());

  const api = folderAt(pathOnDisk('/projects/api'));
  const web = folderAt(pathOnDisk('/projects/web'));

  test('the user’s definition of a name hides the workspace’s', () => {
    const mine = legacyServer([], { name: 'git' });
    const theirs = legacyServer([], { name: 'git', origin: ofWorkspace });
    bed.configure([mine, theirs]);
    assert.deepEqual(
      bed.host.servers.map(({ label }) => label),
      ['git'],
    );
    assert.equal(bed.host.server(theirs.id), undefined);
    assert.deepEqual(
      bed.host.shadowed.map(({ definition, by }) => [definition.id, by.id]),
      [[theirs.id, mine.id]],
    );
  });

  test('the workspace’s definition runs instead, once you prefer it, until you take that back', async () => {
    const mine = legacyServer([], { name: 'git' });
    const theirs = legacyServer([], { name: 'git', origin: ofWorkspace });
    bed.configure([mine, theirs]);
    const ids = (): string[] => bed.host.servers.map(({ connection }) => connection.definition.id);
    const [hidden] = bed.host.shadowed;
    assert.ok(hidden);
    await bed.host.useDefinition(hidden);
    assert.deepEqual(ids(), [theirs.id]);
    bed.configure([mine, theirs]);
    assert.deepEqual(ids(), [theirs.id], 'also when the definitions are read again');
    const [mineHidden] = bed.host.shadowed;
    assert.equal(mineHidden?.definition.id, mine.id);
    await bed.host.useDefinition(mineHidden);
    assert.deepEqual(ids(), [mine.id]);
  });

  test('your settings hide the server of Copilot’s file, which hides the workspace’s, until you choose another', async () => {
    const mine = legacyServer([], { name: 'git' });
    const copilots = legacyServer([], { name: 'git', origin: ofCopilot });
    const theirs = legacyServer([], { name: 'git', origin: ofWorkspace });
    const ids = (): string[] => bed.host.servers.map(({ connection }) => connection.definition.id);
    const choose = async (id: string): Promise<void> => {
      const hidden = bed.host.shadowed.find(({ definition }) => definition.id === id);
      assert.ok(hidden);
      await bed.host.useDefinition(hidden);
    };
    bed.configure([theirs, copilots, mine]);
    assert.deepEqual(ids(), [mine.id]);
    await choose(theirs.id);
    assert.deepEqual(ids(), [theirs.id]);
    await choose(copilots.id);
    assert.deepEqual(ids(), [copilots.id]);
    bed.configure([theirs, copilots]);
    assert.deepEqual(ids(), [copilots.id]);
    await choose(theirs.id);
    assert.deepEqual(ids(), [theirs.id]);
    bed.configure([theirs, copilots, mine]);
    await choose(mine.id);
    assert.deepEqual(ids(), [mine.id]);
  });

  test('equal names in two folders are distinguished by the folder', () => {
    bed.folders = [api, web];
    bed.configure([
      legacyServer([], { name: 'git', origin: inFolder(api) }),
      legacyServer([], { name: 'git', origin: inFolder(web, 'mcpJson') }),
      legacyServer([], { name: 'other', origin: inFolder(web) }),
    ]);
    assert.deepEqual(
      bed.host.servers.map(({ label }) => label),
      ['git (api)', 'git (web, .mcp.json)', 'other'],
    );
  });

  const home = homedir();
  const cases: [string, DefinitionOrigin, string | undefined, string][] = [
    ['the home directory for a server of the user', ofUser, undefined, home],
    ['a directory seen from home for a server of the user', ofUser, 'tools', path.join(home, 'tools')],
    ['the first folder for a server of the workspace', ofWorkspace, undefined, pathOnDisk('/projects/api')],
    ['a directory seen from the first folder', ofWorkspace, '../lib', pathOnDisk('/projects/lib')],
    ['its folder for a server of a folder', inFolder(web), undefined, pathOnDisk('/projects/web')],
    ['a directory seen from its folder', inFolder(web), 'server', pathOnDisk('/projects/web/server')],
    ['an absolute directory', inFolder(web), '/opt/server', pathOnDisk('/opt/server')],
  ];
  for (const [what, origin, cwd, expected] of cases) {
    test(`the working directory is ${what}`, () => {
      bed.folders = [api, web];
      const definition = legacyServer([], { origin, ...(cwd !== undefined && { cwd }) });
      assert.equal(bed.host.resolve(definition).workingDirectory, expected);
    });
  }

  test('the working directory is home when there is no folder on a disk', () => {
    bed.folders = [{ uri: 'vscode-vfs://github/owner/name', name: 'remote' }];
    assert.equal(bed.host.resolve(legacyServer([], { origin: ofWorkspace })).workingDirectory, home);
  });
});

suite('What was decided holds at once', () => {
  let bed: HostBed;
  perTest(() => (bed = new HostBed()));

  const one = legacyServer([], { name: 'one' });
  const other = legacyServer([], { name: 'other' });
  const decisionOf = (definition: ServerDefinition, kind: 'launch' | 'roots' = 'launch'): string =>
    bed.decisions.all().find((it) => it.serverId === definition.id && it.kind === kind)?.id ?? '';
  /** Another window of the same person, which has its own memory. */
  const otherWindow = (): LaunchApproval => {
    const window = new Window(bed.bed.directory);
    void window.close();
    return new LaunchApproval(window.decisions, window.roots, bed.key);
  };
  const asked = (window: LaunchApproval, definition: ServerDefinition): LaunchQuestion =>
    window.question({
      launch: bed.host.resolve(bed.of(definition).definition),
      label: definition.name,
      workspace: [],
    });

  test('a server whose launch is taken back stops and asks again; the others go on', async () => {
    await bed.run(one, other);
    const [pid, otherPid] = [bed.pidOf(one) ?? 0, bed.pidOf(other)];
    await bed.decisions.forget(decisionOf(one));
    await bed.until(one, 'awaitingApproval');
    assert.ok(!isAlive(pid));
    assert.equal(bed.pidOf(other), otherPid);
    assert.deepEqual(
      bed.launches.map(({ label }) => label),
      ['one'],
    );
    bed.answerAll('allow');
    await bed.until(one, 'running');
  });

  test('a denial that is taken back is asked about again', async () => {
    bed.configure([one]);
    bed.answerAll('deny');
    await bed.until(one, 'denied');
    await bed.decisions.forgetAll();
    await bed.until(one, 'awaitingApproval');
    assert.equal(bed.questions.questions.length, 1);
  });

  test('an answer in another window answers here', async () => {
    bed.configure([one, other]);
    const window = otherWindow();
    await window.record(asked(window, one), { answer: 'allow', roots: [] });
    await window.record(asked(window, other), { answer: 'deny' });
    await bed.until(one, 'running');
    await bed.until(other, 'denied');
    assert.deepEqual(bed.questions.questions, []);
  });

  test('a denial in another window stops the server here', async () => {
    await bed.run(one);
    const window = otherWindow();
    await window.record(asked(window, one), { answer: 'deny' });
    await bed.until(one, 'denied');
    assert.deepEqual(bed.questions.questions, []);
  });

  test('a question about a denied server stays while other things are decided', async () => {
    bed.configure([one, other]);
    bed.answerAll('deny');
    await bed.until(one, 'denied');
    await bed.until(other, 'denied');
    await bed.host.start(one.id);
    await bed.decisions.forget(decisionOf(other));
    await bed.until(other, 'awaitingApproval');
    assert.equal(bed.stateOf(one), 'awaitingApproval');
    assert.equal(bed.questions.questions.length, 2);
  });

  test('an answer that cannot be kept is asked for again', async () => {
    bed.configure([one]);
    bed.decisions.beforeSet = Promise.reject(new Error('the disk is full'));
    bed.answerAll('allow');
    await bed.decisions.settled();
    assert.equal(bed.stateOf(one), 'awaitingApproval');
    assert.equal(bed.questions.questions.length, 1);
    assert.ok(bed.logs.get('one')?.has('the disk is full'));
  });

  test('what is loaded from the envFile is looked at before every start', async () => {
    const definition = { ...one, envFile: emptyEnvFile(bed) };
    bed.envFile = { KEY: 'x' };
    await bed.run(definition);
    bed.envFile = { KEY: 'y' };
    await bed.host.restart(one.id);
    assert.equal(bed.stateOf(one), 'running', 'a value that loads nothing may change');
    bed.envFile = { KEY: 'y', NODE_OPTIONS: '--require=/tmp/x.js' };
    await bed.host.restart(one.id);
    assert.equal(bed.stateOf(one), 'awaitingApproval');
    assert.match(bed.launches[0]?.warnings.join() ?? '', /NODE_OPTIONS/);
    assert.match(bed.launches[0]?.changes.join() ?? '', /NODE_OPTIONS/);
  });

  test('a server that restarts automatically is not started as something else', async () => {
    const restarting = new HostBed({ backoff: { firstMs: 1, maxMs: 1, tries: 3, stableMs: 60_000 } });
    try {
      const definition = { ...one, envFile: emptyEnvFile(restarting) };
      restarting.envFile = {};
      await restarting.run(definition);
      restarting.envFile = { LD_PRELOAD: '/tmp/x.so' };
      process.kill(restarting.pidOf(one) ?? 0, 'SIGKILL');
      await restarting.until(one, 'awaitingApproval');
      assert.equal(restarting.questions.questions.length, 1);
      assert.equal(restarting.bed.pids.length, 1);
    } finally {
      await restarting.close();
    }
  });

  const launches: [string, (definition: StdioServerDefinition) => ServerDefinition][] = [
    ['another command of the same name', (it) => ({ ...it, command: '/bin/false' })],
    ['another variable', (it) => ({ ...it, env: { ...it.env, LEVEL: '1' } })],
    ['another directory', (it) => ({ ...it, cwd: '/' })],
    ['another envFile', (it) => ({ ...it, envFile: 'x.env' })],
    [
      'another input declaration',
      (it) => ({ ...it, inputs: [{ type: 'promptString', id: 'token', password: false }] }),
    ],
    ['an address instead', ({ id, name, origin }) => httpServer('http://127.0.0.1:1', { id, name, origin })],
  ];
  for (const [what, change] of launches) {
    test(`${what} is asked about, with the difference, and not started`, async () => {
      await bed.run(one);
      const before = bed.bed.pids.length;
      bed.configure([change(one)]);
      await bed.until(one, 'awaitingApproval');
      assert.notDeepEqual(bed.launches[0]?.changes, []);
      assert.equal(bed.bed.pids.length, before);
    });
  }

  suite('of the folders that it sees', () => {
    const api = folderAt(pathOnDisk('/projects/api'));
    const web = folderAt(pathOnDisk('/projects/web'));
    const names = (): string[] => bed.host.rootsOf(bed.of(one).definition).shared.map(({ name }) => name);
    const allow = (...folders: readonly WorkspaceFolder[]): void => {
      const [question] = bed.questions.questions;
      assert.ok(question);
      bed.questions.answer(question, { answer: 'allow', roots: folders.map(({ uri }) => uri) });
    };

    test('a server sees nothing before, and then exactly what was allowed', async () => {
      bed.folders = [api, web];
      bed.configure([one]);
      assert.deepEqual(names(), []);
      allow(web);
      await bed.until(one, 'running');
      assert.deepEqual(names(), ['web']);
      bed.folders = [api, web, folderAt(pathOnDisk('/projects/docs'))];
      assert.deepEqual(names(), ['web']);
      assert.deepEqual(await rootsSeenBy(bed.of(one)), ['web']);
    });

    test('a server that may see all sees what is added, too', async () => {
      bed.folders = [api];
      bed.configure([one]);
      allow(api);
      await bed.until(one, 'running');
      bed.folders = [api, web];
      await until(() => names().length === 2, 'web was looked at', bed.roots.onDidChange);
      assert.deepEqual(names(), ['api', 'web']);
    });

    test('a server is notified when they are taken back', async () => {
      bed.folders = [api];
      await bed.run(one);
      const pid = bed.pidOf(one);
      await bed.decisions.forget(decisionOf(one, 'roots'));
      const told = async () => (await receivedBy(bed.of(one)))['notifications/roots/list_changed'] === 1;
      await untilSeen(told, 'the server is notified');
      const roots = rootsSeenBy(bed.of(one));
      await until(() => bed.rootsQuestions.length > 0, 'it is asked about', bed.questions.onDidChange);
      bed.rootsQuestions.forEach((asked) => bed.questions.answer(asked, { answer: 'notNow' }));
      assert.deepEqual(await roots, []);
      assert.equal(bed.pidOf(one), pid);
      await bed.host.restart(one.id);
      assert.equal(bed.stateOf(one), 'running', 'its launch is allowed');
      assert.deepEqual(bed.launches, []);
      const again = rootsSeenBy(bed.of(one));
      await until(() => bed.rootsQuestions.length > 0, 'it is asked about again', bed.questions.onDidChange);
      bed.rootsQuestions.forEach((asked) => bed.questions.answer(asked, { answer: 'notNow' }));
      assert.deepEqual(await again, []);
    });

    test('an allowed server runs in another workspace, and sees none of it before its folders were asked about', async () => {
      await bed.run(one);
      await bed.host.stop(one.id);
      bed.folders = [api];
      await bed.host.start(one.id);
      assert.equal(bed.stateOf(one), 'running');
      assert.deepEqual(bed.questions.questions, [], 'nothing is asked before it asks');
      assert.deepEqual(names(), []);
      const roots = rootsSeenBy(bed.of(one));
      await until(() => bed.rootsQuestions.length > 0, 'it is asked about', bed.questions.onDidChange);
      assert.deepEqual(names(), []);
      const [question] = bed.rootsQuestions;
      assert.ok(question && bed.questions.questions.length === 1);
      bed.questions.answer(question, { answer: 'share', roots: [api.uri] });
      assert.deepEqual(await roots, ['api']);
    });

    test('an allowed server does not run in another workspace that is not trusted', async () => {
      await bed.run(one);
      const restricted = new HostBed({ isTrusted: false });
      try {
        restricted.folders = [api];
        restricted.configure([one]);
        assert.equal(restricted.stateOf(one), 'restricted');
        assert.deepEqual(restricted.bed.pids, []);
      } finally {
        await restricted.close();
      }
    });

    const dependent: [string, Partial<StdioServerDefinition>, RegExp][] = [
      [
        'that names the workspace',
        { args: [...one.args, '--stderr=${workspaceFolder}'] },
        /^\$\{workspaceFolder\} stood/,
      ],
      [
        'that reveals the workspace',
        { env: { ROOT: '${workspaceFolder}' } },
        /^\$\{workspaceFolder\} stood for/,
      ],
      [
        'that a workspace defines',
        { origin: ofWorkspace, id: serverId(ofWorkspace, 'one') },
        /^The working directory was/,
      ],
    ];
    for (const [what, more, change] of dependent) {
      for (const rootsDefault of ['ask', 'none'] as const) {
        test(`a launch ${what} is asked about in another one, with the change (${rootsDefault})`, async () => {
          const definition = { ...one, ...more };
          bed.rootsDefault = rootsDefault;
          const [before, after] = ['web', 'api'].map((name) => {
            const directory = path.join(bed.bed.directory, name);
            mkdirSync(directory);
            return folderAt(directory);
          });
          bed.folders = before ? [before] : [];
          await bed.run(definition);
          await bed.host.stop(definition.id);
          const started = bed.bed.pids.length;
          bed.folders = after ? [after] : [];
          await bed.host.start(definition.id);
          assert.equal(bed.stateOf(definition), 'awaitingApproval');
          assert.match(bed.launches[0]?.changes.join('\n') ?? '', change);
          assert.equal(bed.bed.pids.length, started);
        });
      }
    }

    test('a launch of the workspace that is the same with any folders is asked about once', async () => {
      const definition = { ...one, origin: ofWorkspace, id: serverId(ofWorkspace, 'one'), cwd: '/' };
      bed.folders = [web];
      await bed.run(definition);
      await bed.host.stop(definition.id);
      bed.folders = [api];
      await bed.host.start(definition.id);
      assert.equal(bed.stateOf(definition), 'running');
      assert.deepEqual(bed.host.rootsOf(definition).shared, []);
    });

    test('a launch that is another is asked about as such, also where the folders are not decided', async () => {
      await bed.run(one);
      await bed.host.stop(one.id);
      bed.folders = [api];
      bed.configure([{ ...one, args: [...one.args, '--noise'] }]);
      await bed.until(one, 'awaitingApproval');
      assert.match(bed.launches[0]?.changes.join() ?? '', /Argument \d+ is new/);
      assert.deepEqual(
        bed.launches[0]?.folders.map(({ name }) => name),
        ['api'],
      );
    });
  });
});

async function rootsSeenBy(connection: ServerConnection): Promise<string[]> {
  const text = await textOf(connection.callTool('roots', {}));
  return (JSON.parse(text) as { roots: { name: string }[] }).roots.map(({ name }) => name);
}

/** A file that is there for the start; what the gate sees in it is `bed.envFile`. */
function emptyEnvFile({ bed }: HostBed): string {
  const file = path.join(bed.directory, '.env');
  writeFileSync(file, '');
  return file;
}

suite('The editor’s settings decide which servers run', () => {
  const one = legacyServer([], { name: 'one' });
  const other = legacyServer([], { name: 'other' });
  let bed: HostBed;
  perTest(() => (bed = new HostBed()));

  test('one that is denied while it runs stops, the others go on, and it starts when it is no longer denied', async () => {
    await bed.run(one, other);
    const [pid = 0, otherPid] = [bed.pidOf(one), bed.pidOf(other)];
    bed.rules = { 'chat.mcp.deniedServers': [{ serverName: 'one' }] };
    await bed.until(one, 'forbidden');
    assert.ok(!isAlive(pid));
    await assert.rejects(bed.host.start(one.id), { code: 'forbidden', setting: 'chat.mcp.deniedServers' });
    await assert.rejects(bed.host.restart(one.id), { code: 'forbidden' });
    assert.equal(bed.stateOf(one), 'forbidden');
    assert.equal(bed.pidOf(other), otherPid);
    bed.rules = {};
    await bed.until(one, 'running');
  });

  test('none runs, and nothing is asked, where they are turned off', async () => {
    await bed.run(one);
    bed.configure([one, other]);
    assert.equal(bed.launches.length, 1);
    bed.rules = { 'chat.mcp.access': 'none' };
    await bed.until(one, 'forbidden');
    assert.equal(bed.stateOf(other), 'forbidden');
    assert.equal(bed.launches.length, 0);
  });

  test('the sample is no exception', async () => {
    const { command, args } = legacyServer();
    const sample = sampleDefinition(args[0] ?? '', { command, env: {} });
    bed.rules = { 'chat.mcp.deniedServers': [{ serverName: 'sample' }] };
    bed.configure([sample]);
    assert.equal(bed.stateOf(sample), 'forbidden');
    await assert.rejects(bed.host.start(sample.id), { code: 'forbidden' });
    bed.rules = {};
    assert.equal(bed.stateOf(sample), 'stopped');
  });

  test('no request goes to an address that is denied', async () => {
    let requests = 0;
    const server = createServer((_request, response) => {
      requests += 1;
      response.writeHead(404).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const denied = httpServer(`http://127.0.0.1:${port}/mcp`);
    bed.rules = { 'chat.mcp.deniedServers': [{ serverUrl: 'http://127.0.0.1:*/*' }] };
    bed.configure([denied]);
    assert.equal(bed.stateOf(denied), 'forbidden');
    assert.equal(requests, 0);
    bed.rules = {};
    bed.answerAll('allow');
    await bed.until(denied, 'failed');
    assert.ok(requests > 0);
    server.close();
  });

  suite('with a value that you enter', () => {
    const withInput: StdioServerDefinition = {
      ...one,
      args: [...one.args, '${input:option}'],
      inputs: [{ type: 'promptString', id: 'option', password: false }],
    };
    const command = (option: string): unknown[] => [
      { serverCommand: [withInput.command, ...one.args, option] },
    ];
    setup(() => void bed.inputs.set('option', '--noise'));

    for (const [what, rules] of [
      ['that makes it a denied command', { 'chat.mcp.deniedServers': command('--noise') }],
      ['that makes it none of the allowed commands', { 'chat.mcp.allowedServers': command('--other') }],
    ] as const) {
      test(`no process starts with one ${what}`, async () => {
        bed.rules = rules;
        bed.configure([withInput]);
        bed.answerAll('allow');
        await bed.until(withInput, 'forbidden');
        assert.equal(bed.bed.pids.length, 0);
      });
    }

    test('it starts with one that makes it an allowed command, and stops when that is denied', async () => {
      bed.rules = { 'chat.mcp.allowedServers': command('--noise') };
      await bed.run(withInput);
      bed.rules = { 'chat.mcp.deniedServers': command('--noise') };
      await bed.until(withInput, 'forbidden');
    });
  });
});
