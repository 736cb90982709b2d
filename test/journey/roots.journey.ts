import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { eventually, expect } from '../editor/expectation.ts';
import type { RowPath, TreeRow, TreeView } from '../editor/treeView.ts';
import type { Workbench } from '../editor/workbench.ts';
import { type Workspace } from '../editor/workspaces.ts';
import { beginShared } from './sharedWindow.ts';
import {
  allowedDirectories,
  openServers,
  processesOf,
  processOf,
  rootsAre,
  waitUntilRunning,
  rowSays,
} from './support.ts';

const filesystem = 'server-filesystem/dist/index.js';

suite('the folders that a server sees', () => {
  let demo: Workspace;
  let workbench: Workbench;
  let servers: TreeView;

  suiteSetup(async () => {
    ({ demo, workbench } = await beginShared());
    mkdirSync(demo.folder.join('garden'));
    servers = await openServers(workbench);
  });

  test('are asked about with the launch, which shows what it reveals anyway', async () => {
    await rowSays(servers, ['filesystem', 'Folders'], 'not decided yet');
    assert.deepEqual(await processesOf(workbench, filesystem), [], 'it runs before it is allowed');
    await workbench.notifications.press(/waiting for your decision/, 'Review');
    const question = (await workbench.review.openAll(2)).find(({ title }) => title.includes('filesystem'));
    assert.deepEqual(
      question?.folders.map(({ isChecked }) => isChecked),
      [true, true],
    );
    assert.match(question?.text ?? '', /Also visible to the server\s+\S+notes \(as its working directory\)/);
    await workbench.screenshot('roots-launch');
    await workbench.review.answer('everything', 'Allow');
    await workbench.review.answer('filesystem', 'Allow');
    await workbench.review.waitUntilClosed();
    await waitUntilRunning(servers, 'filesystem');
    await rootsAre(servers, 'notes, shop');
    assert.deepEqual(await allowedDirectories(workbench), paths('notes', 'shop'));
  });

  test('are shown below their server, with its tools and prompts', async () => {
    await eventually.match(() => servers.tooltip('filesystem'), /Protocol revision 2025-11-25/);
    await servers.expand('filesystem', 'Folders');
    await servers.expand('filesystem', 'Tools');
    await servers.row('filesystem', 'Tools', 'List Allowed Directories');
    await rowSays(servers, ['everything', 'Prompts'], '4');
    await workbench.screenshot('servers');
    await servers.collapse('filesystem', 'Tools');
  });

  test('follow each checkbox, only for that server, in the same process', async () => {
    const pid = await processOf(workbench, filesystem);
    await servers.expand('filesystem', 'Folders');
    const shop = ['filesystem', 'Folders', 'shop'] as const;
    await eventually.all(
      () => servers.row(...shop),
      (before) => {
        assert.equal(before.isChecked, true);
        assert.match(before.checkboxLabel, /Share shop with filesystem/);
      },
    );
    await servers.check(shop, false);
    await rootsAre(servers, 'notes · 1 not shared');
    await servers.waitForRow(shop, 'be not shared', ({ description }) => description === 'not shared');
    assert.deepEqual(await allowedDirectories(workbench), paths('notes'));
    await rowSays(servers, ['everything', 'Folders'], 'notes, shop');
    await workbench.screenshot('roots-one-not-shared');
    await servers.check(shop, true);
    await rootsAre(servers, 'notes, shop');
    assert.deepEqual(await allowedDirectories(workbench), paths('notes', 'shop'));
    assert.equal(await processOf(workbench, filesystem), pid);
  });

  test('can be folders inside a workspace folder, and no others', async () => {
    await servers.runInline(['filesystem', 'Folders'], 'Share a Subfolder…');
    await workbench.chooseFolder(demo.folder.join('garden'), 'Share');
    const refusal = await workbench.notifications.waitFor(/can't be shared with 'filesystem'/);
    assert.match(refusal.message, /It isn't inside a folder of the workspace\./);
    await workbench.screenshot('roots-refused');
    await workbench.notifications.press(/can't be shared with 'filesystem'/, 'Select Another…');
    await workbench.chooseFolder(demo.folder.join('notes', 'meetings'), 'Share');
    const meetings = ['filesystem', 'Folders', 'notes/meetings'] as const;
    await servers.waitForRow(meetings, 'be checked', ({ isChecked }) => isChecked === true);
    // The tree is drawn again when the server has listed them: what is pressed just then is lost.
    assert.deepEqual(await allowedDirectories(workbench), [
      demo.folder.join('notes'),
      demo.folder.join('notes', 'meetings'),
      demo.folder.join('shop'),
    ]);
    await servers.check(['filesystem', 'Folders', 'notes'], false);
    await rootsAre(servers, 'notes/meetings, shop · 1 not shared');
    assert.deepEqual(await allowedDirectories(workbench), [
      demo.folder.join('notes', 'meetings'),
      demo.folder.join('shop'),
    ]);
    await workbench.screenshot('roots-sub-folder');
    await servers.check(['filesystem', 'Folders', 'notes'], true);
    await rootsAre(servers, 'notes, notes/meetings, shop');
    assert.deepEqual(await allowedDirectories(workbench), [
      demo.folder.join('notes'),
      demo.folder.join('notes', 'meetings'),
      demo.folder.join('shop'),
    ]);
    await servers.runFromMenu(meetings, 'Stop Sharing');
    await servers.waitUntilGone(...meetings);
    assert.deepEqual(await allowedDirectories(workbench), paths('notes', 'shop'));
  });

  test('are managed for all servers in one list, from the keyboard', async () => {
    await workbench.runToInput('MCP Host: Manage Folders…', /^Manage Folders/);
    const items = await workbench.quickInput.items();
    assert.deepEqual(
      items
        .filter(({ isChecked }) => isChecked !== undefined)
        .map(({ label, isChecked }) => [label, isChecked]),
      [
        ['notes', true],
        ['shop', true],
        ['notes', true],
        ['shop', true],
      ],
    );
    await workbench.screenshot('roots-manage');
    const { keyboard } = workbench.page;
    const changed = items.filter(({ isChecked }) => isChecked !== undefined)[1];
    assert.ok(changed);
    await keyboard.press('ArrowDown');
    await keyboard.press('ArrowDown');
    await keyboard.press('Space');
    await keyboard.press('Enter');
    await workbench.quickInput.waitUntilClosed();
    const label = changed.description.split(' · ')[0] ?? '';
    await rootsAre(servers, 'notes · 1 not shared', label);
    await rootsAre(servers, 'notes, shop', label === 'filesystem' ? 'everything' : 'filesystem');
    await servers.expand(label, 'Folders');
    await servers.check([label, 'Folders', 'shop'], true);
    await rootsAre(servers, 'notes, shop', label);
  });

  test('get a subfolder in that list, which keeps unapplied changes', async () => {
    const { quickInput } = workbench;
    const boxes = async (): Promise<readonly (readonly [string, boolean | undefined])[]> => {
      await quickInput.waitUntilOpen(/^Manage Folders/);
      const items = await quickInput.items();
      return items.slice(0, 3).map(({ label, isChecked }) => [label, isChecked]);
    };
    await workbench.runToInput('MCP Host: Manage Folders…', /^Manage Folders/);
    await quickInput.toggle('shop');
    await quickInput.pressInRow('notes', 'Share a Subfolder…');
    await workbench.chooseFolder(demo.folder.join('notes', 'meetings'), 'Share');
    await eventually.deepEqual(boxes, [
      ['notes', true],
      ['notes/meetings', true],
      ['shop', false],
    ]);
    await workbench.screenshot('roots-manage-sub-folder');
    await quickInput.pressInRow('notes/meetings', 'Remove Subfolder');
    await expect('a list without it', boxes, ([, second]) => second?.[0] === 'shop');
    await quickInput.cancel();
    await rootsAre(servers, 'notes, shop', 'filesystem');
    await rootsAre(servers, 'notes, shop', 'everything');
  });

  test('are no longer shared when they are deleted, and come back with the folder', async () => {
    const shop: RowPath = ['filesystem', 'Folders', 'shop'];
    rmSync(demo.folder.join('shop'), { recursive: true });
    await servers.waitForRow(shop, 'have no checkbox', ({ isChecked }) => isChecked === undefined);
    await eventually.all(
      () => servers.row(...shop),
      ({ description, icon }) => {
        assert.deepEqual([description, icon], ['The folder is not there.', 'warning']);
      },
    );
    await rootsAre(servers, 'notes · 1 unavailable');
    assert.deepEqual(await allowedDirectories(workbench), paths('notes'));
    await workbench.screenshot('roots-deleted');
    mkdirSync(demo.folder.join('shop'));
    await servers.waitForRow(shop, 'be checked', ({ isChecked }) => isChecked === true);
    await rootsAre(servers, 'notes, shop');
    assert.deepEqual(await allowedDirectories(workbench), paths('notes', 'shop'));
  });

  test('are no longer shared when they lead elsewhere, until you share that', async () => {
    const shop: RowPath = ['filesystem', 'Folders', 'shop'];
    await servers.expand('filesystem', 'Folders');
    renameSync(demo.folder.join('shop'), demo.folder.join('elsewhere'));
    symlinkSync(demo.folder.join('elsewhere'), demo.folder.join('shop'));
    const isElsewhere = ({ description }: TreeRow): boolean => description === 'is another folder now';
    await servers.waitForRow(shop, 'lead elsewhere', isElsewhere);
    assert.deepEqual(await allowedDirectories(workbench), paths('notes'));
    await workbench.screenshot('roots-moved');
    await servers.runInline(shop, 'Share Again');
    await servers.waitForRow(shop, 'be checked', ({ isChecked }) => isChecked === true);
    await rootsAre(servers, 'notes, shop');
    rmSync(demo.folder.join('shop'));
    renameSync(demo.folder.join('elsewhere'), demo.folder.join('shop'));
    await servers.waitForRow(shop, 'have moved back', isElsewhere);
    assert.deepEqual(await allowedDirectories(workbench), paths('notes'));
    await servers.runInline(shop, 'Share Again');
    await rootsAre(servers, 'notes, shop');
  });

  test('are shown with everything else that the server sees, on a page that stays up to date, and acts', async () => {
    await servers.runInline(['filesystem'], 'Open Server');
    const { serverOverview } = workbench;
    const text = await serverOverview.waitForText(/Folders shared with it/);
    assert.match(text, /- notes: \S+\/notes\n- shop: \S+\/shop/);
    assert.match(text, /It has asked for the list, and got this one/);
    assert.match(text, /None: every folder of this workspace is shared with it/);
    assert.match(text, /Revision of the protocol: 2025-11-25/);
    assert.match(text, /list_allowed_directories/);
    assert.match(text, /^What you decided$[^]*^May start/m);
    await workbench.screenshot('roots-sight');
    await servers.check(['filesystem', 'Folders', 'shop'], false);
    await serverOverview.waitForText(/- shop \(\S+\): You have not shared it\./);
    await serverOverview.check('Share shop with filesystem');
    await serverOverview.waitForText(/- shop: \S+\/shop/);
    await serverOverview.press('Open Form: List Allowed Directories');
    await workbench.toolForm.waitFor('List Allowed Directories');
    await workbench.execute('workbench.action.closeActiveEditor');
    await servers.check(['filesystem', 'Folders', 'shop'], false);
    await workbench.execute('workbench.action.closeAllEditors');
  });

  test('are none after the last checkbox and a restart, and the checkbox comes back when you cancel', async () => {
    const pid = await processOf(workbench, filesystem);
    const notes: RowPath = ['filesystem', 'Folders', 'notes'];
    await servers.pressCheckbox(...notes);
    await eventually.match(() => workbench.dialog.text(), /Stop sharing all folders with 'filesystem'\?/);
    await workbench.screenshot('roots-last');
    await workbench.dialog.answer('Cancel');
    await servers.waitForRow(notes, 'be checked again', ({ isChecked }) => isChecked === true);
    await rootsAre(servers, 'notes · 1 not shared');

    await servers.pressCheckbox(...notes);
    await workbench.dialog.answer('Stop Sharing');
    const lingering = 'May still use notes';
    await rowSays(servers, ['filesystem', lingering], 'until restarted');
    assert.deepEqual(await allowedDirectories(workbench), paths('notes'), 'it keeps its last folder');
    await workbench.screenshot('roots-lingering');
    await servers.runInline(['filesystem', lingering], 'Restart Server');
    await servers.waitUntilGone('filesystem', lingering);
    await waitUntilRunning(servers, 'filesystem');
    await rootsAre(servers, 'none');
    assert.deepEqual(await allowedDirectories(workbench), []);
    await expect(
      'another process',
      () => processOf(workbench, filesystem),
      (now) => now !== pid,
    );

    await servers.check(notes, true);
    await rootsAre(servers, 'notes · 1 not shared');
    assert.deepEqual(await allowedDirectories(workbench), paths('notes'));
    const before = await processOf(workbench, filesystem);
    await servers.pressCheckbox(...notes);
    await workbench.dialog.answer('Stop Sharing and Restart');
    await rootsAre(servers, 'none');
    await expect(
      'the next process',
      () => processesOf(workbench, filesystem),
      (now) => now.length === 1 && now[0] !== before,
    );
    await waitUntilRunning(servers, 'filesystem');
    assert.deepEqual(await allowedDirectories(workbench), []);
  });

  test('wait for your answer after "Reset to Ask", and are all shared by "Share All"', async () => {
    await servers.runFromMenu(['everything', 'Folders'], 'Reset to Ask');
    await workbench.dialog.answer('Reset');
    await rootsAre(servers, 'not decided yet', 'everything');
    await workbench.screenshot('roots-reset');
    const id = `workspace ${pathToFileURL(demo.file).href} everything`;
    for (const named of [id, { kind: 'roots', server: { connection: { definition: { id } } } }]) {
      const shared = workbench.execute('mcpHost.shareAllRoots', named);
      await eventually.equal(
        () => workbench.quickInput.placeholder(),
        'Select a server to share all folders with',
      );
      await workbench.quickInput.cancel();
      await shared;
    }
    await rootsAre(servers, 'not decided yet', 'everything');
    await servers.runFromMenu(['everything', 'Folders'], 'Share All');
    await rootsAre(servers, 'notes, shop', 'everything');
  });

  test('that are added later are shared with servers that have all folders, and wait for others', async () => {
    await workbench.addFolder(demo.folder.join('garden'));
    await openServers(workbench);
    await rootsAre(servers, 'notes, shop, garden', 'everything');
    await eventually.all(
      () => servers.row('filesystem', 'Folders', 'garden'),
      (garden) => {
        assert.deepEqual([garden.isChecked, garden.description], [false, 'not shared']);
      },
    );
    await rootsAre(servers, 'none');
  });

  const paths = (...folders: string[]): string[] => folders.map((name) => demo.folder.join(name));
});
