import assert from 'node:assert/strict';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, expect, plain } from '../editor/expectation.ts';
import type { TreeView } from '../editor/treeView.ts';
import type { Workbench } from '../editor/workbench.ts';
import { demoServers, type Workspace } from '../editor/workspaces.ts';
import { beginShared } from './sharedWindow.ts';
import { openServers, rowSays, takeBack, untilNothingIsAsked, waitUntilRunning } from './support.ts';

const long = `--config=${'{"key":"a long value without end"},'.repeat(20)}`;
const servers = {
  lost: { command: 'no-such-server', args: ['--short'] },
  filesystem: demoServers.filesystem,
  everything: demoServers.everything,
  longer: { command: 'no-such-server', args: [long] }, // the last: where paths are long, others have a document too
};

/** Takes away the page of the panel, which then never becomes ready, and what agent mode is registered by. */
function breakParts(folder: string): () => void {
  const page = join(folder, 'dist/webview/pages.js');
  const main = join(folder, 'dist/extension.cjs');
  const code = readFileSync(main, 'utf8');
  const refuse = "(id) => { throw new Error(`There is no '${id}'.`); }";
  renameSync(page, `${page}.away`);
  writeFileSync(main, `require('vscode').lm.registerMcpServerDefinitionProvider = ${refuse};\n${code}`);
  return () => {
    renameSync(`${page}.away`, page);
    writeFileSync(main, code);
  };
}

suite('Without a review panel and without agent mode', () => {
  let demo: Workspace;
  let workbench: Workbench;
  let tree: TreeView;

  suiteSetup(async () => {
    ({ demo, workbench } = await beginShared({
      servers: {},
      settings: { 'mcpHost.servers': servers },
      changeExtension: breakParts,
    }));
  });

  test('launches are asked about in dialogs, a long one with a document', async () => {
    await workbench.notifications.press('4 MCP servers are waiting for your decision.', 'Review');
    const text = await workbench.dialog.text();
    assert.match(text, /Start 'lost'\?/);
    assert.match(text, /1\. --short/);
    await workbench.screenshot('review-fallback');
    await workbench.dialog.answer("Don't Allow");
    assert.match(await workbench.dialog.answer('Allow'), /Start 'filesystem'\?/);
    assert.match(await workbench.dialog.answer('Allow'), /Start 'everything'\?/);
    assert.match(await workbench.dialog.text(), /is open in the editor behind this dialog/);
    await workbench.screenshot('review-fallback-long');
    assert.match(await workbench.dialog.answer('Allow'), /Start 'longer'\?/);
    const document = await workbench.editors.waitForText(/Start 'longer'\?/);
    assert.ok(document.includes(`'${long}'`), document);
    tree = await openServers(workbench);
    await tree.waitForRow(['lost'], 'be denied', ({ description }) => description === 'denied');
    await tree.waitForRow(['longer'], 'have failed', ({ description }) => description.startsWith('failed: '));
    await waitUntilRunning(tree, 'filesystem');
    await waitUntilRunning(tree, 'everything');
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
    await workbench.notifications.press(/^Share folders with 'filesystem'/, 'Review');
    const text = await workbench.dialog.text();
    assert.match(text, /Share folders with 'filesystem'\?/);
    // Where paths are long, the dialog is too short for all of it.
    const isApart = /is open in the editor behind this dialog/.test(text);
    const whole = isApart ? await workbench.editors.waitForText(/Share folders with 'filesystem'/) : text;
    assert.match(plain(whole), /isn't limited to them: a local server can reach/);
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

  test('the forms of a tool, a prompt and a template say that no page opened, and why', async () => {
    const { notifications, quickInput, editors } = workbench;
    const saysSo = async (name: string): Promise<void> => {
      const { message, buttons } = await notifications.waitFor(
        new RegExp(`^The form of '${name}' did not open`),
      );
      assert.match(message, /this window is not on https or localhost, so the editor shows no pages/);
      assert.deepEqual(buttons, ['Reload Window']);
      await workbench.screenshot(`no-form-of-${name.toLowerCase().replaceAll(' ', '-')}`);
      assert.deepEqual(await editors.tabs(), []);
      await workbench.run('Notifications: Clear All Notifications');
    };
    await workbench.execute('workbench.action.closeAllEditors');
    await workbench.runToInput('MCP Host: Run Tool…', 'Run Tool');
    await quickInput.pick('Get Sum Tool');
    await saysSo('Get Sum Tool');
    await workbench.runToInput('MCP Host: Use Prompt…', 'Use Prompt');
    await quickInput.pick('Team Management');
    await saysSo('Team Management');
    await workbench.runToInput('MCP Host: Open Resource…');
    await quickInput.pick('Dynamic Text Resource');
    await saysSo('Dynamic Text Resource');
  });
});
