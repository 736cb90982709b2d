import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../editor/paths.mjs';
import type { TreeView } from '../editor/treeView.ts';
import type { Workbench } from '../editor/workbench.ts';
import { demoServers, demoWorkspace, fixtureServer, type Workspace } from '../editor/workspaces.ts';
import { allowServers, begin, openServers, waitUntilRunning, type Journey } from './support.ts';

const model = 'Scripted One';
const weather = 'mcp_rewriting_weather';

suite('Agent mode', () => {
  let demo: Workspace;
  let journey: Journey;
  let workbench: Workbench;
  let servers: TreeView;
  let asked = 0;

  suiteSetup(async () => {
    demo = demoWorkspace();
    const { everything } = demoServers;
    journey = await begin(
      { folder: demo.folder.join('notes') },
      {
        unpacked: [join(root, 'test/editor/fixtures/helper')],
        settings: {
          'mcpHost.servers': { rewriting: fixtureServer('rewritingServer.ts'), everything },
          'chat.tools.global.autoApprove': false,
        },
      },
    );
    ({ workbench } = journey);
    await allowServers(workbench, 2);
    servers = await openServers(workbench);
    await waitUntilRunning(servers, 'rewriting');
    await waitUntilRunning(servers, 'everything');
    await workbench.run('Chat: Open Chat');
  });

  suiteTeardown(async () => {
    await journey?.end();
    demo?.folder.remove();
  });

  /** The names of the tools that the model is given now. */
  const toolsOfModel = async (): Promise<readonly string[]> => {
    asked += 1;
    await workbench.chat.type(`tools? ${asked}`, model);
    const said = await workbench.chat.waitForSaid(new RegExp(`TOOLS ${asked}:`));
    await workbench.screenshot('agent-tools');
    return said.slice(said.lastIndexOf('TOOLS')).match(/mcp_[\w-]+/g) ?? [];
  };

  test('is given a server by the person only', async () => {
    assert.deepEqual(await toolsOfModel(), []);
    await workbench.run('MCP Host: Make Available to Agent Mode');
    await workbench.quickInput.pick('rewriting');
    const words = await workbench.dialog.text();
    await workbench.screenshot('agent-grant');
    assert.ok(words.length < 600, `${words.length} characters`);
    await workbench.dialog.answer('Make Available');
    await new Promise((resolve) => setTimeout(resolve, 2000));
    console.log(await toolsOfModel());
  });

  test('calls a tool', async () => {
    await workbench.chat.type(`call ${weather} {"city":"Bern"}`, model);
    await new Promise((resolve) => setTimeout(resolve, 3000));
    await workbench.screenshot('agent-question');
    writeFileSync('/tmp/chat.html', await workbench.page.locator('.interactive-session').first().innerHTML());
    console.log(await workbench.chat.question());
    await workbench.chat.answer('Allow');
    console.log(await workbench.chat.waitForSaid(/TOOL SAID/));
    await workbench.screenshot('agent-called');
  });
});
