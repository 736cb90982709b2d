import assert from 'node:assert/strict';
import { ScriptedEndpoint } from '../editor/scriptedEndpoint.ts';
import type { Workbench } from '../editor/workbench.ts';
import { demoWorkspace, fixtureServer, type Workspace } from '../editor/workspaces.ts';
import { allowServers, begin, openServers, waitUntilRunning, type Journey } from './support.ts';

const model = 'Scripted Model';

suite('The built-in Copilot Chat', () => {
  let demo: Workspace;
  let journey: Journey;
  let workbench: Workbench;
  let endpoint: ScriptedEndpoint;

  suiteSetup(async () => {
    demo = demoWorkspace();
    endpoint = await ScriptedEndpoint.open();
    journey = await begin(
      { folder: demo.folder.join('notes') },
      {
        settings: { 'mcpHost.servers': { rewriting: fixtureServer('rewritingServer.ts') } },
        userFiles: { 'chatLanguageModels.json': endpoint.modelsFile(model) },
        builtIn: ['copilot'],
        configuration: { enabledExtensions: ['GitHub.copilot-chat'] },
      },
    );
    ({ workbench } = journey);
    await allowServers(workbench, 1);
    await waitUntilRunning(await openServers(workbench), 'rewriting');
    await workbench.run('Chat: Open Chat');
  });

  suiteTeardown(async () => {
    await journey?.end();
    endpoint?.close();
    demo?.folder.remove();
  });

  test('calls a granted tool in agent mode, under its real name and schema', async () => {
    const { chat } = workbench;
    await workbench.runToInput('MCP Host: Use in Chat');
    await workbench.quickInput.pick('rewriting');
    await workbench.serverOverview.useInChat('rewriting');
    await chat.type('call mcp_rewriting_weather {"city":"Bern"}', model);
    const question = await chat.question();
    await workbench.screenshot('copilot-question');
    assert.match(question, /Weather/);
    assert.match(question, /"city": "Bern"/);
    await chat.answer('Allow in this Session');
    await chat.waitForSaid(/TOOL SAID: .*It rains in Bern\./);
    await workbench.screenshot('copilot-called');

    const tools = endpoint.toolsWith('call mcp_rewriting_weather') ?? [];
    const offered = tools.find((tool) => tool.function.name === 'mcp_rewriting_weather')?.function;
    assert.equal(offered?.description, 'Tells the weather of a city.');
    assert.deepEqual((offered.parameters as { readonly properties: unknown }).properties, {
      city: { type: 'string' },
    });
  });
});
