import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type {
  ServerDefinition,
  StdioServerDefinition,
} from '../../../../../src/host/config/serverDefinition.ts';
import type { WorkspaceFolder } from '../../../../../src/host/folders/sharedRoot.ts';
import { canBeInAnyFolder } from '../../../../../src/host/launch/question/anyFolder.ts';
import { launchDecisionKind } from '../../../../../src/host/launch/question/launchDecision.ts';
import { launchQuestions } from '../../../../../src/host/launch/question/launchQuestion.ts';
import { httpServer, legacyServer, ofUser, stdioServer } from '../../../support/definitions.ts';
import { HostBed } from '../../../support/hostBed.ts';
import { launchOf } from '../../../support/launches.ts';
import { uriOnDisk } from '../../../support/onDisk.ts';

const ws = '${workspaceFolder}';
const npx = (...args: readonly string[]): Partial<StdioServerDefinition> => ({ command: 'npx', args });
const node = (...args: readonly string[]): Partial<StdioServerDefinition> => ({ command: 'node', args });
const inFolder = { cwd: ws } as const;

suite('Allowing a launch in any folder', () => {
  const folders = [{ uri: uriOnDisk('/projects/api'), name: 'api' }];
  const canBe = (definition: ServerDefinition): boolean =>
    canBeInAnyFolder(launchOf(definition, { folders, env: { X: 'x' } }));
  const process = (more: Partial<StdioServerDefinition>): StdioServerDefinition => stdioServer([], more);

  const offered: [string, Partial<StdioServerDefinition>][] = [
    ['a package with the folder as an argument', npx('-y', '@modelcontextprotocol/server-filesystem', ws)],
    ['a package with a folder below it', npx('-y', '@scope/server', '--root', `${ws}/src`)],
    ['a Python package', { command: 'uvx', args: ['mcp-server-git', '--repository', ws] }],
    ['a package behind the command that it has', npx('-p', '@scope/server', 'serve', ws)],
    ['a script of yours with the folder', node('/home/me/server.js', ws)],
    ['a module of Python', { command: 'python3', args: ['-m', 'mcp_server', ws] }],
    ['a program whose name says that it is a server', { command: '/opt/github-mcp-server', args: [ws] }],
    ['a script of yours that starts in the folder', { ...node('/home/me/server.js'), ...inFolder }],
    ['a script of yours that starts below it', { ...node('/home/me/server.js'), cwd: `${ws}/src` }],
  ];
  for (const [what, more] of offered) {
    test(`is offered for ${what}`, () => assert.ok(canBe(process(more))));
  }

  const never: [string, Partial<StdioServerDefinition>][] = [
    ['nothing that depends on the folder', npx('-y', '@scope/server')],
    ['the command', { command: `${ws}/mcp`, args: [ws] }],
    ['a script', node(`${ws}/x.js`)],
    ['a script of a package', npx('-y', '@scope/server', `${ws}/x.js`)],
    ['what the interpreter runs', node(ws)],
    ['what the interpreter runs behind an option', node('--require', '/home/me/hook.js', ws)],
    ['what the interpreter runs behind an option with a value', node('--require=/home/me/hook.js', ws)],
    ['the value of an option of the interpreter', node('--import', ws, '/home/me/server.js')],
    ['what a shell runs', { command: 'bash', args: [`${ws}/run`, 'x'] }],
    ['code', { command: 'bash', args: ['-c', 'x', ws] }],
    ['a program of bun', { command: 'bun', args: ['run', ws] }],
    ['the package', npx('-y', ws)],
    ['the package behind dashes', npx('--', ws)],
    ['an option of the runner', npx('--prefix', ws, '@scope/server')],
    ['a project of uv', { command: 'uv', args: ['--directory', ws, 'run', 'server'] }],
    ['the source of a Python package', { command: 'uvx', args: ['--from', ws, 'server'] }],
    ['a volume', { command: 'docker', args: ['run', '-v', `${ws}:/data`, 'image'] }],
    ['an argument of a container', { command: 'docker', args: ['run', 'image', ws] }],
    ['a package behind cmd', { command: 'cmd', args: ['/c', 'npx', '-y', '@scope/server', ws] }],
    ['a makefile', { command: 'make', args: ['-C', ws] }],
    ['any other program', { command: 'cargo', args: ['run', '--manifest-path', ws] }],
    ['the envFile', { ...npx('-y', '@scope/server', ws), envFile: `${ws}/.env` }],
    ['an environment variable', { ...npx('-y', '@scope/server', ws), env: { ROOT: ws } }],
    ['a part of an argument', npx('-y', '@scope/server', `--root=${ws}`)],
    ['an argument with another variable', npx('-y', '@scope/server', `${ws}/\${env:X}`)],
    ['an argument beside an input', npx('-y', '@scope/server', ws, '${input:x}')],
    ['a folder above it', npx('-y', '@scope/server', `${ws}/../other`)],
    ['another folder', npx('-y', '@scope/server', `${ws}-secret`)],
    ['a folder by its name', npx('-y', '@scope/server', '${workspaceFolder:api}')],
    ['a file of settings', npx('-y', '@scope/server', `${ws}/config.json`)],
    ['a package that is looked for where it starts', { ...npx('-y', '@scope/server'), ...inFolder }],
    ['a module that is looked for where it starts', { command: 'python', args: ['-m', 'x'], ...inFolder }],
  ];
  for (const [what, more] of never) {
    test(`is not offered where it is ${what}`, () => assert.ok(!canBe(process(more))));
  }

  test('is not offered for an address, for a server of a workspace, or without a folder', () => {
    assert.ok(!canBe(httpServer(`https://example.invalid/${ws}`, { headers: { Folder: ws } })));
    const good = npx('-y', '@scope/server', ws);
    const folder = { uri: uriOnDisk('/projects/api'), name: 'api' };
    const place = 'file:///x';
    assert.ok(!canBe(process({ ...good, origin: { scope: 'workspace', format: 'settings', place } })));
    assert.ok(!canBe(process({ ...good, origin: { scope: 'folder', format: 'settings', place, folder } })));
    assert.ok(!canBeInAnyFolder(launchOf(process(good))));
  });

  suite('that you trust', () => {
    let bed: HostBed;
    const one = legacyServer(['--stderr', ws]);
    setup(() => {
      bed = new HostBed();
      bed.rootsDefault = 'none';
    });
    teardown(() => bed.close());

    const inBed = (...names: readonly string[]): string => path.join(bed.bed.directory, ...names);
    const folder = (name: string): WorkspaceFolder => {
      mkdirSync(inBed(name), { recursive: true });
      return { uri: pathToFileURL(inBed(name)).href, name };
    };
    const decisions = () => bed.decisions.allOf(launchDecisionKind);

    async function allowAnywhere(definition: StdioServerDefinition): Promise<void> {
      bed.folders = [folder('first')];
      bed.configure([definition]);
      const [question] = bed.launches;
      assert.deepEqual(question?.anyFolder, { isProposed: false });
      const answer = launchQuestions.readAnswer(question, { answer: 'allow', roots: [], inAnyFolder: true });
      assert.ok(answer);
      bed.questions.answer(question, answer);
      await bed.until(definition, 'running');
    }

    test('starts in another folder without a question, as what was allowed', async () => {
      await allowAnywhere(one);
      const launch = bed.host.runningLaunchOf(one.id);
      bed.folders = [folder('second')];
      await bed.host.restart(one.id);
      assert.equal(bed.stateOf(one), 'running');
      assert.equal(
        bed.host.runningLaunchOf(one.id),
        launch,
        'its tools are compared with those of the first',
      );
      assert.equal(bed.host.launchOf(bed.of(one).definition), launch);
    });

    test('is among your decisions, and asks again when you take it back', async () => {
      await allowAnywhere(one);
      const [decision, ...others] = decisions();
      assert.ok(decision);
      assert.deepEqual(others, []);
      assert.equal(launchDecisionKind.words?.what(decision), 'may start in any folder that you trust');
      const shown = launchDecisionKind.words.detail(decision, { uri: String, place: String });
      assert.match(shown, /\$\{workspaceFolder\}/);
      assert.equal(decision.key, bed.decisions.keyOfDecision(decision));
      await bed.decisions.forget(decision.id);
      await bed.until(one, 'awaitingApproval');
      bed.folders = [folder('second')];
      assert.equal(bed.stateOf(one), 'awaitingApproval');
    });

    test('without that, asks in each folder', async () => {
      bed.folders = [folder('first')];
      await bed.run(one);
      bed.folders = [folder('second')];
      await bed.host.restart(one.id);
      assert.equal(bed.stateOf(one), 'awaitingApproval');
      assert.equal(bed.launches[0]?.changes.length, 1);
    });

    test('does not start anything in a folder that you do not trust', async () => {
      await allowAnywhere(one);
      const [decision] = decisions();
      assert.ok(decision);
      const untrusted = new HostBed({ isTrusted: false });
      try {
        const { id: _, ...kept } = decision;
        await untrusted.decisions.put(kept);
        untrusted.rootsDefault = 'none';
        untrusted.folders = [folder('second')];
        const definition = untrusted.bed.recorded(one);
        untrusted.host.reconcile({ definitions: [definition], problems: [] });
        assert.equal(untrusted.stateOf(one), 'restricted');
        assert.deepEqual(untrusted.launches, []);
        assert.deepEqual(untrusted.bed.pids, []);
      } finally {
        await untrusted.close();
      }
    });

    test('does not count when the launch changes, and the question says what has', async () => {
      await allowAnywhere(one);
      bed.folders = [folder('second')];
      const other = legacyServer(['--stderr', ws, '--more']);
      bed.configure([other]);
      await bed.until(other, 'awaitingApproval');
      assert.deepEqual(bed.launches[0]?.changes, ['Argument 4 is new: "--more".']);
    });

    test('does not overrule a denial in one folder', async () => {
      bed.folders = [folder('second')];
      bed.configure([one]);
      bed.answerAll('deny');
      await bed.until(one, 'denied');
      bed.folders = [folder('first')];
      await bed.host.start(one.id);
      const [question] = bed.launches;
      assert.ok(question);
      bed.questions.answer(question, { answer: 'allow', roots: [], inAnyFolder: true });
      await bed.until(one, 'running');
      bed.folders = [folder('second')];
      await bed.until(one, 'running');
      const before = bed.bed.pids.length;
      await bed.host.restart(one.id);
      assert.equal(bed.stateOf(one), 'awaitingApproval');
      assert.equal(bed.bed.pids.length, before);
    });

    test('still asks in a folder with a file that the launch runs', async () => {
      const script = { ...legacyServer(['--stderr=tools/x.mjs']), cwd: ws };
      await allowAnywhere(script);
      bed.folders = [folder('second')];
      await bed.host.restart(script.id);
      assert.equal(bed.stateOf(script), 'running', 'that file is not there');
      mkdirSync(inBed('third', 'tools'), { recursive: true });
      writeFileSync(inBed('third', 'tools', 'x.mjs'), '');
      bed.folders = [folder('third')];
      await bed.host.restart(script.id);
      assert.equal(bed.stateOf(script), 'awaitingApproval');
      assert.equal(bed.launches[0]?.anyFolder, undefined);
    });

    test('still asks in a folder with a file beside the command that decides what runs', async () => {
      const beside = { ...legacyServer(), cwd: ws };
      await allowAnywhere(beside);
      bed.folders = [folder('second')];
      await bed.host.restart(beside.id);
      assert.equal(bed.stateOf(beside), 'running', 'no such file is there');
      bed.folders = [folder('third')];
      writeFileSync(inBed('third', '.tool-versions'), 'nodejs path:./evil\n');
      await bed.host.restart(beside.id);
      assert.equal(bed.stateOf(beside), 'awaitingApproval');
      assert.match(
        bed.launches[0]?.warnings.join('\n') ?? '',
        /^"\.tool-versions" in the workspace .*changes what node runs\.$/m,
      );
      bed.folders = [folder('second')];
      await bed.until(beside, 'running');
    });

    test('is an answer only where it was offered', async () => {
      bed.folders = [folder('first')];
      bed.configure([legacyServer([`${ws}/x.js`], { origin: ofUser })]);
      const [question] = bed.launches;
      assert.ok(question);
      const given = { answer: 'allow', roots: [], inAnyFolder: true };
      assert.equal(launchQuestions.readAnswer(question, given), undefined);
      const other = { ...one, id: 'other', name: 'other' };
      bed.configure([other]);
      await bed.until(other, 'awaitingApproval');
      const [offering] = bed.launches;
      assert.ok(offering);
      assert.equal(launchQuestions.readAnswer(offering, { ...given, inAnyFolder: 'yes' }), undefined);
    });
  });
});
