import assert from 'node:assert/strict';
import type { Workbench } from '../editor/workbench.ts';
import { demoWorkspace, fixtureServer, type Workspace } from '../editor/workspaces.ts';
import { allowServers, begin, openServers, waitUntilRunning, type Journey } from './support.ts';

suite('The log level of a server', () => {
  let demo: Workspace;
  let journey: Journey;
  let workbench: Workbench;

  suiteSetup(async () => {
    demo = demoWorkspace();
    journey = await begin(
      { folder: demo.folder.join('notes') },
      { settings: { 'mcpHost.servers': { talking: fixtureServer('talkingServer.ts', '--legacy') } } },
    );
    ({ workbench } = journey);
    await allowServers(workbench, 1);
    await waitUntilRunning(await openServers(workbench), 'talking');
  });

  suiteTeardown(async () => {
    await journey?.end();
    demo?.folder.remove();
  });

  async function openPick(): Promise<readonly { readonly label: string; readonly description: string }[]> {
    await workbench.run('MCP Host: Set Log Level…');
    await workbench.quickInput.waitUntilOpen(/^Which server|^MCP Host|Log Level/);
    if ((await workbench.quickInput.title()) === 'MCP Host') {
      await workbench.quickInput.pick('talking');
    }
    await workbench.quickInput.waitUntilOpen("Log Level of 'talking'");
    return (await workbench.quickInput.items()).map(({ label, description }) => ({ label, description }));
  }

  test('is that of its log at first, and says what the log would not show', async () => {
    const rows = await openPick();
    assert.deepEqual(rows.slice(0, 3), [
      { label: 'As the Log Shows', description: 'Info' },
      { label: 'Debug', description: 'the log shows Info and above' },
      { label: 'Info', description: '' },
    ]);
    await workbench.screenshot('log-level');
    await workbench.quickInput.pick('Error');
  });

  test('is what was chosen, after a reload, too', async () => {
    await workbench.reload();
    await waitUntilRunning(await openServers(workbench), 'talking');
    await openPick();
    await workbench.screenshot('log-level-chosen');
    await workbench.quickInput.pick('As the Log Shows');
  });
});
