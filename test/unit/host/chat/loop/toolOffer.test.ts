import assert from 'node:assert/strict';
import { ChatIndex } from '../../../../../src/host/chat/chatIndex.ts';
import {
  offerTools,
  toolNamed,
  type OfferedTool,
  type OwnTools,
  type UsedTool,
} from '../../../../../src/host/chat/loop/toolOffer.ts';
import type { ServerDefinition } from '../../../../../src/host/config/serverDefinition.ts';
import { legacyServer, serverScript, stdioServer } from '../../../support/definitions.ts';
import { ToolsBed } from '../../../support/toolsBed.ts';
import { perTest } from '../../../support/perTest.ts';

const own: OwnTools = {
  find: { name: 'mcpHost_findTools', description: 'Finds.', inputSchema: {} },
  call: { name: 'mcpHost_callTool', description: 'Calls.', inputSchema: {} },
  read: { name: 'mcpHost_readResource', description: 'Reads.', inputSchema: {} },
};
const weather = stdioServer([serverScript('changingServer')], { name: 'weather' });
const many = stdioServer([serverScript('changingServer'), '--tools=40'], { name: 'many' });
const files = legacyServer([], { name: 'files' });

suite('The tools that @mcp offers to a model', () => {
  let bed: ToolsBed;
  perTest(() => (bed = new ToolsBed()));

  async function run(...definitions: readonly ServerDefinition[]): Promise<void> {
    await bed.run(...definitions);
    for (const definition of definitions) {
      await bed.untilCompared(definition);
    }
  }

  async function offer(
    request = 'Do it.',
    used: readonly UsedTool[] = [],
    limits: { readonly maxTools?: number; readonly maxTokens?: number; readonly only?: string } = {},
  ): Promise<readonly OfferedTool[]> {
    const { maxTools = 64, maxTokens = Infinity, only } = limits;
    const index = new ChatIndex(bed.tools);
    const servers = bed.host.servers.filter(({ label }) => only === undefined || label === only);
    return offerTools({ servers, tools: bed.tools, index, own, maxTools, maxTokens }, request, used);
  }

  const namesOf = (offered: readonly OfferedTool[]) => offered.map(({ name }) => name);

  test('are all, with the server in their names, if there are few enough', async () => {
    await run(weather, files);
    const offered = await offer();
    assert.ok(namesOf(offered).includes('weather__get_weather') && namesOf(offered).includes('files__echo'));
    assert.equal(offered.at(-1)?.name, own.read.name, 'a server has resources');
    assert.ok(!namesOf(offered).includes(own.find.name));
    const tool = toolNamed(offered, 'weather__get_weather');
    assert.deepEqual(tool?.target, {
      kind: 'tool',
      serverId: weather.id,
      server: 'weather',
      tool: 'get_weather',
    });
    assert.match(tool?.description ?? '', /^Tells the weather/);
  });

  test('are only of the servers that are given, and only those that you expose', async () => {
    await run(weather, files);
    await bed.tools.expose(weather.id, false, 'send_mail');
    const names = namesOf(await offer('Send a mail', [], { only: 'weather' }));
    assert.ok(!names.some((name) => name.startsWith('files')) && !names.includes('weather__send_mail'));
  });

  test('are at most as many as you set: those that fit the request, and a search for the rest', async () => {
    await run(many);
    const names = namesOf(await offer('Will it rain? Tell me the weather.', [], { maxTools: 10 }));
    assert.ok(names.length <= 10, names.join());
    assert.equal(names[0], 'many__get_weather');
    assert.ok(names.includes(own.find.name) && names.includes(own.call.name));
  });

  test('always have those that were used before', async () => {
    await run(many);
    const used = [
      { serverId: many.id, tool: 'send_mail' },
      { serverId: 'gone', tool: 'send_mail' },
    ];
    const names = namesOf(await offer('Tell me the weather.', used, { maxTools: 4 }));
    assert.deepEqual(names.slice(0, 1), ['many__send_mail']);
    assert.ok(names.length <= 4);
  });

  test('are fewer when they would take too much of the context', async () => {
    await run(many);
    const names = namesOf(await offer('Tell me the weather.', [], { maxTokens: 100 }));
    assert.ok(names.includes(own.find.name) && names.length < 10, names.join());
  });

  test('have names that are unique, and that providers accept', async () => {
    await run(
      stdioServer([serverScript('changingServer')], { name: 'Wetter & Mail, ganz lang' }),
      stdioServer([serverScript('changingServer')], { name: 'weather' }),
    );
    const names = namesOf(await offer());
    assert.equal(new Set(names.map((name) => name.toLowerCase())).size, names.length);
    names.forEach((name) => assert.match(name, /^[A-Za-z0-9_-]{1,64}$/));
  });
});
