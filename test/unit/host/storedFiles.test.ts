import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { EraStore } from '../../../src/host/connection/eraStore.ts';
import { AccountStore } from '../../../src/host/auth/accounts/accountStore.ts';
import type { Decision } from '../../../src/host/decisions/decision.ts';
import { DecisionStore } from '../../../src/host/decisions/decisionStore.ts';
import { grantDecisionKind } from '../../../src/host/gate/agentGrants.ts';
import { callDecisionKind } from '../../../src/host/gate/callDecisions.ts';
import { PinStore } from '../../../src/host/gate/pins/pinStore.ts';
import { resourcePinKey, textsHash } from '../../../src/host/gate/pins/resourcePins.ts';
import { TaskFiles } from '../../../src/host/keptTasks/taskFiles.ts';
import { launchDecisionKind } from '../../../src/host/launch/question/launchDecision.ts';
import { decisionKinds } from '../../../src/host/review/decisionKinds.ts';
import { rootsDecisionKind } from '../../../src/host/roots/rootsDecisions.ts';
import { TokenUsage } from '../../../src/host/sampling/tokenUsage.ts';
import { TemporaryFolder } from '../../editor/temporaryFolder.ts';
import { accountOf, oauthClient, otherOwner, owner } from '../support/accounts.ts';
import { SharedSecrets } from '../support/secretStores.ts';

/** As the build of 25 November 2026 writes them at noon: never change them from the first release on. */
const stored = path.resolve(import.meta.dirname, '../../fixtures/stored');
const at = Date.UTC(2026, 10, 25, 12);

suite('Files that an earlier build wrote', () => {
  let temporary: TemporaryFolder;
  setup(() => {
    temporary = new TemporaryFolder('stored');
    cpSync(stored, temporary.path, { recursive: true });
  });
  teardown(() => temporary.remove());

  /** Each file of a store with its text. */
  const contents = (root: string, store: string): ReadonlyMap<string, string> =>
    new Map(
      readdirSync(path.join(root, store)).map((name) => [
        name,
        readFileSync(path.join(root, store, name), 'utf8'),
      ]),
    );
  const assertUntouched = (store: string): void =>
    assert.deepEqual(contents(temporary.path, store), contents(stored, store));

  test('are decisions, of which the denial counts where two windows contradict each other', () => {
    const store = new DecisionStore(decisionKinds, temporary.join('decisions'));
    const serverId = 'user settings:user server';
    assert.equal(store.all().length, 5);
    assert.ok(
      store.all().every((decision) => decision.serverId === serverId && !store.isUnreadable(decision.key)),
    );
    const [launch] = store.allOf(launchDecisionKind);
    assert.deepEqual([launch?.answer, launch?.at, launch?.fingerprint], ['deny', at, 'f']);
    assert.equal(store.getOf(grantDecisionKind, store.keyOf(grantDecisionKind, serverId))?.at, at);
    assert.deepEqual(
      new Map(store.allOf(callDecisionKind).map(({ target, answer }) => [target.name, answer])),
      new Map([
        ['run', 'allow'],
        ['refuse', 'deny'],
      ]),
    );
    assert.deepEqual(store.allOf(rootsDecisionKind)[0]?.folders, ['file:///w']);
    assert.ok(store.all().every((decision: Decision) => decision.key === store.keyOfDecision(decision)));
    store.dispose();
    assertUntouched('decisions');
  });

  test('are pins of tools, prompts, templates, resources and instructions', async () => {
    const store = new PinStore(temporary.join('pins'));
    const pins = await store.read({
      serverId: 'user settings:user server',
      launch: 'launch',
      revision: '2025-11-25',
    });
    store.dispose();
    assert.deepEqual(
      [...(pins.tools ?? [])].map(([name, { item, isNew }]) => [name, item.name, item.description, isNew]),
      [
        ['echo', 'echo', 'Says it\nagain', false],
        ['__proto__', '__proto__', undefined, true],
      ],
    );
    assert.deepEqual([...(pins.prompts?.keys() ?? [])], ['greet']);
    assert.deepEqual([...(pins.templates?.keys() ?? [])], ['notes://{name}']);
    const resource = { uri: 'notes://one', name: 'one', description: 'A note' };
    assert.deepEqual([...(pins.resources ?? [])], [[resourcePinKey(resource), textsHash(resource)]]);
    assert.deepEqual(pins.instructions, { text: 'Be kind.', textChanges: 0, varies: false });
    assert.equal(pins.isLost, false);
    assertUntouched('pins');
  });

  test('are eras, and how processes ended', async () => {
    const eras = new EraStore(temporary.join('eras'), () => at);
    assert.deepEqual(await eras.of(() => 'launch').get(), { era: 'legacy', ends: undefined });
    assert.deepEqual(await eras.of(() => 'silent').get(), {
      era: undefined,
      ends: { probed: 'exit 1', initialized: 'exit 2' },
    });
    assertUntouched('eras');
  });

  test('are what servers used of language models that day', async () => {
    const usage = new TokenUsage(temporary.join('sampling'), () => new Date(2026, 10, 25, 13).getTime());
    await usage.refresh();
    assert.deepEqual(usage.today('a'), { requests: 2, tokens: 1234 });
    assert.deepEqual(usage.today('b'), { requests: 1, tokens: 5 });
    usage.dispose();
    assertUntouched('sampling');
  });

  test('are accounts, registrations, refused scopes and tasks, with the key that they were written with', async () => {
    const secrets = new SharedSecrets();
    await secrets.store('account key', Buffer.alloc(32, 7).toString('base64'));
    const store = new AccountStore(temporary.join('accounts'), secrets, () => at);
    assert.deepEqual(await store.get(owner), accountOf(owner));
    assert.deepEqual(await store.get(otherOwner), {
      ...otherOwner,
      id: 'token',
      since: at,
      header: 'Authorization',
      value: 'Bearer secret',
    });
    assert.equal((await store.all()).length, 2);
    assert.deepEqual(await store.oauthClient(owner, oauthClient.issuer), oauthClient);
    assert.deepEqual(await store.refusedScopes(owner, oauthClient.issuer), ['all']);
    const tasks = new TaskFiles(store.filesIn(temporary.join('tasks')), assert.fail);
    const [task] = await tasks.all();
    assert.deepEqual(
      [task?.id, task?.key, task?.until, task?.hasResult, task?.owner?.host],
      [
        'entry',
        { id: 'task-1', place: 'https://tasks.example/mcp', era: 'modern' },
        at + 60_000,
        true,
        { pid: 4711, start: 1 },
      ],
    );
    store.dispose();
    assertUntouched('accounts');
    assertUntouched('tasks');
  });

  test('are accounts that need their key: with another one, nothing is read or changed', async () => {
    const secrets = new SharedSecrets();
    await secrets.store('account key', Buffer.alloc(32, 8).toString('base64'));
    const store = new AccountStore(temporary.join('accounts'), secrets, () => at);
    assert.equal(await store.access(), 'otherKey');
    assert.deepEqual(await store.all(), []);
    store.dispose();
    assertUntouched('accounts');
  });
});
