import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { repeatsText } from '../../../../src/host/connection/lists/listReports.ts';
import type { ServerConnection } from '../../../../src/host/connection/serverConnection.ts';
import { ConnectionBed, namesOf, receivedBy } from '../../support/connectionBed.ts';
import { stdioServer } from '../../support/definitions.ts';
import { agentMode } from '../../support/gateBed.ts';
import { ToolsBed } from '../../support/toolsBed.ts';
import { until } from '../../support/until.ts';

/**
 * Says whenever it is listed that the list has changed, and takes longer for a list than such notifications take to
 * settle, as a server does that makes a process for each request. `change` gives it another tool, and changes what it lists first.
 */
const script = `
  const received = {};
  const tools = ['received', 'change'].map((name) => ({ name, inputSchema: { type: 'object' } }));
  const prompts = [{ name: 'p' }];
  const results = {
    initialize: () => ({
      protocolVersion: '2025-11-25',
      capabilities: { tools: { listChanged: true }, prompts: { listChanged: true }, resources: { listChanged: true } },
      serverInfo: { name: 's', version: '1' },
    }),
    'tools/list': () => ({ tools }),
    'prompts/list': () => ({ prompts }),
    'resources/list': () => ({ resources: [{ name: 'r', uri: 'x:r' }] }),
    'resources/templates/list': () => ({ resourceTemplates: [{ name: 't', uriTemplate: 'x:{t}' }] }),
    'tools/call': ({ name }) => {
      if (name === 'change') {
        tools[0] = { ...tools[0], description: 'changed' };
        prompts[0].description = 'changed';
        tools.push({ name: 'more' + tools.length, inputSchema: { type: 'object' } });
      }
      return { content: [{ type: 'text', text: JSON.stringify(received) }] };
    },
  };
  const write = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    received[method] = (received[method] ?? 0) + 1;
    if (id === undefined) return;
    const result = results[method]?.(params);
    const answer = result ? { id, result } : { id, error: { code: -32601, message: 'Method not found' } };
    if (!method.endsWith('/list')) return write(answer);
    write({ method: 'notifications/' + method.split('/')[0] + '/list_changed' });
    setTimeout(() => write(answer), 400);
  });`;

const server = stdioServer(['-e', script]);

suite('A server that says whenever it is listed that its lists have changed', () => {
  suite('connected', () => {
    let bed: ConnectionBed;
    let connection: ServerConnection;
    setup(() => {
      bed = new ConnectionBed();
      connection = bed.connection(server);
    });
    teardown(() => bed.close());

    const lists = async (): Promise<Record<string, number>> =>
      Object.fromEntries(
        Object.entries(await receivedBy(connection)).filter(([name]) => name.endsWith('/list')),
      );
    const untilRepeating = (): Promise<void> =>
      until(
        () => connection.catalogue?.repeated.length === 3,
        'all lists are known to repeat',
        connection.onDidChangeRepeats,
      );

    test('has started with the first list of each kind', async () => {
      await connection.start();
      assert.equal(connection.catalogue?.hasListed('tools'), true);
      assert.equal(connection.catalogue?.resourceTemplates.length, 1);
      for (const [name, times] of Object.entries(await lists())) {
        assert.ok(times <= 2, `${name} ${times} times`);
      }
    });

    test('is listed a few times, however long it runs, and the log says why, once', async () => {
      const watching = connection.listWatchers.watch();
      await connection.start();
      await untilRepeating();
      await delay(3_000);
      for (const [name, times] of Object.entries(await lists())) {
        assert.ok(times >= 4 && times <= 7, `${name} ${times} times`);
      }
      const said = bed.logger.lines.filter((line) => line.includes('keeps saying'));
      assert.equal(said.length, 3);
      assert.deepEqual(
        new Set(said.map((line) => /^warn: .* list of (\w+) has changed/.exec(line)?.[1])),
        new Set(['prompts', 'resources', 'tools']),
      );
      assert.match(
        repeatsText(connection.catalogue?.repeated ?? []),
        /lists of tools, resources and prompts have changed\..* once a minute/,
      );
      watching.dispose();
    });

    test('is no longer listed while no view watches it, and shows a change once one does', async () => {
      await connection.start();
      await untilRepeating();
      await connection.catalogue?.listing('tools');
      await connection.callTool('change', {});
      const before = await lists();
      await delay(3_000);
      assert.deepEqual(await lists(), before);
      assert.ok(!namesOf(connection.catalogue?.tools).includes('more2'));
      const watching = connection.listWatchers.watch();
      await until(
        () => namesOf(connection.catalogue?.tools).includes('more2'),
        'the change is listed',
        connection.onDidChangeCatalogue,
      );
      watching.dispose();
    });

    test('does not report a list that has not changed', async () => {
      await connection.start();
      const changed: string[] = [];
      connection.onDidChangeCatalogue((kind) => changed.push(kind));
      const { tools } = connection.catalogue ?? assert.fail('it does not run');
      await untilRepeating();
      assert.deepEqual(changed, []);
      assert.equal(connection.catalogue?.tools, tools);
    });
  });

  test('has a changed tool or prompt held back at its next request, however rarely they are listed', async () => {
    const bed = new ToolsBed();
    try {
      await bed.runCompared(server);
      await bed.grants.grant(server.id, true);
      const connection = bed.of(server);
      await until(
        () => connection.catalogue?.repeated.length === 3,
        'its lists are known to repeat',
        connection.onDidChangeRepeats,
      );
      // Not through the gate: no event.
      await connection.callTool('change', {});
      await assert.rejects(bed.gate.callTool(agentMode, server.id, 'received', {}), { code: 'heldBack' });
      await assert.rejects(bed.gate.getPrompt(agentMode, server.id, 'p', {}), { code: 'heldBack' });
    } finally {
      await bed.close();
    }
  });
});
