import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readDefinitions } from '../../../../../src/host/config/readDefinitions.ts';
import { InstallationKey } from '../../../../../src/host/launch/installationKey.ts';
import { LaunchApproval } from '../../../../../src/host/launch/question/launchApproval.ts';
import {
  serverId,
  type DefinitionOrigin,
  type ServerDefinition,
} from '../../../../../src/host/config/serverDefinition.ts';
import { visibleFolders, type SharedRoot } from '../../../../../src/host/folders/sharedRoot.ts';
import { ConsentBed, type Window } from '../../../support/consentBed.ts';
import type { ResolvedLaunch } from '../../../../../src/host/launch/resolvedLaunch.ts';
import { httpServer, stdioServer } from '../../../support/definitions.ts';
import { launchOf } from '../../../support/launches.ts';
import {
  launchQuestions,
  type LaunchQuestion,
} from '../../../../../src/host/launch/question/launchQuestion.ts';
import type { Answer } from '../../../../../src/host/decisions/decision.ts';
import { pathOnDisk, uriOnDisk } from '../../../support/onDisk.ts';
import { inQuotes, quotedText } from '../../../../../src/base/text/visibleText.ts';

const api = { uri: uriOnDisk('/projects/api'), name: 'api' };
const web = { uri: uriOnDisk('/projects/web'), name: 'web' };
const docs = { uri: uriOnDisk('/other/docs'), name: 'docs' };
const ofWorkspace: DefinitionOrigin = { scope: 'workspace', format: 'settings', place: 'file:///w' };
const allow = { answer: 'allow', roots: [] } as const;
const deny = { answer: 'deny' } as const;

/** A path as a sentence has it. */
const quoted = (path: string): string => inQuotes(pathOnDisk(path));

