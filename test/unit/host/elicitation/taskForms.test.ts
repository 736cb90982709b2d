import assert from 'node:assert/strict';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { packageScript, servedTaskServer, stdioServer, taskServer } from '../../support/definitions.ts';
import { ElicitationBed } from '../../support/elicitationBed.ts';
import { textOf } from '../../support/connectionBed.ts';
import { isRecord } from '../../../../src/base/values/record.ts';
import type { ServerDefinition } from '../../../../src/host/config/serverDefinition.ts';

const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
const ask = { mode: 'form', message: 'Who?', requestedSchema };
import { seen } from '../../support/taskMessages.ts';
import { perTest } from '../../support/perTest.ts';

suite('Forms of a task', () => {
  let bed: ElicitationBed;
  perTest(() => (bed = new ElicitationBed()));

  async function started(server: ServerDefinition): Promise<ServerDefinition> {
    await bed.hostBed.run(server);
    await bed.hostBed.of(server).catalogue?.listing('tools');
    return server;
  }

  function call(
    server: ServerDefinition,
    script: object,
    signal?: AbortSignal,
    tool = 'work',
  ): Promise<CallToolResult> {
    return bed.hostBed.of(server).callTool(tool, { looks: ['input_required'], ask, ...script }, {}, signal);
  }

  test('come while its call is in progress, and the answer names the task', async () => {
    const server = await started(taskServer());
    const result = call(server, {});
    const other = call(
      server,
      { looks: ['working', 'working', 'completed'], ask: undefined },
      undefined,
      'maybe',
    );
    const { open, requests } = await bed.form();
    assert.deepEqual(
      requests.map(({ target }) => target),
      ['work'],
    );
    open.end({ action: 'accept', content: { name: 'Ann' } });
    assert.equal(await textOf(result), 'the result');
    assert.equal(await textOf(other), 'the result');
    const answer = (await seen(bed.hostBed.of(server))).find(({ id }) => id === 'ask-1');
    assert.ok(isRecord(answer?.result));
    const { _meta, ...rest } = answer.result;
    assert.deepEqual(rest, { action: 'accept', content: { name: 'Ann' } });
    assert.match(
      JSON.stringify(_meta),
      /^\{"io\.modelcontextprotocol\/related-task":\{"taskId":"[-0-9a-f]{36}"\}\}$/,
    );
  });

  test('that name no task of a call come without one', async () => {
    const server = await started(taskServer());
    const abort = new AbortController();
    const result = call(server, { relatedTo: 'of-somebody-else' }, abort.signal).catch(() => {});
    const { open, requests } = await bed.form();
    assert.deepEqual(requests, []);
    open.end({ action: 'decline' });
    abort.abort();
    await result;
  });

  test('close when their task is cancelled', async () => {
    const server = await started(taskServer());
    const abort = new AbortController();
    const result = call(server, {}, abort.signal).catch(() => {});
    await bed.form();
    abort.abort();
    await result;
    await bed.untilNothingWaits();
  });

  test('that a task of 2026-07-28 requires are the same ones, asked once', async () => {
    const server = await started(servedTaskServer());
    const look = {
      status: 'input_required',
      inputRequests: { who: { method: 'elicitation/create', params: ask } },
    };
    const result = bed.hostBed.of(server).callTool('work', { looks: [look], lag: 2 });
    const { open, requests } = await bed.form();
    assert.deepEqual(
      requests.map(({ target }) => target),
      ['work'],
    );
    open.end({ action: 'accept', content: { name: 'Ann' } });
    assert.deepEqual(JSON.parse(await textOf(result)), {
      who: { action: 'accept', content: { name: 'Ann' } },
    });
    assert.deepEqual(bed.ledger.lines, ['(asked done)']);
  });

  test('that a task of 2026-07-28 requires are checked like any other', async () => {
    const server = await started(servedTaskServer());
    const flawed = { ...ask, requestedSchema: 'none' };
    const look = {
      status: 'input_required',
      inputRequests: { who: { method: 'elicitation/create', params: flawed } },
    };
    await assert.rejects(bed.hostBed.of(server).callTool('work', { looks: [look] }), {
      message: /^the server needs your answer: /,
    });
    assert.deepEqual(bed.ledger.lines, ['(invalid refused)']);
  });

  for (const [action, answer, words] of [
    [
      'accept',
      { action: 'accept', content: { interpretation: 'snake' } },
      /Research Report: python \(snake\)/,
    ],
    ['decline', { action: 'decline' }, /User declined - using default interpretation/],
  ] as const) {
    test(`of server-everything: ${action}`, async () => {
      const script = packageScript('@modelcontextprotocol/server-everything');
      const server = await started(stdioServer([script, 'stdio']));
      const steps: unknown[] = [];
      const connection = bed.hostBed.of(server);
      const result = connection.callTool(
        'simulate-research-query',
        { topic: 'python', ambiguous: true },
        { onProgress: ({ message }) => steps.push(message) },
      );
      const { open } = await bed.form();
      open.end(answer);
      assert.match(await textOf(result), words);
      assert.ok(steps.includes('Gathering sources...'), String(steps));
    });
  }
});
