import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DecisionStore } from '../../../../src/host/decisions/decisionStore.ts';
import { AgentGrants } from '../../../../src/host/gate/agentGrants.ts';
import { until } from '../../support/until.ts';
import { decisionKinds } from '../../../../src/host/review/decisionKinds.ts';

const git = 'user settings:user git';

suite('Servers that are offered to agent mode', () => {
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

  function window(remote?: string): { readonly store: DecisionStore; readonly grants: AgentGrants } {
    const store = new DecisionStore(decisionKinds, path.join(folder, 'decisions'), remote);
    const grants = new AgentGrants(store);
    open.push(grants, store);
    return { store, grants };
  }

  test('are none until you grant each server, and again after you revoke it', async () => {
    const { grants, store } = window();
    assert.equal(grants.isGranted(git), false);
    await grants.grant(git, true);
    assert.equal(grants.isGranted(git), true);
    assert.equal(grants.isGranted('user settings:user other'), false);
    assert.deepEqual(
      store.all().map(({ kind, label, serverId }) => ({ kind, label, serverId })),
      [{ kind: 'grant', label: 'git', serverId: git }],
    );
    await grants.grant(git, false);
    assert.equal(grants.isGranted(git), false);
    assert.deepEqual(store.all(), []);
  });

  test('are offered beside the same server of the editor only if you chose that, and until you withdraw it', async () => {
    const { grants, store } = window();
    await grants.grant(git, true);
    assert.equal(grants.isGrantedBesideTwin(git), false);
    await grants.grant(git, true, { besideTwin: true });
    await grants.grant(git, true);
    assert.equal(grants.isGrantedBesideTwin(git), true);
    assert.equal(store.all().length, 1);
    await grants.grant(git, false);
    assert.equal(grants.isGrantedBesideTwin(git), false);
  });

  test('are those of this remote', async () => {
    await window('ssh').grants.grant(git, true);
    assert.equal(window('ssh').grants.isGranted(git), true);
    assert.equal(window().grants.isGranted(git), false);
  });

  test('are revoked by another window for the next request, with an event', async () => {
    const { grants } = window();
    let told = 0;
    open.push(grants.onDidChange(() => (told += 1)));
    await grants.grant(git, true);
    await until(() => told > 0, 'the grant is reported', grants.onDidChange);
    const before = told;
    await window().grants.grant(git, false);
    assert.equal(grants.isGrantedNow(git), false);
    await until(() => told > before, 'its end is reported', grants.onDidChange);
    assert.equal(grants.isGranted(git), false);
  });
});
