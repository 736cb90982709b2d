import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { findingsOfAxe } from '../editor/axe.ts';
import { expect } from '../editor/expectation.ts';
import type { TreeView } from '../editor/treeView.ts';
import type { Workbench } from '../editor/workbench.ts';
import { demoServers, demoWorkspace, type Workspace } from '../editor/workspaces.ts';
import { begin, openServers, waitUntilRunning, type Journey } from './support.ts';

/** An argument of everything that a launch must not hide. */
const disguised = `--title=a\u202Eb${' '.repeat(500)}\n"quoted" C:\\temp`;
const long = `--config=${'{"key":"a long value without end"},'.repeat(20)}`;

suite('the review panel', () => {
  let demo: Workspace;
  let journey: Journey;
  let workbench: Workbench;
  let servers: TreeView;

  const configure = (definitions: Record<string, unknown>): void => {
    const workspace = JSON.parse(readFileSync(demo.file, 'utf8')) as { settings: Record<string, unknown> };
    workspace.settings['mcpHost.servers'] = definitions;
    writeFileSync(demo.file, `${JSON.stringify(workspace, undefined, 2)}\n`);
  };

  const odd = {
    command: demoServers.filesystem.command,
    args: ['--no-such-option', disguised, long, ''],
    env: { TOKEN: 'hidden-value', 'NODE\u200B_OPTIONS': '--x' },
  };
  const remote = { url: 'https://example.invalid/mcp', headers: { Authorization: 'hidden-value' } };

  suiteSetup(async () => {
    demo = demoWorkspace();
    journey = await begin({ workspace: demo.file }, { folders: 2 });
    ({ workbench } = journey);
    servers = await openServers(workbench);
    await servers.row('filesystem');
  });

  suiteTeardown(async () => {
    await journey?.end();
    demo?.folder.remove();
  });

  test('shows every waiting server with its whole launch', async () => {
    await workbench.statusBar.waitFor(/MCP: 2 waiting/);
    await workbench.notifications.press('2 MCP servers are waiting for your decision.', 'Review');
    const [first, second] = await workbench.review.waitFor(2);
    assert.ok(first && second);
    assert.equal(first.title, "Start the MCP server 'filesystem'?");
    assert.equal(second.title, "Start the MCP server 'everything'?");
    assert.match(first.text, /Defined in \S*demo\.code-workspace/);
    assert.ok(first.text.includes(demoServers.filesystem.command));
    demoServers.everything.args.forEach((arg) => assert.ok(second.text.includes(arg), arg));
    assert.deepEqual(
      first.folders.map(({ label, isChecked }) => [label, isChecked]),
      [
        ['notes', true],
        ['shop', true],
      ],
    );
    assert.deepEqual(first.buttons, ['Allow', "Don't Allow", 'Open the Definition']);
    await workbench.screenshot('review-two');
  });

  test('begins at the heading, where Enter answers nothing', async () => {
    await workbench.review.waitForFocus("Start the MCP server 'filesystem'?");
    await workbench.page.keyboard.press('Enter');
    await workbench.page.keyboard.press('ControlOrMeta+Enter');
    assert.equal((await workbench.review.questions()).length, 2);
  });

  test('keeps an unchecked folder while another tab is in front', async () => {
    await workbench.review.setFolder('filesystem', 'shop', false);
    await workbench.review.press('everything', 'Open the Definition');
    await workbench.editors.waitFor('demo.code-workspace');
    await workbench.run('View: Close Editor');
    const [first] = await workbench.review.waitFor(2);
    assert.deepEqual(
      first?.folders.map(({ isChecked }) => isChecked),
      [true, false],
    );
  });

  test('is answered by the keyboard alone', async () => {
    const { keyboard } = workbench.page;
    await workbench.review.waitForFocus("Start the MCP server 'filesystem'?");
    await workbench.review.tabTo("Don't Allow: Start the MCP server 'everything'?");
    await workbench.screenshot('review-keyboard');
    await keyboard.press('Enter');
    await workbench.review.waitFor(1);
    await servers.waitForRow(['everything'], 'be denied', ({ description }) => description === 'denied');
    assert.match(await workbench.review.text(), /Not allowed: everything\. 1 of 2 left\./);
    await workbench.review.waitForFocus("Start the MCP server 'filesystem'?");
    await workbench.screenshot('review-one-left');
    await workbench.review.tabTo("Allow: Start the MCP server 'filesystem'?");
    await keyboard.press('Space');
    await expect(
      'the farewell',
      () => workbench.review.text(),
      (text) => /Nothing is waiting for you\./.test(text),
    );
    await workbench.screenshot('review-nothing-left');
    await workbench.review.waitUntilClosed();
    await waitUntilRunning(servers, 'filesystem');
  });

  test('makes visible what a launch would hide, and shows no value of a variable or header', async () => {
    configure({ odd, remote });
    await workbench.notifications.press('2 MCP servers are waiting for your decision.', 'Review');
    const [first, second] = await workbench.review.waitFor(2);
    assert.ok(first && second);
    assert.match(first.text, /a\\u\{202E\}b\[500 spaces\]\\n/);
    assert.match(first.text, /NODE\\u\{200B\}_OPTIONS/);
    assert.ok(first.text.includes(JSON.stringify(long)), 'the long argument is whole');
    assert.match(second.text, /https:\/\/example\.invalid\/mcp/);
    assert.doesNotMatch(first.text + second.text, /hidden-value/);
    await workbench.screenshot('review-odd');
  });

  test('has no finding of axe in any theme', async () => {
    for (const theme of ['light', 'highContrast', 'highContrastLight', 'dark'] as const) {
      await workbench.useTheme(theme);
      await workbench.review.waitFor(2);
      await workbench.screenshot(`review-${theme}`);
      assert.deepEqual(await findingsOfAxe(await workbench.review.frame()), [], theme);
    }
  });

  test('shows a changed launch anew and says so, and drops a withdrawn one', async () => {
    configure({ odd: { ...odd, args: ['--harmless'] }, remote });
    const [, changed] = await expect(
      'the changed launch',
      () => workbench.review.questions(),
      (questions) => questions.length === 2 && questions.some(({ text }) => text.includes('--harmless')),
    );
    assert.match(changed?.text ?? '', /has changed since you last looked/);
    await workbench.screenshot('review-changed');
    configure({ odd: { ...odd, args: ['--harmless'] } });
    await workbench.review.waitFor(1);
    assert.match(await workbench.review.text(), /The question about 'remote' was withdrawn\./);
    configure({});
    await workbench.review.waitFor(0);
    assert.match(await workbench.review.text(), /Nothing is waiting for you\./);
    await workbench.run('View: Close All Editors');
  });
});
