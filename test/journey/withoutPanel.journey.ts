import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CodeServer } from '../editor/codeServer.ts';
import { eventually, expect } from '../editor/expectation.ts';
import { root } from '../editor/paths.mjs';
import type { TreeView } from '../editor/treeView.ts';
import type { Workbench } from '../editor/workbench.ts';
import { demoServers, demoWorkspace, type Workspace } from '../editor/workspaces.ts';
import {
  begin,
  type Journey,
  openServers,
  processesOf,
  takeBack,
  untilNothingIsAsked,
  waitUntilEnded,
  waitUntilRunning,
  rowSays,
} from './support.ts';

const long = `--config=${'{"key":"a long value without end"},'.repeat(20)}`;
const servers = {
  lost: { command: 'no-such-server', args: ['--short'] },
  longer: { command: 'no-such-server', args: [long] },
  filesystem: demoServers.filesystem,
};

/** Takes away what agent mode is registered by, and the page of the panel, which then never becomes ready. */
function breakParts(server: CodeServer): void {
  const folder = server.extensionFolder('mcp-host');
  const manifest = join(folder, 'package.json');
  const { contributes, ...rest } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    contributes: Record<string, unknown>;
  };
  delete contributes['mcpServerDefinitionProviders'];
  writeFileSync(manifest, JSON.stringify({ ...rest, contributes }));
  rmSync(join(folder, 'dist/webview/review.js'));
}

suite('Without a review panel and without agent mode', () => {
  let demo: Workspace;
  let journey: Journey;
  let workbench: Workbench;
  let tree: TreeView;

  suiteSetup(async () => {
    demo = demoWorkspace();
    journey = await begin(
      { folder: demo.folder.join('notes') },
      {
        settings: { 'mcpHost.servers': servers },
        unpacked: [join(root, 'test/editor/fixtures/caller')],
        beforeWindow: breakParts,
      },
    );
    ({ workbench } = journey);
  });

  suiteTeardown(async () => {
    const pids = workbench ? await processesOf(workbench, 'server-filesystem/dist/index.js') : [];
    await journey?.end();
    await waitUntilEnded(pids);
    demo?.folder.remove();
  });

  test('launches are asked about in dialogs, a long one with a document', async () => {
    await workbench.notifications.press('3 MCP servers are waiting for your decision.', 'Review');
    const text = await workbench.dialog.text();
    assert.match(text, /Start the MCP server 'lost'\?/);
    assert.match(text, /1\. --short/);
    await workbench.screenshot('review-fallback');
    await workbench.dialog.answer("Don't Allow");
    await eventually.match(() => workbench.dialog.text(), /is open in the editor behind this dialog/);
    await workbench.screenshot('review-fallback-long');
    await workbench.dialog.answer('Allow');
    assert.match(await workbench.dialog.answer('Allow'), /Start the MCP server 'filesystem'\?/);
    const document = await workbench.editors.waitForText(/Start the MCP server 'longer'\?/);
    assert.ok(document.includes(JSON.stringify(long)), document);
    tree = await openServers(workbench);
    await tree.waitForRow(['lost'], 'be denied', ({ description }) => description === 'denied');
    await tree.waitForRow(['longer'], 'have failed', ({ description }) => description.startsWith('failed: '));
    await waitUntilRunning(tree, 'filesystem');
    await workbench.execute('workbench.action.closeAllEditors');
  });

  test('a part that could not be registered is shown in the tree, with the way to the log', async () => {
    await eventually.all(
      () => tree.row("Agent mode isn't available"),
      ({ description }) => {
        assert.match(description, /mcpHost\.gateway/);
      },
    );
    await workbench.screenshot('missing-part');
    await tree.select("Agent mode isn't available");
    const log = workbench.page.locator('.part.panel .view-lines', { hasText: 'Agent mode' });
    await log.waitFor();
    await workbench.screenshot('missing-part-log');
    await workbench.execute('workbench.action.closePanel');
  });

  test('folders are asked about in a dialog, and closing it decides nothing', async () => {
    await takeBack(workbench, 'filesystem: sees all folders');
    await workbench.notifications.press(/^Which folders .* can 'filesystem' see/, 'Review');
    const text = await workbench.dialog.text();
    assert.match(text, /Which folders of this workspace can 'filesystem' see\?/);
    assert.match(text, /This does not limit it to these folders/);
    await eventually.deepEqual(
      async () => (await workbench.dialog.buttons()).toSorted(),
      ["Don't Share", 'Not Now', 'Share All'],
    );
    await workbench.screenshot('roots-consent-dialog');
    await workbench.page.keyboard.press('Escape');
    await expect(
      'the dialog closed',
      () => workbench.dialog.isOpen(),
      (isOpen) => !isOpen,
    );
    await untilNothingIsAsked(workbench);
    await rowSays(tree, ['filesystem', 'Folders'], 'not decided yet');
  });

  test('a tool is asked about in a dialog with the whole request in a document, and Never is kept', async () => {
    await workbench.run('Caller: Write a File');
    await workbench.notifications.press(
      "The extension 'Caller' is waiting for your decision about 'filesystem'.",
      'Review',
    );
    await eventually.match(() => workbench.dialog.text(), /The extension 'Caller' wants to run 'write_file'/);
    await eventually.deepEqual(
      async () => (await workbench.dialog.buttons()).toSorted(),
      ['Allow Once', 'Cancel', "Don't Allow", 'Never Allow'],
    );
    await workbench.screenshot('call-question-dialog');
    await workbench.dialog.answer('Never Allow');
    const document = await workbench.editors.waitForText(/wants to run 'write_file'/);
    assert.match(document, /line 39 of a file\nthe end\\u\{202E\}\nsee/);
    await workbench.notifications.waitFor(/^Refused: /);
    await workbench.run('Caller: Write a File');
    await workbench.notifications.waitFor(/^Refused: /);
    assert.equal(existsSync(demo.folder.join('notes', 'written.txt')), false);
    await untilNothingIsAsked(workbench);
  });
});
