import assert from 'node:assert/strict';
import { eventually, expect } from '../editor/expectation.ts';
import type { TreeView } from '../editor/treeView.ts';
import type { Workbench } from '../editor/workbench.ts';
import { beginShared } from './sharedWindow.ts';
import { allowServers, openServers, startTool, waitUntilRunning } from './support.ts';

suite('The list of activity of a window', () => {
  let workbench: Workbench;
  let activity: TreeView;

  suiteSetup(async () => {
    ({ workbench } = await beginShared());
    await allowServers(workbench, 2);
    const servers = await openServers(workbench);
    await waitUntilRunning(servers, 'everything');
    await waitUntilRunning(servers, 'filesystem');
    activity = await workbench.openView('MCP Host', 'Activity');
  });

  const waitForMessage = async (message: string): Promise<void> => {
    await expect(
      `the message '${message}'`,
      () => activity.message(),
      (text) => text === message,
    );
  };
  const runLong = async (): Promise<void> => {
    await startTool(workbench, 'Trigger Long Running Operation Tool', { duration: '600', steps: '600' });
    await workbench.statusBar.waitFor(/MCP: trigger-long-running-operation on everything/);
  };

  test('is empty at first, and the view says why', async () => {
    const welcome = await expect(
      'the text of the empty view',
      () => activity.welcome(),
      (text) => text !== '',
    );
    assert.match(welcome, /Each request to a server appears here/);
    await workbench.screenshot('activity-empty');
  });

  test('lists requests, newest first, with their outcome', async () => {
    await startTool(workbench, 'Get Sum Tool', { a: '40', b: '2' });
    await workbench.toolForm.result(/The sum of 40 and 2 is 42/);
    await startTool(workbench, 'Get File Info', { path: '/etc/passwd' });
    await workbench.toolForm.result(/The tool reported an error/);
    await activity.row('get_file_info');
    await eventually.all(
      () => activity.rows(),
      (rows) => {
        assert.deepEqual(
          rows.map(({ label, icon }) => [label, icon]),
          [
            ['get_file_info', 'warning'],
            ['get-sum', 'check'],
          ],
        );
        assert.match(rows[0]?.description ?? '', /^filesystem · you · tool error · \d\d:\d\d:\d\d$/);
        assert.match(rows[1]?.ariaLabel ?? '', /^get-sum, everything · you · done · /);
      },
    );
    await eventually.match(() => activity.tooltip('get-sum'), /Decision: by your own click/);
    await workbench.execute('workbench.action.closeAllEditors');
  });

  test('opens as a document', async () => {
    await activity.select('get-sum');
    const text = await workbench.editors.waitForText(/Decision: by your own click/);
    assert.match(text, /^Server: everything\nTool: get-sum\nAsked by: You\n/);
    assert.match(text, /--- Arguments ---\n\{\n {2}"a": 40,\n {2}"b": 2\n\}\n/);
    assert.match(text, /The sum of 40 and 2 is 42/);
    await workbench.page.keyboard.press('ControlOrMeta+Home'); // to read it was selected
    await workbench.screenshot('activity-entry');
    await activity.select('get_file_info');
    await workbench.editors.waitForText(/Tool: get_file_info/);
    await eventually.equal(
      async () => (await workbench.editors.tabs()).length,
      1,
      'one tab shows one after the other',
    );
    await workbench.execute('workbench.action.closeAllEditors');
  });

  test('is on top while it runs, and is cancelled there', async () => {
    await runLong();
    const row = await activity.waitForRow(['trigger-long-running-operation'], 'run', ({ description }) =>
      description.includes('running…'),
    );
    assert.match(row.description, /^everything · you · running… · since /);
    await eventually.equal(async () => (await activity.rows())[0]?.label, 'trigger-long-running-operation');
    await workbench.screenshot('activity-running');
    await activity.runInline(['trigger-long-running-operation'], 'Cancel Call');
    const ended = await activity.waitForRow(
      ['trigger-long-running-operation'],
      'be cancelled',
      ({ description }) => description.includes('cancelled'),
    );
    assert.equal(ended.icon, 'close');
    await expect(
      'no call in the status bar',
      () => workbench.statusBar.now(),
      (entries) => entries.every(({ text }) => !text.includes('trigger-long-running')),
    );
  });

  test('is cancelled from the status bar', async () => {
    await runLong();
    await workbench.statusBar.click(/MCP: trigger-long-running-operation/);
    await workbench.quickInput.waitUntilOpen('MCP Host: Running Calls');
    const [item] = await workbench.quickInput.items();
    assert.match(item?.description ?? '', /^everything · you · running since /);
    await workbench.screenshot('activity-calls');
    await workbench.quickInput.accept();
    await workbench.quickInput.waitUntilClosed();
    const isCancelled = ({ description }: { readonly description: string }): boolean =>
      description.includes('cancelled');
    await expect(
      'two cancelled calls',
      () => activity.rows(),
      (rows) => rows.filter(isCancelled).length === 2,
    );
  });

  test('is filtered by server and outcome', async () => {
    const { quickInput } = workbench;
    await activity.runFromTitle('Filter Activity…');
    await quickInput.waitUntilOpen('Filter Activity');
    await quickInput.toggle('everything');
    await quickInput.toggle('Cancelled');
    await workbench.screenshot('activity-filter-pick');
    await quickInput.accept();
    await activity.waitUntilGone('get-sum');
    await eventually.deepEqual(
      async () => (await activity.rows()).map(({ label }) => label),
      ['trigger-long-running-operation', 'trigger-long-running-operation'],
    );
    await waitForMessage('Filter: everything · cancelled · 2 of 4');
    await workbench.screenshot('activity-filtered');
    await activity.runFromTitle('Clear Activity Filter');
    await activity.row('get-sum');
    await waitForMessage('');
  });
});
