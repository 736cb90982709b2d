import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DecisionStore } from '../../../../src/host/approval/decisionStore.ts';
import { LaunchApproval } from '../../../../src/host/approval/launchApproval.ts';
import type { LaunchQuestion } from '../../../../src/host/approval/questionQueue.ts';
import {
  serverId,
  type DefinitionOrigin,
  type RootsProposal,
  type ServerDefinition,
} from '../../../../src/host/config/serverDefinition.ts';
import type { SharedRoot } from '../../../../src/host/roots/sharedRoot.ts';
import { httpServer, stdioServer } from '../../support/definitions.ts';

const api = { uri: 'file:///projects/api', name: 'api' };
const web = { uri: 'file:///projects/web', name: 'web' };
const docs = { uri: 'file:///other/docs', name: 'docs' };
const allow = { answer: 'allow', roots: [] } as const;
const deny = { answer: 'deny' } as const;

suite('What the person said of a launch', () => {
  let folder: string;
  let store: DecisionStore;
  let approval: LaunchApproval;
  let envFile: Readonly<Record<string, string>> | undefined;

  setup(() => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'mcp-host-')));
    envFile = undefined;
    [store, approval] = open();
  });
  teardown(async () => {
    store.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  const open = (remoteName?: string): [DecisionStore, LaunchApproval] => {
    const opened = new DecisionStore(folder, remoteName);
    return [opened, new LaunchApproval(opened, () => envFile)];
  };
  const ask = (
    definition: ServerDefinition,
    workingDirectory = '/projects',
    offered: readonly SharedRoot[] = [],
  ): LaunchQuestion =>
    approval.question({ definition, label: definition.name, workingDirectory, offered, workspace: offered });

  const definition = stdioServer(['-v'], {
    command: 'server',
    env: { TOKEN: 'secret' },
    envFile: '.env',
    inputs: [{ type: 'promptString', id: 'token', password: true }],
  });
  const remote = httpServer('https://example.org/mcp', { headers: { Authorization: 'secret' } });

  test('holds for exactly this launch of this server in this file', async () => {
    await approval.record(ask(definition), allow);
    assert.equal(approval.answerFor(definition, '/projects'), 'allow');
    assert.equal(approval.answerFor({ ...definition, timeout: 1, disabled: true }, '/projects'), 'allow');
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
      assert.equal(approval.answerFor(other, '/projects'), undefined, JSON.stringify(other));
    }
    assert.equal(approval.answerFor(definition, '/elsewhere'), undefined);
  });

  test('holds for exactly this address with exactly these headers', async () => {
    await approval.record(ask(remote), allow);
    assert.equal(approval.answerFor(remote, '/elsewhere'), 'allow');
    assert.equal(approval.answerFor({ ...remote, url: 'https://example.org/MCP' }, '/projects'), undefined);
    assert.equal(approval.answerFor({ ...remote, headers: { Authorization: 'x' } }, '/projects'), undefined);
    assert.equal(approval.answerFor({ ...remote, headers: {} }, '/projects'), undefined);
  });

  test('holds for the envFile as it was when the question was asked', async () => {
    envFile = { KEY: 'secret' };
    const question = ask(definition);
    envFile = { KEY: 'secret', LD_PRELOAD: '/tmp/x.so' };
    await approval.record(question, allow);
    assert.equal(approval.answerFor(definition, '/projects'), undefined, 'nobody has seen that');
    envFile = { KEY: 'renewed' };
    assert.equal(approval.answerFor(definition, '/projects'), 'allow');
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
    const [otherStore, other] = open();
    await approval.record(ask(definition), allow);
    assert.equal(other.answerFor(definition, '/projects'), 'allow');
    await other.record(ask(definition), deny);
    assert.equal(approval.answerFor(definition, '/projects'), 'deny');
    otherStore.dispose();
  });

  test('holds on its remote only', async () => {
    await approval.record(ask(definition), allow);
    const [otherStore, other] = open('ssh-remote');
    assert.equal(other.answerFor(definition, '/projects'), undefined);
    otherStore.dispose();
  });

  test('is kept without a trace of the secrets', async () => {
    envFile = { KEY: 'secret', PATH: 'secret' };
    await approval.record(ask(definition), allow);
    await approval.record(ask(remote), allow);
    const files = readdirSync(folder);
    assert.equal(files.length, 2);
    for (const name of files) {
      assert.doesNotMatch(readFileSync(path.join(folder, name), 'utf8'), /secret/);
    }
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

  suite('of its folders', () => {
    const seen = (offered: readonly SharedRoot[]) => approval.rootsFor(definition, offered);
    const decide = (offered: readonly SharedRoot[], ...roots: readonly SharedRoot[]): Promise<void> =>
      approval.record(ask(definition, '/projects', offered), {
        answer: 'allow',
        roots: roots.map(({ uri }) => uri),
      });

    test('is nothing before a decision, and after a denial', async () => {
      assert.deepEqual(seen([api]), []);
      assert.ok(!approval.hasDecidedRoots(definition, [api]));
      await approval.record(ask(definition, '/projects', [api]), deny);
      assert.deepEqual(seen([api]), []);
    });

    test('is all when all were allowed, also what is added later', async () => {
      await decide([api, web], api, web);
      assert.equal(seen([api, web, docs]), 'all');
      assert.equal(seen([web]), 'all');
    });

    test('is what was allowed, by the URI', async () => {
      await decide([api, web], web);
      assert.deepEqual(seen([api, web]), [web.uri]);
      assert.ok(approval.hasDecidedRoots(definition, [api]));
      assert.deepEqual(
        ask(definition, '/projects', [api, web]).folders.map(({ isProposed }) => isProposed),
        [false, true],
        'what was left out is not proposed again',
      );
    });

    test('says nothing of another workspace, and is not lost when that is decided', async () => {
      await decide([api, web], api, web);
      assert.deepEqual(seen([docs]), []);
      assert.ok(!approval.hasDecidedRoots(definition, [docs]));
      assert.match(ask(definition, '/projects', [docs]).changes.join(), /not decided which folders/);
      await decide([docs]);
      assert.deepEqual(seen([docs]), [api.uri, web.uri]);
      assert.ok(approval.hasDecidedRoots(definition, [docs]));
      await decide([docs], docs);
      assert.equal(seen([docs]), 'all');
      assert.equal(seen([api]), 'all');
    });

    test('is never widened by what is allowed elsewhere', async () => {
      await decide([api, web], api);
      await decide([docs], docs);
      assert.deepEqual(seen([api, web]), [docs.uri, api.uri]);
    });

    test('is not asked where there is none', async () => {
      await approval.record(ask(definition), allow);
      assert.ok(approval.hasDecidedRoots(definition, []));
      assert.ok(!approval.hasDecidedRoots(definition, [api]));
    });

    const proposals: [RootsProposal | undefined, boolean[]][] = [
      [undefined, [true, true]],
      ['all', [true, true]],
      ['none', [false, false]],
      [[], [false, false]],
      [['${workspaceFolder}'], [true, false]],
      [['${workspaceFolder:web}/'], [false, true]],
      [['${workspaceFolder}/src'], [false, false]],
      [['/projects/web'], [false, true]],
      [
        ['../web', '.'],
        [true, true],
      ],
      [['${env:X}'], [false, false]],
    ];
    for (const [roots, expected] of proposals) {
      test(`is proposed by the definition: ${JSON.stringify(roots)}`, () => {
        const one = roots === undefined ? definition : { ...definition, roots };
        assert.deepEqual(
          ask(one, '/projects', [api, web]).folders.map(({ isProposed }) => isProposed),
          expected,
        );
      });
    }
  });

  test('points out a program in the workspace, also for a server of the user', () => {
    const origin: DefinitionOrigin = { scope: 'folder', format: 'mcpJson', place: 'file:///x', folder: web };
    const one = stdioServer(['/projects/api/x.js'], { command: 'node', origin });
    const { warnings, folders } = approval.question({
      definition: one,
      label: 'one',
      workingDirectory: '/projects/web',
      offered: [web],
      workspace: [api, web],
    });
    assert.match(warnings.join(), /inside the workspace/);
    assert.deepEqual(folders, [{ ...web, isProposed: true }]);
  });
});
