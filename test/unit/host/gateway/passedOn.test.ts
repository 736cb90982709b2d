import assert from 'node:assert/strict';
import type { HttpServer } from '../../../fixtures/servers/serve.ts';
import { serveScripted, type ScriptedExchange } from '../../../fixtures/servers/scriptedHttp.ts';
import { httpServer } from '../../support/definitions.ts';
import { GatewayBed, type Era } from '../../support/gatewayBed.ts';
import { untilSeen } from '../../support/until.ts';

const embedded = { src: 'data:image/png;base64,AA==', mimeType: 'image/png' };
/** What is left out wherever a server may write it, beside what stays. */
const extras = {
  _meta: { 'example.com/key': 'text' },
  icons: [{ src: 'https://192.0.2.1/i.png' }, embedded],
};
const kept = { icons: [embedded] };

const about = { name: 'scripted', version: '1', title: 'Scripted Server', description: 'Answers by script.' };
const uri = 'test:///note';
const note = { uri, mimeType: 'text/plain', text: 'A note.' };
const link = { type: 'resource_link', uri, name: 'note' };
/** Content that belongs to the caller: its members only have the names. */
const data = { _meta: 'data', icons: ['data'] };

const results: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
    serverInfo: { ...about, ...extras },
  },
  'tools/list': {
    tools: [
      { name: 'echo', inputSchema: { type: 'object' }, execution: { taskSupport: 'optional' }, ...extras },
      { name: 'both', inputSchema: { type: 'object' }, _meta: { ui: { visibility: ['model', 'app'] } } },
      { name: 'forApps', inputSchema: { type: 'object' }, _meta: { ui: { visibility: ['app'] } } },
    ],
  },
  'resources/list': { resources: [{ uri, name: 'note', ...extras }] },
  'resources/templates/list': {
    resourceTemplates: [{ uriTemplate: 'test:///{name}', name: 'any', ...extras }],
  },
  'prompts/list': { prompts: [{ name: 'greet', ...extras }] },
  'tools/call': {
    content: [
      { type: 'text', text: 'Hello', _meta: {} },
      { type: 'resource', resource: { ...note, _meta: {} }, _meta: {} },
    ],
    structuredContent: data,
    _meta: extras._meta,
  },
  'resources/read': { contents: [{ ...note, _meta: {} }], _meta: extras._meta },
  'prompts/get': { messages: [{ role: 'user', content: { ...link, ...extras } }], _meta: extras._meta },
  'completion/complete': { completion: { values: ['one', 'two'], total: 250, hasMore: true } },
};

const script = Object.fromEntries(
  Object.entries(results).map(([method, result]) => [
    method,
    ({ json, answer }: ScriptedExchange) => json(answer(result)),
  ]),
);

for (const era of ['legacy', 'modern'] satisfies readonly Era[]) {
  suite(`What a ${era} client of the gateway gets of a server`, () => {
    let bed: GatewayBed;
    let served: HttpServer;
    setup(async () => {
      bed = new GatewayBed();
      served = await serveScripted(script);
    });
    teardown(async () => {
      await bed.close();
      await served.close();
    });

    const opened = async () => {
      const client = await bed.client(await bed.serve(httpServer(served.url, { name: 'files' })), era);
      const lists = async () => ({
        ...(await client.listTools()),
        ...(await client.listResources()),
        ...(await client.listResourceTemplates()),
        ...(await client.listPrompts()),
      });
      // The server is served once its tools are known; the other lists follow.
      await untilSeen(async () => {
        const { resources, resourceTemplates, prompts } = await lists();
        return resources.length + resourceTemplates.length + prompts.length === 3;
      }, 'its lists are known');
      return { client, lists };
    };

    test('has no `_meta`, no icon that would be fetched, and no word of tasks in its lists', async () => {
      const { tools, resources, resourceTemplates, prompts } = await (await opened()).lists();
      assert.deepEqual(
        { tools, resources, resourceTemplates, prompts },
        {
          tools: [
            { name: 'echo', inputSchema: { type: 'object' }, ...kept },
            { name: 'both', inputSchema: { type: 'object' } },
          ],
          resources: [{ uri, name: 'note', ...kept }],
          resourceTemplates: [{ uriTemplate: 'test:///{name}', name: 'any', ...kept }],
          prompts: [{ name: 'greet', ...kept }],
        },
      );
    });

    test('has no `_meta` and no icon that would be fetched in its results, whose data stays', async () => {
      const { client } = await opened();
      const { content } = await client.callTool({ name: 'echo', arguments: {} });
      assert.deepEqual(content, [
        { type: 'text', text: 'Hello' },
        { type: 'resource', resource: note },
        { type: 'text', text: JSON.stringify(data) },
      ]);
      assert.deepEqual((await client.readResource({ uri })).contents, [note]);
      assert.deepEqual((await client.getPrompt({ name: 'greet' })).messages, [
        { role: 'user', content: { ...link, ...kept } },
      ]);
    });

    test('is no tool that is for its apps alone', async () => {
      const { client } = await opened();
      const { isError, content } = await client.callTool({ name: 'forApps', arguments: {} });
      assert.equal(isError, true);
      assert.match(JSON.stringify(content), /offers no tool 'forApps' here/);
    });

    test('is what it says about itself', async () => {
      const { client } = await opened();
      const { title, description } = about;
      assert.deepEqual(client.getServerVersion(), {
        name: 'files',
        version: '0.0.0',
        title,
        description,
        ...kept,
      });
    });

    test('is how many suggestions there are', async () => {
      const { client } = await opened();
      const { completion } = await client.complete({
        ref: { type: 'ref/prompt', name: 'greet' },
        argument: { name: 'who', value: '' },
      });
      assert.deepEqual(completion, { values: ['one', 'two'], total: 250, hasMore: true });
    });
  });
}
