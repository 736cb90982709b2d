import assert from 'node:assert/strict';
import type { ServerConnection } from '../../../../../src/host/connection/serverConnection.ts';
import { serveScripted, type Script } from '../../../../fixtures/servers/scriptedHttp.ts';
import { ConnectionBed, textOf } from '../../../support/connectionBed.ts';
import { httpServer } from '../../../support/definitions.ts';
import { everything202511 } from '../../../support/realServers/everything202511.ts';
import { startServer } from '../../../support/realServers/startServer.ts';
import { perTest } from '../../../support/perTest.ts';

suite('A task over its sessions', () => {
  let bed: ConnectionBed;
  perTest(() => (bed = new ConnectionBed()));

  for (const way of everything202511.ways) {
    test(`of server-everything gives its result over ${way.name}`, async () => {
      const connection = bed.connection((await startServer(bed, way)).definition);
      await connection.start();
      await connection.catalogue?.listing('tools');
      const result = connection.callTool('simulate-research-query', { topic: 'owls' });
      assert.match(await textOf(result), /^# Research Report: owls$/m);
    });
  }

  const state = {
    taskId: 'a-secret-between-us',
    createdAt: '',
    lastUpdatedAt: '',
    ttl: null,
    pollInterval: 1,
  };

  async function started(script: Script): Promise<{
    readonly connection: ServerConnection;
    readonly received: (method: string) => number;
  }> {
    const server = await serveScripted(
      {
        initialize: ({ json, answer, response, times }) => {
          response.setHeader('mcp-session-id', `session-${times}`);
          const capabilities = { tools: {}, tasks: { requests: { tools: { call: {} } } } };
          const serverInfo = { name: 'scripted', version: '1' };
          json(answer({ protocolVersion: '2025-11-25', capabilities, serverInfo }));
        },
        'tools/list': ({ json, answer }) => {
          const execution = { taskSupport: 'required' };
          json(answer({ tools: [{ name: 'work', inputSchema: { type: 'object' }, execution }] }));
        },
        'tools/call': ({ json, answer }) => json(answer({ task: { ...state, status: 'working' } })),
        'tasks/result': ({ json, answer }) => json(answer({ content: [{ type: 'text', text: 'at last' }] })),
        ...script,
      },
      { sessions: ['session'] },
    );
    bed.endLater(server);
    const connection = bed.connection(httpServer(server.url), {
      backoff: { firstMs: 1, maxMs: 1, tries: 3, stableMs: 60_000 },
    });
    await connection.start();
    await connection.catalogue?.listing('tools');
    return { connection, received: (method) => server.received(method).length };
  }

  test('goes on in the next one if the server has forgotten the first, without another call', async () => {
    const { connection, received } = await started({
      'tasks/get': ({ json, answer, times }) =>
        times === 1 ? json('', 404) : json(answer({ ...state, status: 'completed' })),
    });
    assert.equal(await textOf(connection.callTool('work', {})), 'at last');
    assert.deepEqual([received('tools/call'), received('initialize')], [1, 2]);
  });

  test('is not called again if the server has forgotten the task, too', async () => {
    const { connection, received } = await started({
      'tasks/get': ({ json, message, times }) =>
        times === 1
          ? json('', 404)
          : json({ jsonrpc: '2.0', id: message.id, error: { code: -32_602, message: `No ${state.taskId}` } }),
    });
    await assert.rejects(connection.callTool('work', {}), {
      code: 'protocol',
      message: 'the server answered: No ••• (-32602)',
    });
    assert.equal(received('tools/call'), 1);
  });

  test('ends if the server stays unreachable', async () => {
    const { connection } = await started({ 'tasks/get': ({ response }) => response.destroy() });
    await assert.rejects(connection.callTool('work', {}), { code: 'lost' });
  });
});
