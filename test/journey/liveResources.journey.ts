import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { serverId } from '../../src/host/config/serverDefinition.ts';
import { authorityOf, placeOf } from '../../src/host/resources/resourceAddress.ts';
import { expect } from '../editor/expectation.ts';
import type { TreeView } from '../editor/treeView.ts';
import type { Workbench } from '../editor/workbench.ts';
import type { Workspace } from '../editor/workspaces.ts';
import { beginRunning } from './runningServers.ts';
import { openServers, resultOf } from './support.ts';

/** Each reading of it gives the time. */
const clock = 'demo://resource/dynamic/text/1';
/** `charts.green` of the light theme. */
const green = 'rgb(56, 138, 52)';

suite('live documents of resources', () => {
  let demo: Workspace;
  let workbench: Workbench;
  let servers: TreeView;

  suiteSetup(async () => {
    ({ demo, workbench } = await beginRunning());
    servers = await openServers(workbench);
  });

  async function open(server: string, uri: string): Promise<void> {
    const place = pathToFileURL(demo.file).href;
    const id = serverId({ scope: 'workspace', format: 'settings', place }, server);
    await workbench.execute('probe.open', `mcp-host://${authorityOf({ id, name: server })}${placeOf(uri)}`);
  }

  async function runTool(title: string): Promise<string> {
    return resultOf(workbench, title);
  }

  async function waitForStatus(text: 'Live' | 'Not Live'): Promise<void> {
    await workbench.statusBar.waitFor(new RegExp(`^${text}$`));
    const isGreen = text === 'Live';
    await expect(
      `a tab that is ${isGreen ? '' : 'not '}green`,
      () => workbench.editors.tabs(),
      (tabs) => tabs.some(({ isActive, color }) => isActive && (color === green) === isGreen),
    );
  }

  test('marks the document as live', async () => {
    await open('library', clock);
    await workbench.editors.waitForText(/Resource 1/);
    await waitForStatus('Live');
    await workbench.screenshot('live-resource');
  });

  test('shows an update automatically', async () => {
    // From now on the server reports changes every few seconds, until the tool runs again.
    await runTool('Toggle Subscriber Updates');
    await workbench.editors.waitFor('1');
    const before = await workbench.editors.activeText();
    await expect(
      'another text',
      () => workbench.editors.activeText(),
      (text) => text !== before && /at \d/.test(text),
    );
    await runTool('Toggle Subscriber Updates');
    await workbench.editors.waitFor('1');
  });

  test('compares with the content that was last seen', async () => {
    await workbench.editors.runFromTitle('Compare with Last Seen');
    await workbench.editors.waitFor('1 (Last Seen ↔ Now)');
    await waitForStatus('Live');
    await workbench.screenshot('live-resource-compared');
    await workbench.execute('workbench.action.closeActiveEditor');
    await workbench.editors.waitFor('1');
  });

  test('is not live while the server is stopped, and live again when it comes back', async () => {
    await servers.runInline(['library'], 'Stop Server');
    await waitForStatus('Not Live');
    await workbench.screenshot('live-resource-stopped');
    await servers.runInline(['library'], 'Start Server');
    await waitForStatus('Live');
  });

  test('is subscribed only while a tab shows it', async () => {
    await workbench.execute('workbench.action.closeAllEditors');
    await open('peer', 'test:///note');
    await waitForStatus('Live');
    assert.match(await runTool('subscriptions'), /test:\/\/\/note\s+1/);
    await workbench.execute('workbench.action.closeAllEditors');
    await expect(
      'no subscription',
      () => runTool('subscriptions'),
      (text) => !text.includes('test:///note'),
    );
  });
});
