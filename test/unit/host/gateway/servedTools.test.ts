import assert from 'node:assert/strict';
import type { HostTools } from '../../../../src/host/gate/hostTools.ts';
import { ServedTools } from '../../../../src/host/gateway/servedTools.ts';
import type { LedgerEntry } from '../../../../src/host/ledger/ledgerEntry.ts';
import type { HostTool } from '../../../../src/host/tools/hostTool.ts';
import { serverScript, stdioServer } from '../../support/definitions.ts';
import { GatewayBed } from '../../support/gatewayBed.ts';
import { until, untilSeen } from '../../support/until.ts';
import { perTest } from '../../support/perTest.ts';

function toolOf(serverId: string, name: string, more: Partial<HostTool> = {}): HostTool {
  const tool = { name, inputSchema: { type: 'object' as const } };
  return { serverId, tool, offered: tool, standing: { kind: 'known' }, isExposed: true, ...more };
}

function called(serverId: string, target: string, more: Partial<LedgerEntry> = {}): LedgerEntry {
  return {
    id: `${serverId} ${target}`,
    caller: { kind: 'agentMode' },
    serverId,
    server: serverId,
    method: 'tools/call',
    target,
    at: 0,
    decision: 'delegated',
    outcome: 'done',
    durationMs: 1,
    sentBytes: 1,
    receivedBytes: 1,
    ...more,
  };
}

/** Tools `0`, `1`, … of a server. */
function listOf(serverId: string, count: number): readonly HostTool[] {
  return Array.from({ length: count }, (_, index) => toolOf(serverId, String(index)));
}

suite('The tools that agent mode gets by name', () => {
  let lists: Map<string, readonly HostTool[]>;
  let exceptions: Map<string, readonly string[]>;
  let entries: LedgerEntry[];
  let served: ServedTools;

  setup(() => {
    lists = new Map();
    exceptions = new Map();
    entries = [];
    const tools: Pick<HostTools, 'of' | 'exceptionsOf'> = {
      of: (id) => lists.get(id) ?? [],
      exceptionsOf: (id) => new Set(exceptions.get(id)),
    };
    served = new ServedTools(tools, () => entries, 8);
  });

  const update = (isAgain = false): readonly string[] => served.update([...lists.keys()], isAgain);
  const names = (id: string): string =>
    (lists.get(id) ?? [])
      .filter((tool) => !served.isLeftOut(tool))
      .map(({ tool }) => tool.name)
      .join(' ');

  test('are all of them, up to the ceiling', () => {
    lists.set('a', listOf('a', 5)).set('b', listOf('b', 3));
    assert.deepEqual(update(), []);
    assert.equal(served.leavesToolsOut, false);
    assert.deepEqual([names('a'), names('b')], ['0 1 2 3 4', '0 1 2']);
  });

  test('leave room for the tools that find the others, and the servers take turns', () => {
    lists.set('a', listOf('a', 6)).set('b', listOf('b', 3));
    assert.deepEqual(update().toSorted(), ['a', 'b']);
    assert.equal(served.leavesToolsOut, true);
    assert.deepEqual([names('a'), names('b')], ['0 1 2', '0 1']);
  });

  test('do not count what is not offered anyway', () => {
    const hidden = [
      toolOf('b', 'cleared', { isExposed: false }),
      toolOf('b', 'added', { standing: { kind: 'added' } }),
      toolOf('b', 'unseen', { standing: { kind: 'unseen' } }),
    ];
    lists.set('a', listOf('a', 7)).set('b', [...hidden, toolOf('b', 'offered')]);
    update();
    assert.equal(served.leavesToolsOut, false);
    lists.set('c', listOf('c', 1));
    assert.deepEqual(update(), ['a']);
    assert.deepEqual([names('a'), names('b'), names('c')], ['0 1 2', 'cleared added unseen offered', '0']);
  });

  test('are first those that you exposed one by one, then those that ran most', () => {
    lists.set('a', listOf('a', 20)).set('b', listOf('b', 20));
    exceptions.set('b', ['17', '18']);
    entries = [
      called('a', '9'),
      called('a', '12'),
      called('a', '12', { outcome: 'toolError' }),
      called('b', '15', { count: 5 }),
    ];
    update();
    assert.deepEqual([names('a'), names('b')], ['9 12', '15 17 18']);
  });

  test("depend only on that server's calls that ran", () => {
    lists.set('a', listOf('a', 20));
    entries = [
      called('a', '9', { outcome: 'refused' }),
      called('a', '10', { outcome: 'failed' }),
      called('a', '11', { method: 'prompts/get' }),
      called('b', '12'),
    ];
    update();
    assert.equal(names('a'), '0 1 2 3 4');
  });

  test('stay the same from call to call, until the tools are others or you say so', () => {
    lists.set('a', listOf('a', 20));
    update();
    entries = [called('a', '9')];
    assert.deepEqual(update(), []);
    assert.equal(names('a'), '0 1 2 3 4');
    assert.deepEqual(update(true), ['a']);
    assert.equal(names('a'), '0 1 2 3 9');
    lists.set('a', listOf('a', 8));
    entries = [];
    assert.deepEqual(update(), ['a']);
    assert.equal(served.leavesToolsOut, false);
  });

  test('do not depend on the order of the servers, which restart', () => {
    lists.set('a', listOf('a', 6)).set('b', listOf('b', 6));
    update();
    assert.deepEqual(served.update(['b', 'a']), []);
    assert.deepEqual(served.update(['b', 'a'], true), []);
    assert.deepEqual([names('a'), names('b')], ['0 1 2', '0 1']);
  });

  test('are all tools of the remaining servers once a server is gone', () => {
    lists.set('a', listOf('a', 6)).set('b', listOf('b', 6));
    update();
    lists.delete('b');
    assert.deepEqual(update().toSorted(), ['a', 'b']);
    assert.equal(names('a'), '0 1 2 3 4 5');
  });
});

