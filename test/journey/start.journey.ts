import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { eventually, expect } from '../editor/expectation.ts';
import { NpmStart } from '../editor/npmStart.ts';
import { Workbench } from '../editor/workbench.ts';
import { openServers, waitUntilRunning, walkthroughSteps } from './support.ts';

/** What README says, by clicks alone, in the editor as a person gets it. */
suite('npm start', () => {
  let start: NpmStart;
  let workbench: Workbench;
  /** The first line of a resource. */
  let shown: Locator;

  suiteSetup(async () => {
    start = new NpmStart();
    workbench = await Workbench.openAddress(await start.begin('--web'));
    shown = workbench.page.locator('.view-line', { hasText: 'Startup Process' }).first();
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

  test('opens a resource', async () => {
    await workbench.runToInput('MCP Host: Open Resource…', 'Open Resource');
    await workbench.quickInput.pick('startup.md');
    await shown.waitFor();
    await workbench.statusBar.waitFor('Live');
  });

  test('has the newest build after the window is reloaded, and all that was open, without a question', async () => {
    await expect(
      'the editor to have stored which rows are open, and the resource that was opened last',
      () => workbench.stored('mcphost.mcp-host'),
      (text) => text.includes('\\ntools') && text.includes('startup.md'),
    );
    const titles = async () => (await workbench.editors.tabs()).map(({ title }) => title);
    const before = await titles();
    assert.ok(before.includes('List Allowed Directories'), before.join());
    start.buildWith("\nvscode.window.setStatusBarMessage('the newest build');\n");
    await workbench.reload();
    await workbench.statusBar.waitFor('the newest build');
    const servers = await openServers(workbench);
    await waitUntilRunning(servers, 'filesystem');
    await expect(
      'the open tools',
      () => servers.rows(),
      (rows) => rows.some(({ label }) => label === 'List Allowed Directories'),
    );
    await shown.waitFor();
    await workbench.statusBar.waitFor('Live');
    await eventually.deepEqual(titles, before);
    await workbench.screenshot('start-reloaded');
    await workbench.runToInput('MCP Host: Open Resource…', 'Open Resource');
    await expect(
      'the resource that was opened last at the top',
      () => workbench.quickInput.itemsNow(),
      ([first]) => first?.label === 'startup.md',
    );
    assert.deepEqual(await workbench.notifications.told(), [], 'it asks again');
  });

  test('ticks in the walkthrough what was done before the window was loaded', async () => {
    await eventually.deepEqual(() => walkthroughSteps(workbench), {
      'Try a sample server': false,
      'Decide what it can see': true,
      'Run a tool': true,
      'Add a server': true,
      'Use a server in chat': false,
    });
  });

  test('ends with Ctrl-C and leaves nothing behind', async () => {
    assert.deepEqual(await start.interrupt(), []);
    assert.doesNotMatch(start.printed, /error/i);
  });
});
