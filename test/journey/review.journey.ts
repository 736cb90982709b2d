import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findingsOfAxe } from '../editor/axe.ts';
import { eventually, expect } from '../editor/expectation.ts';
import { defaultStylesOf, themeOf } from '../editor/panelTheme.ts';
import { root } from '../editor/paths.mjs';
import themes from '../editor/themes.json' with { type: 'json' };
import type { TreeView } from '../editor/treeView.ts';
import type { Workbench } from '../editor/workbench.ts';
import { demoServers, type Workspace } from '../editor/workspaces.ts';
import { beginShared } from './sharedWindow.ts';
import { openServers, waitUntilRunning } from './support.ts';

suite('the review panel', () => {
  let demo: Workspace;
  let workbench: Workbench;
  let servers: TreeView;

  const configure = (definitions: Record<string, unknown>): void => {
    const workspace = JSON.parse(readFileSync(demo.file, 'utf8')) as { settings: Record<string, unknown> };
    workspace.settings['mcpHost.servers'] = definitions;
    writeFileSync(demo.file, `${JSON.stringify(workspace, undefined, 2)}\n`);
  };

  suiteSetup(async () => {
    ({ demo, workbench } = await beginShared());
    servers = await openServers(workbench);
    await servers.row('filesystem');
  });

  test('shows every waiting server with its whole launch', async () => {
    await workbench.statusBar.waitFor(/MCP: 2 waiting/);
    await workbench.notifications.press('2 MCP servers are waiting for your decision.', 'Review');
    await workbench.review.waitFor(2);
    const overview = await workbench.review.overview();
    assert.deepEqual(
      overview.map(({ name, isSelected }) => [name, isSelected]),
      [
        ['filesystem', false],
        ['everything', false],
      ],
    );
    demoServers.everything.args.forEach((arg) => assert.ok(overview[1]?.text.includes(arg), arg));
    assert.match(overview[0]?.text ?? '', /Folders shared\s+notes \S+notes\s+shop \S+shop/);
    await eventually.deepEqual(
      async () => (await workbench.review.questions()).map(({ isOpen }) => isOpen),
      [true, false],
    );
    await workbench.screenshot('review-two');
    const [first, second] = await workbench.review.openAll(2);
    assert.ok(first && second);
    assert.equal(first.title, "Start the MCP server 'filesystem'?");
    assert.equal(second.title, "Start the MCP server 'everything'?");
    assert.match(first.text, /Defined in \S*demo\.code-workspace/);
  });

  test('looks in each theme as it is recorded for the tests of pages, without a finding of axe', async () => {
    const bundle = join(root, 'dist/webview');
    const files = readdirSync(bundle).map((name) => readFileSync(join(bundle, name), 'utf8'));
    const now: Record<string, unknown> = {
      defaultStyles: await defaultStylesOf(await workbench.review.frame()),
    };
    for (const theme of ['light', 'highContrast', 'highContrastLight', 'dark'] as const) {
      await workbench.useTheme(theme);
      await workbench.review.waitFor(2);
      await workbench.screenshot(`review-${theme}`);
      await eventually.deepEqual(async () => findingsOfAxe(await workbench.review.frame()), [], theme);
      now[theme] = await themeOf(await workbench.review.frame(), files);
    }
    const actual = join(root, 'out/themes.json');
    writeFileSync(actual, `${JSON.stringify(now, undefined, 2)}\n`);
    assert.deepEqual(now, themes, `if the editor has changed, copy ${actual} to test/editor/themes.json`);
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
    const [entry] = await workbench.review.overview();
    assert.match(entry?.text ?? '', /Folders shared\s+notes \S+notes\s*$/);
  });

  test('is answered by the keyboard alone', async () => {
    const { keyboard } = workbench.page;
    await workbench.review.waitForFocus('Overview');
    await workbench.review.tabTo("Don't Allow: Start the MCP server 'everything'?");
    await workbench.screenshot('review-keyboard');
    await keyboard.press('Enter');
    await workbench.review.waitFor(1);
    await servers.waitForRow(['everything'], 'be denied', ({ description }) => description === 'denied');
    await eventually.match(() => workbench.review.text(), /Not allowed: everything\. 1 of 2 left\./);
    await workbench.review.waitForFocus("Start the MCP server 'filesystem'?");
    await workbench.screenshot('review-one-left');
    await workbench.review.tabTo("Allow: Start the MCP server 'filesystem'?");
    await keyboard.press('Space');
    await workbench.review.waitUntilClosed();
    await waitUntilRunning(servers, 'filesystem');
  });

  test('allows ten servers with three actions', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `server-${index}`);
    configure(Object.fromEntries(names.map((name) => [name, { command: 'no-such-server', args: [name] }])));
    await workbench.statusBar.waitFor(/MCP: 10 waiting/);
    let actions = 0;
    const act = async (action: Promise<void>): Promise<void> => {
      actions += 1;
      await action;
    };
    await act(workbench.run('MCP Host: Review Questions'));
    await workbench.review.waitFor(10);
    await act(workbench.review.selectAll());
    await expect(
      'all selected',
      () => workbench.review.overview(),
      (all) => all.every(({ isSelected }) => isSelected === true),
    );
    await workbench.screenshot('review-ten-selected');
    await act(workbench.review.allowSelected());
    await workbench.review.waitUntilClosed();
    assert.equal(actions, 3);
    for (const name of names) {
      await servers.waitForRow([name], 'have been started', ({ description }) => /failed/.test(description));
    }
    configure({});
  });
});
