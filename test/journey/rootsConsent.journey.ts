import assert from 'node:assert/strict';
import { eventually, expect } from '../editor/expectation.ts';
import type { TreeView } from '../editor/treeView.ts';
import type { Workbench } from '../editor/workbench.ts';
import { type Workspace } from '../editor/workspaces.ts';
import { beginShared } from './sharedWindow.ts';
import {
  allowedDirectories,
  allowShown,
  openServers,
  processOf,
  takeBack,
  untilNothingIsAsked,
  waitUntilRunning,
} from './support.ts';

const filesystem = 'server-filesystem/dist/index.js';

suite('the question which folders a running server may know about', () => {
  let demo: Workspace;
  let workbench: Workbench;
  let servers: TreeView;

  suiteSetup(async () => {
    const settings = { 'mcpHost.roots.default': 'all' };
    ({ demo, workbench } = await beginShared({ settings }));
    servers = await openServers(workbench);
  });

  test('does not come if the setting decides: the launch question says what is shared', async () => {
    await workbench.notifications.waitFor(/2 MCP servers are waiting/);
    await workbench.run('MCP Host: Review Questions');
    await workbench.review.waitFor(2);
    await workbench.screenshot('roots-consent-launch-decided');
    await workbench.notifications.waitUntilGone(/2 MCP servers are waiting/);
    const texts = await allowShown(workbench, 2);
    const shared = [demo.folder.join('notes'), demo.folder.join('shop')].join(', ');
    for (const text of texts) {
      assert.ok(
        text.includes(`Shared with this server by your setting mcpHost.roots.default: ${shared}.`),
        text,
      );
    }
    assert.match(texts.at(-1) ?? '', /isn't limited to them: a local server can reach/);
    await waitUntilRunning(servers, 'filesystem');
    await waitUntilRunning(servers, 'everything');
  });

  test('is one question for all servers when the setting is reset', async () => {
    const pid = await processOf(workbench, filesystem);
    await workbench.takeSettings({ 'mcpHost.roots.default': 'ask' });
    const which = /^Share folders with '\w+' and '\w+'\?$/;
    const asked = await workbench.notifications.waitFor(which);
    assert.ok(asked);
    await workbench.statusBar.waitFor(/MCP: 2 waiting/);
    await workbench.screenshot('roots-consent-announced');
    await workbench.notifications.press(which, 'Review');
    const [question] = await workbench.review.openAll(1);
    assert.ok(question);
    assert.match(question.title, which);
    assert.deepEqual(question.buttons, ['Share Selected', 'Share All', "Don't Share", 'Not Now']);
    assert.deepEqual(
      question.folders.map(({ label, isChecked }) => [label, isChecked]),
      [
        ['notes', true],
        ['shop', true],
      ],
    );
    await workbench.screenshot('roots-consent-two-servers');
    await expect(
      'the focus on the heading',
      () => workbench.review.focused(),
      (now) => which.test(now),
    );
    await workbench.page.keyboard.press('Enter');
    await eventually.equal(async () => (await workbench.review.questions()).length, 1);
    assert.equal(await processOf(workbench, filesystem), pid);
  });

  test('is answered with the keyboard, from the selection', async () => {
    await workbench.review.tabTo(/^shop /);
    await workbench.page.keyboard.press('Space');
    await workbench.review.tabTo(/^Share Selected: /);
    await workbench.screenshot('roots-consent-keyboard');
    await workbench.page.keyboard.press('Enter');
    await workbench.review.waitUntilClosed();
    await expectAllowed('notes');
  });

  test('comes again when the decision is taken back, and nothing is shared by default', async () => {
    const pid = await processOf(workbench, filesystem);
    await takeBack(workbench, 'filesystem: sees one folder');
    await workbench.notifications.press("Share folders with 'filesystem'?", 'Review');
    const [question] = await workbench.review.openAll(1);
    assert.ok(question);
    assert.match(question.text, /Defined in\s+\S*demo\.code-workspace/);
    assert.match(question.text, /isn't limited to them: a local server can reach/);
    assert.match(question.text, /"Not Now": it gets no folder this time/);
    await workbench.review.setFolder('filesystem', 'notes', false);
    await workbench.screenshot('roots-consent-one-server');
    await workbench.review.answer('filesystem', 'Share Selected');
    await workbench.review.waitUntilClosed();
    await expectAllowed('shop');
    assert.equal(await processOf(workbench, filesystem), pid);
    await waitUntilRunning(servers, 'filesystem');
  });

  test('is postponed with Not Now', async () => {
    await takeBack(workbench, 'filesystem: sees one folder');
    await workbench.notifications.press(/^Share folders with 'filesystem'/, 'Review');
    await workbench.review.waitFor(1);
    await workbench.review.answer('filesystem', 'Not Now');
    await workbench.review.waitUntilClosed();
    await untilNothingIsAsked(workbench);
  });

  /** Changes the setting as a person would; the editor saves automatically. */
  async function expectAllowed(...folders: readonly string[]): Promise<void> {
    const expected = folders.map((name) => demo.folder.join(name));
    await expect(
      `the server to use ${folders.join(', ')}`,
      () => allowedDirectories(workbench),
      (directories) => JSON.stringify(directories) === JSON.stringify(expected),
    );
  }
});
