// Takes the pictures of README that no journey takes: `npm run pictures`, after `npm run package`.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { demoWorkspace } from '../editor/workspaces.ts';
import { allowServers, begin, openServers, waitUntilRunning } from './support.ts';

process.env['PICTURES'] = '1';

/** Servers as people write them; they are asked about here, and never started. */
const asWritten = {
  filesystem: {
    command: 'npx',
    args: ['-y', '@modelcontextprotocol/server-filesystem@2026.8.31', '${workspaceFolder}'],
  },
  search: { url: 'https://mcp.example.com/mcp', headers: { Authorization: 'Bearer ${input:token}' } },
};

suite('the pictures of the documents', () => {
  test('the panel that asks about two servers', async () => {
    const demo = demoWorkspace();
    mkdirSync(demo.folder.join('shop', '.vscode'));
    writeFileSync(
      demo.folder.join('shop', '.vscode', 'settings.json'),
      JSON.stringify({
        'mcpHost.servers': asWritten,
        'mcpHost.inputs': [{ type: 'promptString', id: 'token', password: true }],
      }),
    );
    const journey = await begin({ folder: demo.folder.join('shop') });
    try {
      const { workbench } = journey;
      await openServers(workbench);
      await workbench.notifications.press(/2 MCP servers are waiting/, 'Review');
      const questions = await workbench.review.waitFor(2);
      assert.match(questions[0]?.text ?? '', /server-filesystem\S* \$\{workspaceFolder\}/);
      await workbench.screenshot('readme-review');
    } finally {
      await journey.end();
      demo.folder.remove();
    }
  });

  test('two servers, of which one has a single folder, and one is in the chat', async () => {
    const demo = demoWorkspace();
    const journey = await begin({ workspace: demo.file }, { folders: 2 });
    try {
      const { workbench } = journey;
      const servers = await openServers(workbench);
      await allowServers(workbench, 2);
      await waitUntilRunning(servers, 'filesystem');
      await waitUntilRunning(servers, 'everything');
      await servers.check(['filesystem', 'Folders', 'notes'], false);
      await servers.runFromMenu(['everything'], 'Use in Chat');
      await workbench.serverOverview.useInChat('everything');
      await workbench.execute('workbench.action.closeActiveEditor');
      await servers.waitForRow(['everything'], 'be in chat', ({ description }) =>
        description.endsWith(' · in chat'),
      );
      await workbench.useTheme('light');
      await workbench.page.setViewportSize({ width: 1100, height: 900 });
      await servers.expand('filesystem');
      await servers.expand('filesystem', 'Folders');
      await workbench.page.mouse.move(700, 200);
      await workbench.screenshot('readme-servers');
    } finally {
      await journey.end();
      demo.folder.remove();
    }
  });
});