suite('The decision on a launch', () => {
  let bed: ConsentBed;
  let window: Window;
  let approval: LaunchApproval;
  let envFile: Readonly<Record<string, string>> | undefined;

  setup(() => {
    bed = new ConsentBed();
    envFile = undefined;
    [window, approval] = open();
  });
  teardown(() => bed.close());

  const open = (remoteName?: string): [Window, LaunchApproval] => {
    const opened = bed.open({ remoteName });
    const key = new InstallationKey(path.join(bed.directory, 'launch-key'));
    return [opened, new LaunchApproval(opened.decisions, opened.roots, key)];
  };
  const resolved = (definition: ServerDefinition, workingDirectory: string): ResolvedLaunch =>
    launchOf(definition, {
      folders: window.folders,
      envFile,
      ...(definition.type === 'stdio' && definition.cwd === undefined && { workingDirectory }),
    });
  const answerIn = (
    one: LaunchApproval,
    definition: ServerDefinition,
    workingDirectory = '/projects',
  ): Answer | undefined => one.answerFor(resolved(definition, workingDirectory));
  const ask = (
    definition: ServerDefinition,
    workingDirectory = '/projects',
    one = approval,
  ): LaunchQuestion =>
    one.question({
      launch: resolved(definition, workingDirectory),
      label: definition.name,
      workspace: visibleFolders({}, window.folders).onDisk,
    });

  const definition = stdioServer(['-v'], {
    command: 'server',
    env: { TOKEN: 'secret' },
    envFile: '.env',
    inputs: [{ type: 'promptString', id: 'token', password: true }],
  });
  const remote = httpServer('https://example.org/mcp', { headers: { Authorization: 'secret' } });

  test('holds for exactly this launch of this server in this file', async () => {
    await approval.record(ask(definition), allow);
    assert.equal(answerIn(approval, definition, '/projects'), 'allow');
    assert.equal(answerIn(approval, { ...definition, timeout: 1, disabled: true }, '/projects'), 'allow');
    const others: ServerDefinition[] = [
      { ...definition, command: 'other' },
      { ...definition, args: [] },
      { ...definition, env: { TOKEN: 'other' } },
      { ...definition, env: { ...definition.env, NODE_OPTIONS: '' } },
      { ...definition, envFile: 'other.env' },
      { ...definition, inputs: [{ type: 'promptString', id: 'token', password: false }] },
      { ...definition, id: 'workspace file:///w server' },
      { ...definition, id: serverId(definition.origin, 'Server') },
    ];
    for (const other of others) {
      assert.equal(answerIn(approval, other, '/projects'), undefined, JSON.stringify(other));
    }
    assert.equal(answerIn(approval, definition, '/elsewhere'), undefined);
  });

  test('holds for exactly this address with exactly these headers', async () => {
    await approval.record(ask(remote), allow);
    assert.equal(answerIn(approval, remote, '/elsewhere'), 'allow');
    assert.equal(answerIn(approval, { ...remote, url: 'https://example.org/MCP' }, '/projects'), undefined);
    assert.equal(answerIn(approval, { ...remote, headers: { Authorization: 'x' } }, '/projects'), undefined);
    assert.equal(answerIn(approval, { ...remote, headers: {} }, '/projects'), undefined);
  });

  test('holds for the envFile as it was when the question was asked', async () => {
    envFile = { KEY: 'secret' };
    const question = ask(definition);
    envFile = { KEY: 'secret', LD_PRELOAD: '/tmp/x.so' };
    await approval.record(question, allow);
    assert.equal(answerIn(approval, definition, '/projects'), undefined, 'nobody has seen that');
    envFile = { KEY: 'renewed' };
    assert.equal(answerIn(approval, definition, '/projects'), 'allow');
    envFile = { LD_PRELOAD: '/tmp/x.so' };
    assert.deepEqual(ask(definition).changes, [
      'The environment variable in ".env" KEY is gone.',
      'New environment variable in ".env": LD_PRELOAD.',
    ]);
    assert.deepEqual(ask(definition).warnings, [
      'The environment variable LD_PRELOAD, set in ".env", decides which code programs load.',
    ]);
  });

  test('is the denial that another window made a moment ago', async () => {
    const [, other] = open();
    await approval.record(ask(definition), allow);
    assert.equal(answerIn(other, definition, '/projects'), 'allow');
    await other.record(ask(definition, '/projects', other), deny);
    assert.equal(answerIn(approval, definition, '/projects'), 'deny');
  });

  test('holds on its remote only', async () => {
    await approval.record(ask(definition), allow);
    const [, other] = open('ssh-remote');
    assert.equal(answerIn(other, definition, '/projects'), undefined);
  });

  test('is kept without a trace of the secrets', async () => {
    envFile = { KEY: 'secret', PATH: 'secret' };
    await approval.record(ask(definition), allow);
    await approval.record(ask(remote), allow);
    const folder = path.join(bed.directory, 'decisions');
    const files = readdirSync(folder);
    assert.equal(files.length, 2);
    for (const name of files) {
      assert.doesNotMatch(readFileSync(path.join(folder, name), 'utf8'), /secret/);
    }
  });

  test('holds for "local" in a .mcp.json as it does for "stdio"', () => {
    const stored = new URL('../../../../fixtures/decisions/', import.meta.url);
    cpSync(stored, path.join(bed.directory, 'decisions'), { recursive: true });
    [window, approval] = open();
    const folder = { uri: 'file:///projects/api', name: 'api' };
    window.folders = [folder];
    const place = `${folder.uri}/.mcp.json`;
    const read = (type: string, args: readonly string[]): ServerDefinition | undefined => {
      const a = { type, command: 'npx', args, env: { KEY: '${KEY}' }, tools: ['*'] };
      const origin: DefinitionOrigin = { scope: 'folder', format: 'mcpJson', place, folder };
      return readDefinitions([{ origin, text: JSON.stringify({ mcpServers: { a } }) }]).definitions[0];
    };
    const [same, other] = [read('local', ['-y', 'server@1.2.3']), read('local', ['-y', 'server@1.2.4'])];
    assert.ok(same && other);
    assert.equal(approval.answerFor(launchOf(same, { workingDirectory: '/projects/api' })), 'allow');
    assert.equal(approval.answerFor(launchOf(other, { workingDirectory: '/projects/api' })), undefined);
  });

  test('is never given in bulk to a server that asks for a sandbox', () => {
    const inBulk = (more: { asksForSandbox?: true }): boolean => {
      const view = launchQuestions.view(ask({ ...definition, ...more }), {
        id: '1',
        placeOf: () => 'x',
        isRenewed: false,
      });
      return view.canAllowUnopened;
    };
    assert.deepEqual([inBulk({}), inBulk({ asksForSandbox: true })], [true, false]);
  });

  test('is compared with the launch that was allowed last', async () => {
    assert.deepEqual(ask(definition).changes, []);
    await approval.record(ask(definition), allow);
    const other = { ...definition, command: 'other' };
    await approval.record(ask(other), deny);
    const third = { ...definition, command: 'third' };
    assert.deepEqual(ask(third).changes, ['The command was "server", now it is "third".']);
    assert.deepEqual(ask({ ...third, id: 'another' }).changes, []);
  });

  for (const member of ['places', 'values', 'envFileValues', 'envFilePath', 'isEnvFileRead', 'shown']) {
    test(`is asked for again if what was shown has no \`${member}\``, async () => {
      await approval.record(ask(definition), allow);
      const [name = ''] = readdirSync(path.join(bed.directory, 'decisions'));
      const file = path.join(bed.directory, 'decisions', name);
      const written = JSON.parse(readFileSync(file, 'utf8')) as { decision: { snapshot: object } };
      written.decision.snapshot = { ...written.decision.snapshot, [member]: undefined };
      writeFileSync(file, JSON.stringify(written));
      const [, later] = open();
      assert.equal(answerIn(later, definition), undefined);
    });
  }

  test('holds for exactly this way to sign in, also after a restart', async () => {
    const oauth = { clientId: 'a', scopes: ['read'], clientSecret: '${input:s3cret}' };
    const before = { ...remote, oauth };
    await approval.record(ask(before), allow);
    assert.equal(answerIn(approval, before), 'allow');
    const [, later] = open();
    assert.equal(answerIn(later, before), 'allow');
    assert.equal(answerIn(later, remote), undefined);
    const wider = { ...remote, oauth: { ...oauth, scopes: ['read', 'write'] } };
    assert.equal(answerIn(later, wider), undefined);
    assert.deepEqual(ask(wider, '/projects', later).changes, [
      'For the sign-in, the list of scopes was "read", now it is "read write".',
    ]);
  });

  test('is not taken for a question that was asked elsewhere', async () => {
    const [, other] = open();
    await assert.rejects(approval.record(ask(definition, '/projects', other), allow), /asked here/);
    assert.equal(answerIn(approval, definition), undefined);
  });

  suite('with the folders that the server may see', () => {
    const seen = async (one: ServerDefinition): Promise<string[]> => {
      await window.roots.check(one);
      return window.roots.viewOf(one).shared.map(({ name }) => name);
    };
    const decide = (...roots: readonly SharedRoot[]): Promise<void> =>
      approval.record(ask(definition), { answer: 'allow', roots: roots.map(({ uri }) => uri) });

    test('keeps what was chosen of them, and nothing after a denial', async () => {
      window.folders = [api, web];
      await approval.record(ask(definition), deny);
      assert.ok(!window.roots.isDecided(definition));
      await decide(web);
      assert.deepEqual(await seen(definition), ['web']);
      assert.deepEqual(
        ask(definition).folders.map(({ isProposed }) => isProposed),
        [false, true],
        'what was left out is not proposed again',
      );
    });

    test('asks in another workspace where that makes it another launch, and says what has changed', async () => {
      window.folders = [api, web];
      await decide(api, web);
      window.folders = [docs];
      assert.equal(answerIn(approval, definition), 'allow', 'what is the same everywhere is asked once');
      const dependent = { ...definition, cwd: '${workspaceFolder}' };
      await approval.record(ask(dependent), { answer: 'allow', roots: [] });
      assert.equal(answerIn(approval, dependent), 'allow');
      window.folders = [{ uri: uriOnDisk('/other/new'), name: 'new' }];
      assert.equal(answerIn(approval, dependent), undefined);
      assert.deepEqual(ask(dependent).changes, [
        `The working directory was ${quoted('/other/docs')}, now it is ${quoted('/other/new')}.`,
        `\${workspaceFolder} stood for ${quoted('/other/docs')}, now it stands for ${quoted('/other/new')}.`,
      ]);
      assert.deepEqual(ask(dependent).variables, [
        { written: '${workspaceFolder}', becomes: quotedText(pathOnDisk('/other/new')) },
      ]);
      window.folders = [docs];
      assert.equal(answerIn(approval, dependent), 'allow');
      await decide(docs);
      assert.deepEqual(await seen(definition), ['docs']);
    });

    test('offers proposed sub-folders, too', async () => {
      window.folders = [api, web];
      const proposing = {
        ...definition,
        origin: ofWorkspace,
        roots: ['${workspaceFolder}/src', '${workspaceFolder:web}'],
      };
      const question = ask(proposing);
      assert.deepEqual(
        question.folders.map(({ name, isProposed }) => [name, isProposed]),
        [
          ['api', false],
          ['api/src', true],
          ['web', true],
        ],
      );
      const roots = question.folders.filter(({ isProposed }) => isProposed).map(({ uri }) => uri);
      await approval.record(question, { answer: 'allow', roots });
      assert.deepEqual(await seen(proposing), ['api/src', 'web']);
    });

    test('says what is shared where that is decided beforehand, and keeps no decision', async () => {
      window.folders = [api, web];
      window.rootsDefault = 'all';
      const question = ask({ ...definition, origin: ofWorkspace });
      assert.deepEqual(question.folders, []);
      assert.deepEqual(question.sharing, { basis: 'setting', roots: [api, web] });
      await approval.record(question, { answer: 'allow', roots: [] });
      window.rootsDefault = 'ask';
      assert.ok(!window.roots.isDecided({ ...definition, origin: ofWorkspace }));
      const own = ask({ ...definition, roots: ['${workspaceFolder:web}'] });
      assert.deepEqual(own.sharing, { basis: 'definition', roots: [web] });
    });
  });

  test('points out a program in the workspace, also for a server of the user', () => {
    const origin: DefinitionOrigin = { scope: 'folder', format: 'mcpJson', place: 'file:///x', folder: web };
    const one = stdioServer([pathOnDisk('/projects/api/x.js')], { command: 'node', origin });
    window.folders = [api, web];
    const { warnings, folders } = approval.question({
      launch: resolved(one, pathOnDisk('/projects/web')),
      label: 'one',
      workspace: [api, web],
    });
    assert.match(warnings.join(), /inside the workspace/);
    assert.deepEqual(folders, [{ ...web, isProposed: true }]);
  });
});
