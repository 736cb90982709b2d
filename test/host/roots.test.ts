import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {
  allowAll,
  api,
  call,
  configure,
  fixtureServer,
  projectRoot,
  received,
  running,
  until,
} from './support.ts';

const told = 'notifications/roots/list_changed';
/** Longer than the 250 ms after which a change is announced at the latest. */
const longerThanAnyWaitMs = 600;

const names = (): string[] => (vscode.workspace.workspaceFolders ?? []).map(({ name }) => name);

/** Changes the workspace's folders and waits until the editor has done so. */
async function changeFolders(
  start: number,
  remove: number,
  ...add: { uri: vscode.Uri; name?: string }[]
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const subscription = vscode.workspace.onDidChangeWorkspaceFolders(() => {
      subscription.dispose();
      resolve();
    });
    if (!vscode.workspace.updateWorkspaceFolders(start, remove, ...add)) {
      reject(new Error('the editor does not accept these folders'));
    }
  });
}

async function rootNames(label: string): Promise<string[]> {
  const { roots } = JSON.parse(await call(label, 'roots')) as { roots: { name: string }[] };
  return roots.map(({ name }) => name);
}

/** How often a server has been notified, once whatever is on its way has arrived. */
async function timesTold(label: string): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, longerThanAnyWaitMs));
  return (await received(label))[told] ?? 0;
}

suite('Roots', () => {
  const third = vscode.Uri.file(`${projectRoot}/test/fixtures`);

  suiteSetup(async () => {
    const [first] = vscode.workspace.workspaceFolders ?? [];
    await configure(vscode.ConfigurationTarget.Workspace, {
      asks: fixtureServer('legacyServer.ts'),
      modern: fixtureServer('modernServer.ts'),
    });
    await configure(
      vscode.ConfigurationTarget.WorkspaceFolder,
      { own: fixtureServer('legacyServer.ts') },
      first,
    );
    const host = await api();
    await until(
      'three questions',
      () => host.servers.length === 3 && host.servers.every((one) => one.state === 'awaitingApproval'),
    );
    await allowAll();
    await Promise.all([running('asks'), running('modern'), running('own')]);
  });

  suiteTeardown(async () => {
    const [first] = vscode.workspace.workspaceFolders ?? [];
    await configure(vscode.ConfigurationTarget.Workspace, undefined);
    await configure(vscode.ConfigurationTarget.WorkspaceFolder, undefined, first);
    const host = await api();
    await until('no server', () => host.servers.length === 0);
  });

  test('are the folders of the workspace, in both eras', async () => {
    assert.equal((await running('asks')).revision, '2025-11-25');
    assert.equal((await running('modern')).revision, '2026-07-28');
    assert.deepEqual(await rootNames('asks'), names());
    assert.deepEqual(await rootNames('modern'), names());
  });

  test('adding a folder notifies once the servers whose list it changes', async () => {
    const pid = (await running('asks')).pid;
    await changeFolders(names().length, 0, { uri: third });
    assert.equal(await timesTold('asks'), 1);
    assert.equal(await timesTold('own'), 0);
    assert.deepEqual(await rootNames('asks'), names());
    assert.deepEqual(await rootNames('modern'), names());
    assert.equal((await running('asks')).pid, pid);
  });

  test('renaming a folder notifies a server that has not asked since', async () => {
    const index = names().length - 1;
    await changeFolders(index, 1, { uri: third, name: 'renamed' });
    assert.equal(await timesTold('asks'), 2);
    await changeFolders(index, 1, { uri: third, name: 'renamed again' });
    assert.equal(await timesTold('asks'), 3);
  });

  test('removing a folder notifies once', async () => {
    await changeFolders(names().length - 1, 1);
    assert.equal(await timesTold('asks'), 4);
    assert.deepEqual(await rootNames('asks'), names());
    assert.equal(await timesTold('own'), 0);
  });

  test('reordering folders notifies once', async () => {
    const [, second] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(second);
    await changeFolders(names().length, 0, { uri: third });
    const before = await timesTold('asks');
    // The first folder stays: without it the editor restarts the extension host.
    await changeFolders(1, 2, { uri: third }, { uri: second.uri });
    assert.equal(await timesTold('asks'), before + 1);
    assert.deepEqual(await rootNames('asks'), names());
    await changeFolders(1, 1);
  });

  test('a folder that is not on a disk is left out, and no server is notified', async () => {
    const before = await timesTold('asks');
    await changeFolders(names().length, 0, { uri: vscode.Uri.parse('nowhere:/virtual'), name: 'virtual' });
    assert.equal(await timesTold('asks'), before);
    assert.deepEqual(
      await rootNames('asks'),
      names().filter((name) => name !== 'virtual'),
    );
    await changeFolders(names().length - 1, 1);
  });
});
