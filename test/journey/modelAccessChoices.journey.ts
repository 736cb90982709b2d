import assert from 'node:assert/strict';
import { eventually, expect } from '../editor/expectation.ts';
import type { TreeRow, TreeView } from '../editor/treeView.ts';
import type { Workbench } from '../editor/workbench.ts';
import { fixtureServer } from '../editor/workspaces.ts';
import { beginShared } from './sharedWindow.ts';
import { allowServers, openServers, waitUntilRunning } from './support.ts';

suite('What you decide about language models', () => {
  let workbench: Workbench;
  let servers: TreeView;

  suiteSetup(async () => {
    ({ workbench } = await beginShared({
      servers: {},
      settings: { 'mcpHost.servers': { post: fixtureServer('changingServer.ts') } },
    }));
    await allowServers(workbench, 1);
    servers = await openServers(workbench);
    await waitUntilRunning(servers, 'post');
  });

  const accessSays = (wanted: string): Promise<TreeRow> =>
    servers.waitForRow(
      ['post', 'Model access'],
      `say '${wanted}'`,
      ({ description }) => description === wanted,
    );

  const look = async (name: string): Promise<void> => {
    for (const theme of ['light', 'dark'] as const) {
      await workbench.useTheme(theme);
      await workbench.screenshot(`${name}-${theme}`);
    }
  };

  test('is shown in the tree, with what it means', async () => {
    await accessSays('asks each time');
    await eventually.all(
      () => servers.tooltip('post', 'Model access'),
      (tooltip) => {
        assert.match(tooltip, /A server may ask for a language model of this editor/);
        assert.match(
          tooltip,
          /While it handles a request of yours: asks each time\. Decided by your setting mcpHost\.sampling\.policy/,
        );
      },
    );
    await look('model-access-row');
  });

  test('is decided for all requests of a server in one step', async () => {
    await servers.runInline(['post', 'Model access'], 'Set Model Access…');
    await workbench.quickInput.waitUntilOpen('Model Access of post');
    await eventually.all(
      async () => (await workbench.quickInput.items()).map(({ label }) => label),
      (labels) => {
        assert.deepEqual(labels, [
          'Ask Each Time',
          'Ask Once for Each Session',
          'Allow for This Session',
          'Always Allow',
          'Never',
          'Follow the Settings',
          'While It Handles a Request of Yours…',
          'At Other Times…',
        ]);
      },
    );
    await workbench.screenshot('model-access-choices');
    await workbench.quickInput.pick('Always Allow');
    await accessSays('always allowed');
  });

  test('is decided for requests at other times, from the palette', async () => {
    await workbench.runToInput('MCP Host: Set Model Access…', 'MCP Host');
    await workbench.quickInput.pick('post');
    await workbench.quickInput.waitUntilOpen('Model Access of post');
    await workbench.quickInput.pick('At Other Times…');
    await workbench.quickInput.waitUntilOpen('Model Access of post, at other times');
    await workbench.screenshot('model-access-other-times');
    await workbench.quickInput.pick('Never');
    await accessSays('always allowed · at other times: not allowed');
    await look('model-access-decided');
  });

  test('is taken back like any other decision', async () => {
    await workbench.runToInput('MCP Host: Review Decisions…', 'MCP Host: Decisions');
    const decision =
      'post: may always use language models while it handles a request of yours, and may use no language model at other times';
    await workbench.screenshot('model-access-decision');
    await workbench.quickInput.pick(decision);
    await eventually.match(() => workbench.dialog.text(), /Its definition and your settings decide again/);
    await workbench.screenshot('model-access-take-back');
    await workbench.dialog.answer('Take Back');
    await workbench.quickInput.waitUntilOpen('MCP Host: Decisions');
    await workbench.quickInput.cancel();
    await accessSays('asks each time');
  });

  test('leaves models out for all servers', async () => {
    await servers.runFromMenu(['post', 'Model access'], 'Choose Language Models…');
    const title = 'Language Models That Servers May Use';
    await workbench.quickInput.waitUntilOpen(title);
    const ticked = async () =>
      (await workbench.quickInput.items()).filter(({ isChecked }) => isChecked).map(({ label }) => label);
    const all = await ticked();
    assert.ok(all.includes('Scripted One') && all.includes('Scripted Auth'), all.join());
    await workbench.screenshot('model-access-models');
    await workbench.quickInput.toggle('Scripted Auth');
    await workbench.quickInput.accept();
    await workbench.quickInput.waitUntilClosed();
    const chosen = all.filter((label) => label !== 'Scripted Auth');
    const reopened = async () => {
      await workbench.quickInput.cancel();
      await workbench.runToInput('MCP Host: Choose Language Models…', title);
      return ticked();
    };
    // The editor takes a moment to write a setting.
    await expect('the models without that one', reopened, (now) => now.join() === chosen.join());
    await workbench.screenshot('model-access-models-chosen');
    await workbench.quickInput.cancel();
  });
});
