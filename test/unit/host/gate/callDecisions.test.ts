import assert from 'node:assert/strict';
import fs, { mkdtempSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import { DecisionStore } from '../../../../src/host/decisions/decisionStore.ts';
import { CallDecisions, type DecidedCall } from '../../../../src/host/gate/callDecisions.ts';
import { agentMode, extension } from '../../support/gateBed.ts';
import type { CallAnswer } from '../../../../src/host/gate/callQuestion.ts';
import { decisionKinds } from '../../../../src/host/review/decisionKinds.ts';

const call: DecidedCall = {
  serverId: 'user settings:user git',
  caller: extension,
  target: { kind: 'tool', name: 'commit' },
  launch: 'launch 1',
};
const run = (span: CallAnswer['span'], scope: CallAnswer['scope'] = 'one'): CallAnswer => ({
  answer: 'run',
  span,
  scope,
});
const never: CallAnswer = { answer: 'refuse', span: 'always', scope: 'one' };

suite('Answers to requests', () => {
  let folder: string;
  let open: { dispose(): void }[];
  setup(() => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'mcp-host-')));
    open = [];
  });
  teardown(async () => {
    open.forEach((one) => one.dispose());
    await rm(folder, { recursive: true, force: true });
  });

  /** A window with these folders. */
  function windowOn(folders: readonly string[] = ['app'], remote?: string): CallDecisions {
    const store = new DecisionStore(decisionKinds, path.join(folder, 'decisions'), remote);
    const decisions = new CallDecisions(store, {
      folders: folders.map((name) => ({ uri: `file:///projects/${name}`, name })),
    });
    open.push(decisions, store);
    return decisions;
  }

  test('are found by one look at the folder, however many there are', async () => {
    const here = windowOn();
    await here.remember(call, 'git', run('always'));
    for (let other = 0; other < 20; other += 1) {
      await here.remember({ ...call, target: { kind: 'tool', name: `tool ${other}` } }, 'git', run('always'));
    }
    let now = performance.now();
    mock.method(performance, 'now', () => now);
    here.remembered(call);
    now += 2_001;
    here.remembered(call);
    const calls = (['statSync', 'readdirSync', 'readFileSync'] as const).map((name) => mock.method(fs, name));
    syncBuiltinESMExports();
    try {
      assert.equal(here.remembered(call), 'allow');
      assert.deepEqual(
        calls.map(({ mock: { calls: made } }) => made.length),
        [1, 0, 0],
      );
    } finally {
      mock.restoreAll();
      syncBuiltinESMExports();
    }
  });

  test('for once are not remembered', async () => {
    const here = windowOn();
    await here.remember(call, 'git', run('once'));
    assert.equal(here.remembered(call), undefined);
    await here.remember(call, 'git', { answer: 'refuse', span: 'once', scope: 'one' });
    assert.equal(here.remembered(call), undefined);
  });

  test('for the session hold in this window alone', async () => {
    const here = windowOn();
    await here.remember(call, 'git', run('session'));
    assert.equal(here.remembered(call), 'allow');
    assert.equal(windowOn().remembered(call), undefined);
  });

  for (const span of ['session', 'workspace', 'always'] as const) {
    test(`that allow (${span}) hold for this caller, this tool and this launch`, async () => {
      const here = windowOn();
      await here.remember(call, 'git', run(span));
      assert.equal(here.remembered(call), 'allow');
      for (const other of [
        { caller: agentMode },
        { caller: { ...extension, id: 'acme.other' } as const },
        { target: { kind: 'tool', name: 'push' } } as const,
        { target: { kind: 'prompt', name: 'commit' } } as const,
        { target: { kind: 'resource' } } as const,
        { serverId: 'user settings:user other' },
        { launch: 'launch 2' },
        { launch: undefined },
      ]) {
        assert.equal(here.remembered({ ...call, ...other }), undefined, JSON.stringify(other));
      }
    });
  }

  test('for all of a server hold for its other tools, not for its prompts', async () => {
    const here = windowOn();
    await here.remember(call, 'git', run('always', 'server'));
    assert.equal(here.remembered({ ...call, target: { kind: 'tool', name: 'push' } }), 'allow');
    assert.equal(here.remembered({ ...call, target: { kind: 'prompt', name: 'push' } }), undefined);
  });

  test('for a workspace hold where every folder was there, in any order', async () => {
    await windowOn(['app', 'lib']).remember(call, 'git', run('workspace'));
    for (const [folders, expected] of [
      [['app', 'lib'], 'allow'],
      [['lib', 'app'], 'allow'],
      [['app'], 'allow'],
      [['app', 'other'], undefined],
      [['other'], undefined],
      [[], undefined],
    ] as const) {
      assert.equal(windowOn(folders).remembered(call), expected, folders.join());
    }
  });

  test('for one workspace leave those for another', async () => {
    await windowOn(['app']).remember(call, 'git', run('workspace'));
    await windowOn(['other']).remember(call, 'git', run('workspace'));
    assert.equal(windowOn(['app']).remembered(call), 'allow');
    assert.equal(windowOn(['other']).remembered(call), 'allow');
  });

  test('of one remote are none of another', async () => {
    await windowOn(['app'], 'ssh').remember(call, 'git', run('always'));
    assert.equal(windowOn(['app'], 'ssh').remembered(call), 'allow');
    assert.equal(windowOn(['app']).remembered(call), undefined);
  });

  test('that say never hold for every caller and every launch, over whatever was allowed', async () => {
    const here = windowOn();
    await here.remember(call, 'git', run('always', 'server'));
    await here.remember(call, 'git', run('session'));
    await here.remember({ ...call, caller: agentMode }, 'git', never);
    for (const caller of [extension, agentMode]) {
      for (const launch of ['launch 1', 'launch 2', undefined]) {
        assert.equal(here.remembered({ ...call, caller, launch }), 'deny');
        assert.equal(windowOn(['other']).remembered({ ...call, caller, launch }), 'deny');
      }
    }
    assert.equal(here.remembered({ ...call, target: { kind: 'tool', name: 'push' } }), 'allow');
  });

  test('that say never to a whole server deny all of it', async () => {
    const here = windowOn();
    await here.remember(call, 'git', run('always'));
    await here.remember(call, 'git', { answer: 'refuse', span: 'always', scope: 'server' });
    assert.equal(here.remembered(call), 'deny');
    assert.equal(here.remembered({ ...call, target: { kind: 'tool', name: 'push' } }), 'deny');
  });

  test('of another window count from the next request on', async () => {
    const here = windowOn();
    await here.remember(call, 'git', run('always'));
    assert.equal(here.remembered(call), 'allow');
    await windowOn().remember(call, 'git', never);
    assert.equal(here.remembered(call), 'deny');
  });

  test('that cannot be read may be a denial, for the tool and for the whole server', async () => {
    for (const scope of ['one', 'server'] as const) {
      const here = windowOn();
      await here.remember(call, 'git', { ...never, scope });
      const files = path.join(folder, 'decisions');
      for (const name of readdirSync(files)) {
        writeFileSync(path.join(files, name), '{');
      }
      const next = windowOn();
      await next.remember(call, 'git', run('always'));
      assert.equal(next.remembered(call), 'unclear');
      await rm(files, { recursive: true });
    }
  });

  test('for the session hold for a server under its new name, and for the old one no longer', async () => {
    const here = windowOn();
    const renamed = { ...call, serverId: 'user settings:user github' };
    await here.remember(call, 'git', run('session'));
    here.copySession(call.serverId, { id: renamed.serverId, label: 'github' });
    assert.equal(here.remembered(renamed), 'allow');
    assert.equal(here.remembered(call), 'allow');
    here.forgetSession(call.serverId);
    assert.equal(here.remembered(renamed), 'allow');
    assert.equal(here.remembered(call), undefined);
  });

  test('hold before they are stored, with an event', async () => {
    const here = windowOn();
    let told = 0;
    open.push(here.onDidChange(() => (told += 1)));
    const kept = here.remember(call, 'git', never);
    assert.equal(here.remembered(call), 'deny');
    assert.equal(told, 1);
    await kept;
    assert.equal(here.remembered(call), 'deny');
  });
});
