import assert from 'node:assert/strict';
import { NpmStart } from '../editor/npmStart.ts';
import { Workbench } from '../editor/workbench.ts';
import { openServers, waitUntilRunning } from './support.ts';

/** What README says, by clicks alone, in the editor as a person gets it. */
suite('npm start', () => {
  let start: NpmStart;
  let workbench: Workbench;

  suiteSetup(async () => {
    start = new NpmStart();
    workbench = await Workbench.openAddress(await start.begin('--web'));
  });

  suiteTeardown(async () => {
    await workbench?.close();
    await start?.end();
  });

  test('says what it opens, and asks whether the demo workspace is trusted', async () => {
    assert.match(start.printed, /^Opens the demo workspace in your browser\.$/m);
    await workbench.dialog.answer('Yes, I trust the authors');
  });

  test('asks about the servers, and starts what is allowed', async () => {
    const servers = await openServers(workbench);
    await servers.row('filesystem');
    await servers.row('everything');
    await workbench.screenshot('start-servers');
    await workbench.notifications.press('2 MCP servers are waiting for your decision.', 'Review');
    await workbench.review.waitFor(2);
    await workbench.review.answer('filesystem', 'Allow');
    await workbench.review.answer('everything', 'Allow');
    await workbench.review.waitUntilClosed();
    await waitUntilRunning(servers, 'filesystem');
  });

  test('runs a tool', async () => {
    const servers = await openServers(workbench);
    await servers.expand('filesystem');
    await servers.expand('filesystem', 'Tools');
    await servers.runInline(['filesystem', 'Tools', 'List Allowed Directories'], 'Run Tool…');
    const text = await workbench.toolForm.result(/Allowed directories/);
    assert.match(text, /\/notes\n.*\/shop\n/);
    await workbench.screenshot('start-tool');
  });

  test('has the newest build after the window is reloaded', async () => {
    start.buildWith("\nvscode.window.setStatusBarMessage('the newest build');\n");
    await workbench.reload();
    await workbench.statusBar.waitFor('the newest build');
    await waitUntilRunning(await openServers(workbench), 'filesystem');
  });

  test('ends with Ctrl-C and leaves nothing behind', async () => {
    assert.deepEqual(await start.interrupt(), []);
    assert.doesNotMatch(start.printed, /error/i);
  });
});
