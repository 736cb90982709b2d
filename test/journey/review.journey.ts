import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findingsOfAxe } from '../editor/axe.ts';
import { eventually } from '../editor/expectation.ts';
import { defaultStylesOf, themeOf } from '../editor/panelTheme.ts';
import { root } from '../editor/paths.mjs';
import themes from '../editor/themes.json' with { type: 'json' };
import type { TreeView } from '../editor/treeView.ts';
import type { Workbench } from '../editor/workbench.ts';
import { demoServers } from '../editor/workspaces.ts';
import { beginShared } from './sharedWindow.ts';
import { openServers, waitUntilRunning } from './support.ts';

suite('the review panel', () => {
  let workbench: Workbench;
  let servers: TreeView;

  suiteSetup(async () => {
    ({ workbench } = await beginShared());
    servers = await openServers(workbench);
    await servers.row('filesystem');
  });

  test('shows every waiting server with its whole launch', async () => {
    await workbench.statusBar.waitFor(/MCP: 2 waiting/);
    await workbench.notifications.press('2 MCP servers are waiting for your decision.', 'Review');
    await workbench.review.waitFor(2);
    const questions = await workbench.review.questions();
    assert.deepEqual(
      questions.map(({ title, isSelected }) => [title, isSelected]),
      [
        ["Start 'filesystem'?", false],
        ["Start 'everything'?", false],
      ],
    );
    demoServers.everything.args.forEach((arg) => assert.ok(questions[1]?.text.includes(arg), arg));
    assert.match(questions[1]?.text ?? '', /Shares \S+notes \S+shop/);
    await eventually.deepEqual(
      async () => (await workbench.review.questions()).map(({ isOpen }) => isOpen),
      [true, false],
    );
    await workbench.screenshot('review-two');
    const [first, second] = await workbench.review.openAll(2);
    assert.ok(first && second);
    assert.equal(first.title, "Start 'filesystem'?");
    assert.equal(second.title, "Start 'everything'?");
    assert.match(first.text, /Defined in\s+\S*demo\.code-workspace/);
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

  test('opens the definition of a server, and is there after it', async () => {
    await workbench.review.press('everything', 'Open the Definition');
    await workbench.editors.waitFor('demo.code-workspace');
    await workbench.run('View: Close Editor');
    await workbench.review.waitFor(2);
  });

  test('is answered by the keyboard alone', async () => {
    const { keyboard } = workbench.page;
    await workbench.review.waitForFocus("Start 'filesystem'?");
    await workbench.review.tabTo("Don't Allow: Start 'everything'?");
    await workbench.screenshot('review-keyboard');
    await keyboard.press('Enter');
    await workbench.review.waitFor(1);
    await servers.waitForRow(['everything'], 'be denied', ({ description }) => description === 'denied');
    await eventually.match(() => workbench.review.text(), /Not allowed: everything\. 1 left\./);
    await workbench.review.waitForFocus("Start 'filesystem'?");
    await workbench.screenshot('review-one-left');
    await workbench.review.tabTo("Allow: Start 'filesystem'?");
    await keyboard.press('Space');
    await workbench.review.waitUntilClosed();
    await waitUntilRunning(servers, 'filesystem');
  });
});