suite('A client of the gateway, where there are more tools than the editor takes', () => {
  const first = stdioServer([serverScript('changingServer'), '--tools=10'], { name: 'first' });
  const second = stdioServer([serverScript('changingServer'), '--tools=4'], { name: 'second' });
  let bed: GatewayBed;
  perTest(() => (bed = new GatewayBed({}, 20)));

  test('is notified that it gets fewer when another server starts, can call the others, and gets all again', async () => {
    const heard: string[] = [];
    const client = await bed.client(await bed.serve(first), 'modern', {
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => heard.push('tools') } },
    });
    assert.equal((await client.listTools()).tools.length, 16);
    assert.equal(bed.gateway.leavesToolsOut, false);

    await bed.run(first, second);
    await bed.untilCompared(second);
    await bed.grants.grant(second.id, true);
    await until(() => bed.gateway.leavesToolsOut, 'tools are left out', bed.gateway.onDidChangeLeftOut);
    await untilSeen(() => heard.length > 0, 'the client has heard of it');
    await bed.untilServed(second);
    const other = await bed.client(bed.endpoint(second), 'legacy');
    const names = (await client.listTools()).tools.map(({ name }) => name);
    const otherNames = (await other.listTools()).tools.map(({ name }) => name);
    assert.equal(names.length + otherNames.length, 17);
    assert.ok(Math.abs(names.length - otherNames.length) <= 1);
    assert.ok(!names.includes('tool_9'));
    assert.ok(bed.gateway.isLeftOut(bed.tool(first, 'tool_9')));
    const { content } = await client.callTool({ name: 'tool_9', arguments: { path: 'a' } });
    assert.ok(content.length > 0);
    assert.deepEqual(
      bed.recorded.booked.map(({ target, end }) => [target, end?.outcome]),
      [['tool_9', 'done']],
    );

    await bed.grants.grant(second.id, false);
    assert.equal(bed.gateway.leavesToolsOut, false);
    assert.equal((await client.listTools()).tools.length, 16);
  });

  test('gets what ran in earlier windows, and what you exposed one by one', async () => {
    bed.earlier.push(called(first.id, 'tool_9'), called(second.id, 'wait', { outcome: 'cancelled' }));
    await bed.serve(first);
    await bed.run(first, second);
    await bed.untilCompared(second);
    await bed.grants.grant(second.id, true);
    await until(
      () => !bed.gateway.isLeftOut(bed.tool(first, 'tool_9')) && bed.gateway.leavesToolsOut,
      'the earlier call counts',
      bed.gateway.onDidChangeLeftOut,
    );
    assert.ok(bed.gateway.isLeftOut(bed.tool(second, 'tool_3')));
    await bed.tools.expose(second.id, false);
    for (const name of ['tool_2', 'tool_3']) {
      await bed.tools.expose(second.id, true, name);
    }
    assert.equal(bed.gateway.leavesToolsOut, false, 'eighteen are few enough');
    for (const name of ['get_weather', 'send_mail', 'wait']) {
      await bed.tools.expose(second.id, true, name);
    }
    assert.equal(bed.gateway.leavesToolsOut, true);
    assert.ok(!bed.gateway.isLeftOut(bed.tool(second, 'tool_3')));
    assert.ok(bed.gateway.isLeftOut(bed.tool(first, 'tool_8')));
  });
});
