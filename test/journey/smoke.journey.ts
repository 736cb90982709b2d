import assert from 'node:assert/strict';
import { CodeServer } from '../editor/codeServer.ts';
import { vsix } from '../editor/vsix.ts';
import { Workbench } from '../editor/workbench.ts';
import { demoWorkspace, type Workspace } from '../editor/workspaces.ts';

suite('the packaged extension', () => {
  let demo: Workspace;
  let server: CodeServer;
  let workbench: Workbench;

  suiteSetup(async () => {
    demo = demoWorkspace();
    server = await CodeServer.start({ vsix: [vsix] });
    workbench = await Workbench.open(server, { workspace: demo.file }, { folders: 2 });
  });

  suiteTeardown(async () => {
    await workbench?.close();
    await server?.stop();
    demo?.folder.remove();
  });

  test('shows its view container with the servers', async () => {
    const servers = await workbench.openView('MCP Host', 'Servers');
    assert.equal(await servers.isVisible(), true);
    await workbench.screenshot('servers');
  });
});
