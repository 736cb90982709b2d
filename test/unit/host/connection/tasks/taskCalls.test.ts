import assert from 'node:assert/strict';
import { CancellationError } from '../../../../../src/base/lifetime/cancellation.ts';
import { isRecord } from '../../../../../src/base/values/record.ts';
import type { ServerConnection } from '../../../../../src/host/connection/serverConnection.ts';
import { ConnectionBed, textOf } from '../../../support/connectionBed.ts';
import { taskServer } from '../../../support/definitions.ts';
import { seen, taskMethods, untilAsked } from '../../../support/taskMessages.ts';
import { untilSeen } from '../../../support/until.ts';

suite('A tool that runs as a task', () => {
  let bed: ConnectionBed;
  /** Milliseconds that an answer may take. */
  let patience: number;
  setup(() => {
    patience = 60_000;
    bed = new ConnectionBed();
    bed.logger.isTracing = true;
  });
  teardown(() => bed.close());

  async function started(capability?: object): Promise<ServerConnection> {
    const connection = bed.connection(taskServer(capability), { requestTimeout: () => patience });
    await connection.start();
    await connection.catalogue?.listing('tools');
    return connection;
  }

  for (const name of ['work', 'maybe']) {
    test(`gives its result like any other: '${name}'`, async () => {
      const connection = await started();
      const result = await connection.callTool(name, { looks: ['working', 'working', 'completed'] });
      assert.deepEqual(result, { content: [{ type: 'text', text: 'the result' }] });
      assert.deepEqual(await taskMethods(connection), [
        'tasks/get',
        'tasks/get',
        'tasks/get',
        'tasks/result',
      ]);
      const call = (await seen(connection)).find(({ params }) => params?.['name'] === name);
      assert.partialDeepStrictEqual(call?.params, { task: { ttl: 21_600_000 } });
    });
  }

  for (const name of ['plain', 'never']) {
    test(`does so only if it may: '${name}'`, async () => {
      const connection = await started();
      assert.equal(await textOf(connection.callTool(name, {})), 'without a task');
    });
  }

  for (const [what, capability] of Object.entries({
    'nothing about tasks': null,
    'tasks, but not for calls': { list: {}, cancel: {}, requests: {} },
  })) {
    test(`of a server that declares ${what} is not called, or without one`, async () => {
      const connection = await started(capability as object);
      await assert.rejects(connection.callTool('work', {}), {
        code: 'notOffered',
        message: 'it runs only as a task, and its server does not run tools as tasks',
      });
      assert.equal(await textOf(connection.callTool('maybe', {})), 'without a task');
      const calls = (await seen(connection)).filter(({ params }) => params?.['name'] === 'work');
      assert.deepEqual(calls, []);
    });
  }

  test('says what it does as progress, and its own progress goes on', async () => {
    const connection = await started();
    const steps: unknown[] = [];
    await connection.callTool(
      'work',
      { looks: ['working', 'completed'], id: 'secret-id', message: 'Reading secret-id', progress: 3 },
      { onProgress: (step) => steps.push(step) },
    );
    assert.deepEqual(steps.at(-1), { progress: 3, total: 10, message: 'Reading •••' });
  });

  test('that failed gives the result of the tool, as an error', async () => {
    const connection = await started();
    const result = { content: [{ type: 'text', text: 'No such city.' }], isError: true };
    assert.deepEqual(await connection.callTool('work', { looks: ['failed'], result }), result);
  });

  for (const [what, script, message] of [
    [
      'failed',
      { looks: ['failed'], error: { code: -32_603, message: 'boom' } },
      /^the server's task failed: the server answered: boom \(-32603\)$/,
    ],
    [
      'failed, with a reason',
      { looks: ['failed'], message: 'limit', error: { code: 1, message: 'x' } },
      /^the server's task failed: limit$/,
    ],
    [
      'was cancelled',
      { looks: ['cancelled'], message: 'no more' },
      /^the server's task was cancelled by the server: no more$/,
    ],
    ['has an unknown status', { looks: ['paused'] }, /is not one of the protocol's: 'paused'$/],
    ['has no status', { looks: [7] }, /is not one of the protocol's: missing$/],
    [
      'changes its ID',
      { looks: ['working'], laterId: 'other' },
      /asked about one task, and answered about another$/,
    ],
    ['has a huge ID', { id: 'x'.repeat(5_000) }, /^the server made a task without a usable ID$/],
    ['has no ID', { id: '' }, /^the server made a task without a usable ID$/],
    ['has a result that is none', { result: { content: 'text', task: {} } }, /is no result of a tool$/],
  ] as const) {
    test(`fails if its task ${what}`, async () => {
      const connection = await started();
      await assert.rejects(connection.callTool('work', script), { code: 'protocol', message });
      assert.equal(connection.state.kind, 'running');
    });
  }

  test('is cancelled if what the server says about its task makes no sense', async () => {
    const connection = await started();
    await assert.rejects(connection.callTool('work', { looks: ['paused'] }));
    await untilAsked(connection, 'tasks/cancel');
  });

  test('has a task of its own', async () => {
    const connection = await started();
    const abort = new AbortController();
    const first = connection.callTool('work', { id: 'the-same', looks: ['working'] }, {}, abort.signal);
    await untilSeen(async () => (await taskMethods(connection)).includes('tasks/get'), 'the first one runs');
    await assert.rejects(connection.callTool('work', { id: 'the-same' }), /gave two tasks the same ID$/);
    assert.ok(!(await taskMethods(connection)).includes('tasks/cancel'), 'the first one goes on');
    abort.abort();
    await assert.rejects(first, CancellationError);
  });

  for (const [what, script] of Object.entries({
    '0': { poll: 0, looks: ['working', 'working', 'working', 'completed'] },
    'less than nothing': { poll: -5, looks: ['working', 'completed'] },
  })) {
    test(`is not asked about all the time if its interval is ${what}`, async () => {
      const connection = await started();
      const before = performance.now();
      assert.equal(await textOf(connection.callTool('work', script)), 'the result');
      // A lower bound: no machine is so slow that this fails.
      assert.ok(performance.now() - before >= 200 * script.looks.length);
    });
  }

  test('is looked at before its time if the server reports a change', async () => {
    const connection = await started();
    // Seven waits of a minute would take longer than any test.
    const looks = [...Array.from({ length: 7 }, () => 'working'), 'completed'];
    const script = { poll: 60_000, reports: true, looks };
    assert.equal(await textOf(connection.callTool('work', script)), 'the result');
  });

  test('ends with the time for which its server keeps the task', async () => {
    const connection = await started();
    patience = 5_000;
    const call = connection.callTool('work', { looks: ['working'], ttl: 5_500 });
    await assert.rejects(call, {
      code: 'timedOut',
      message: 'the server did not finish its task within 5.5 s',
    });
    patience = 60_000;
    await untilAsked(connection, 'tasks/cancel');
  });

  test('takes longer than a call if its server keeps the task', async () => {
    const connection = await started();
    patience = 3_000;
    const looks = [...Array.from({ length: 15 }, () => 'working'), 'completed'];
    assert.equal(await textOf(connection.callTool('work', { looks, ttl: null })), 'the result');
  });

  for (const method of ['tools/call', 'tasks/get', 'tasks/result']) {
    test(`ends when its server never answers '${method}'`, async () => {
      const connection = await started();
      patience = 150;
      const call = connection.callTool('work', { ignores: method, ttl: 3_000 });
      await assert.rejects(call, { code: 'timedOut' });
    });

    test(`ends with its server, which dies at '${method}'`, async () => {
      const connection = await started();
      await assert.rejects(connection.callTool('work', { diesAt: method }), { code: 'lost' });
    });
  }

  test('can be cancelled while it works', async () => {
    const connection = await started();
    const abort = new AbortController();
    const call = connection.callTool('work', { looks: ['working'] }, {}, abort.signal);
    await untilSeen(async () => (await taskMethods(connection)).includes('tasks/get'), 'it runs');
    abort.abort();
    await assert.rejects(call, CancellationError);
    await untilAsked(connection, 'tasks/cancel');
    const cancelled = (await seen(connection)).filter(({ method }) => method === 'notifications/cancelled');
    assert.deepEqual(cancelled, [], 'a task is not cancelled by a notification');
  });

  test('can be cancelled before the server has named its task', async () => {
    const connection = await started();
    const abort = new AbortController();
    const call = connection.callTool('work', { looks: ['working'] }, {}, abort.signal);
    setImmediate(() => abort.abort());
    await assert.rejects(call, CancellationError);
    await untilAsked(connection, 'tasks/cancel');
  });

  test('can be cancelled while its result is awaited', async () => {
    const connection = await started();
    const abort = new AbortController();
    const script = { looks: ['input_required'] };
    const call = connection.callTool('work', script, {}, abort.signal);
    await untilSeen(async () => (await taskMethods(connection)).includes('tasks/result'), 'it is awaited');
    abort.abort();
    await assert.rejects(call, CancellationError);
    await untilAsked(connection, 'tasks/cancel');
  });

  test('is not cancelled on a server that has not declared that it can', async () => {
    const connection = await started({ requests: { tools: { call: {} } } });
    const abort = new AbortController();
    const call = connection.callTool('work', { looks: ['working'] }, {}, abort.signal);
    await untilSeen(async () => (await taskMethods(connection)).includes('tasks/get'), 'it runs');
    abort.abort();
    await assert.rejects(call, CancellationError);
    assert.ok(!(await taskMethods(connection)).includes('tasks/cancel'));
  });

  test('keeps the ID of its task secret', async () => {
    const connection = await started();
    const id = 'a-secret-between-us';
    await assert.rejects(
      connection.callTool('work', { id, looks: ['failed'], error: { code: 1, message: `No ${id}` } }),
      { message: "the server's task failed: the server answered: No ••• (1)" },
    );
    const answers = bed.logger.lines.filter((line) => line.includes('"status"'));
    assert.ok(answers.length > 0, 'the log has the answers');
    const kept = answers.filter((line) => line.includes(id));
    assert.deepEqual(kept, []);
  });

  test('is not mixed up with the task of another server with the same ID', async () => {
    const [one, other] = [await started(), await started()];
    const script = { id: 'common', looks: ['working', 'completed'] };
    const result = { content: [{ type: 'text', text: 'of the other' }] };
    const texts = [
      textOf(one.callTool('work', script)),
      textOf(other.callTool('work', { ...script, result })),
    ];
    assert.deepEqual(await Promise.all(texts), ['the result', 'of the other']);
  });

  test('declares that this host has no tasks', async () => {
    const first = (await seen(await started())).find(({ method }) => method === 'initialize');
    const capabilities = first?.params?.['capabilities'];
    assert.ok(isRecord(capabilities) && !('tasks' in capabilities));
  });
});
