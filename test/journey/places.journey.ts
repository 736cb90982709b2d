import assert from 'node:assert/strict';
import { eventually, expect } from '../editor/expectation.ts';
import type { Workbench } from '../editor/workbench.ts';
import { demoServers, demoWorkspace, type Workspace } from '../editor/workspaces.ts';
import {
  allowedDirectories,
  allowServers,
  begin,
  openServers,
  rootsAre,
  waitUntilRunning,
  type Journey,
} from './support.ts';

/** A window of one folder becomes one of several: it is loaded again for that. */
suite('a window that goes to other places', () => {
  let demo: Workspace;
  let journey: Journey;
  let workbench: Workbench;

  suiteSetup(async () => {
    demo = demoWorkspace();
    // The user's own: it sees every folder of whatever is open.
    const settings = { 'mcpHost.servers': { filesystem: demoServers.filesystem } };
    journey = await begin({ folder: demo.folder.join('notes') }, { settings });
    ({ workbench } = journey);
  });

  suiteTeardown(async () => {
    await journey?.end();
    demo?.folder.remove();
  });

  const running = async (): Promise<void> => waitUntilRunning(await openServers(workbench), 'filesystem');
  const paths = (...names: readonly string[]): readonly string[] =>
    names.map((name) => demo.folder.join(name));

  test('shares its only folder', async () => {
    await allowServers(workbench, 1);
    await running();
    assert.deepEqual(await allowedDirectories(workbench), paths('notes'));
  });

  test('shares a second folder, which makes it a window of several', async () => {
    await workbench.addFolder(demo.folder.join('shop'));
    await running();
    await rootsAre(await openServers(workbench), 'notes, shop');
    await workbench.screenshot('single-folder-grown');
  });

  test('shows the activity of this workspace until you show all', async () => {
    const activity = await workbench.openView('MCP Host', 'Activity');
    await expect(
      'the empty view to speak of this workspace',
      () => activity.welcome(),
      (text) => text.includes('No requests in this workspace yet'),
    );
    await workbench.screenshot('activity-other-workspace');
    await activity.pressInWelcome('Show All Workspaces');
    await eventually.all(
      () => activity.row('list_allowed_directories'),
      (row) => {
        assert.match(row.description, /^filesystem · you · done · in notes · /);
      },
    );
    await workbench.screenshot('activity-all-workspaces');
    await workbench.runToInput('MCP Host: Filter Activity…', 'Filter Activity');
    await workbench.quickInput.toggle('All Workspaces');
    await workbench.quickInput.accept();
    await activity.waitUntilGone('list_allowed_directories');
  });

  test('loses its first folder, which restarts the extension host, and has it again', async () => {
    assert.deepEqual(await allowedDirectories(workbench), paths('notes', 'shop'));
    const host = await workbench.extensionHost();
    await workbench.removeFolder('notes');
    await eventually.equal(() => workbench.folderCount(), 1);
    await running();
    assert.notEqual(await workbench.extensionHost(), host);
    assert.deepEqual(await allowedDirectories(workbench), paths('shop'));
    await workbench.addFolder(demo.folder.join('notes'));
    await running();
    await rootsAre(await openServers(workbench), 'shop, notes');
    assert.deepEqual(await allowedDirectories(workbench), paths('shop', 'notes'));
  });

  test('has no folder to share', async () => {
    await workbench.removeFolder('notes');
    await workbench.removeFolder('shop');
    await running();
    await rootsAre(await openServers(workbench), 'the workspace has no folders');
    await workbench.screenshot('no-folders');
    assert.deepEqual(await allowedDirectories(workbench), []);
  });
});
