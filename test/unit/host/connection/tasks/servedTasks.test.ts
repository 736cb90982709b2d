import assert from 'node:assert/strict';
import { CancellationError } from '../../../../../src/base/lifetime/cancellation.ts';
import type { ServerConnection } from '../../../../../src/host/connection/serverConnection.ts';
import { serveScripted } from '../../../../fixtures/servers/scriptedHttp.ts';
import { ConnectionBed, textOf } from '../../../support/connectionBed.ts';
import { httpServer, servedTaskServer, talkingServer } from '../../../support/definitions.ts';
import { seen, untilAsked } from '../../../support/taskMessages.ts';

const working = { status: 'working' };
const extension = 'io.modelcontextprotocol/tasks';

suite('A call of which a server of 2026-07-28 makes a task', () => {
  let bed: ConnectionBed;
  /** Milliseconds that an answer may take. */
  let patience: number;
  setup(() => {
    patience = 60_000;
    bed = new ConnectionBed();
    bed.logger.isTracing = true;
  });
  teardown(() => bed.close());

  async function started(): Promise<ServerConnection> {
    const connection = bed.connection(servedTaskServer(), { requestTimeout: () => patience });
    await connection.start();
    return connection;
  }

  test('gives its result like any other, and each request declares the extension', async () => {
    const connection = await started();
    const result = { content: [{ type: 'text', text: 'done' }], structuredContent: { n: 1 } };
    const looks = [working, { status: 'completed', result: { ...result, resultType: 'complete' } }];
    assert.deepEqual(await connection.callTool('work', { looks }), result);
    const all = await seen(connection);
    const asked = all.filter(({ method }) => method?.startsWith('t') || method?.startsWith('subs'));
    for (const { params } of asked) {
      const _meta = { 'io.modelcontextprotocol/clientCapabilities': { extensions: { [extension]: {} } } };
      assert.partialDeepStrictEqual(params, { _meta });
    }
  });

  test('is declared to no server of an earlier revision', async () => {
    const connection = bed.connection(talkingServer('legacy'));
    await connection.start();
    assert.ok(!bed.logger.has(extension));
  });

  test('says what it does as progress', async () => {
    const connection = await started();
    const said: unknown[] = [];
    const looks = [{ statusMessage: 'Reading' }, { status: 'completed', result: { content: [] } }];
    await connection.callTool('work', { looks }, { onProgress: ({ message }) => said.push(message) });
    assert.deepEqual(said, ['Reading']);
  });

  test('keeps what is sound of a result, which may be large', async () => {
    const connection = await started();
    const content = [
      { type: 'text', text: 'x'.repeat(2_000_000) },
      { type: 'video', data: 'AAAA' },
    ];
    const result = await connection.callTool('work', {
      looks: [{ status: 'completed', result: { content } }],
    });
    assert.deepEqual(
      result.content.map((block) => (block.type === 'text' ? block.text.length : block.type)),
      [2_000_000, 'Content of the unknown type "video".'.length],
    );
  });

  test('keeps that its tool failed', async () => {
    const connection = await started();
    const result = { content: [{ type: 'text', text: 'no' }], isError: true };
    const looks = [{ status: 'completed', result, resultType: 'task' }];
    assert.deepEqual(await connection.callTool('work', { looks }), result);
  });

  for (const [what, look, message] of [
    [
      'failed',
      { status: 'failed', error: { code: -32_603, message: 'limit' } },
      /^the server's task failed: the server answered: limit \(-32603\)$/,
    ],
    ['failed without a reason', { status: 'failed' }, /^the server's task failed$/],
    [
      'was cancelled',
      { status: 'cancelled', statusMessage: 'by its owner' },
      /cancelled by the server: by its owner$/,
    ],
    ['has an unknown status', { status: 'paused' }, /not one of the protocol's: 'paused'$/],
    ['changes its ID', { taskId: 'other' }, /asked about one task, and answered about another$/],
    [
      'has no result',
      { status: 'completed' },
      /^the server answered 'tasks\/get' with something that is no result/,
    ],
    [
      'requires what is not offered',
      { status: 'input_required', inputRequests: { a: { method: 'sampling/createMessage', params: {} } } },
      /^the server requires 'sampling\/createMessage', which MCP Host does not offer it$/,
    ],
    [
      'requires too much',
      {
        status: 'input_required',
        inputRequests: Object.fromEntries(
          Array.from({ length: 101 }, (_, n) => [n, { method: 'roots/list' }]),
        ),
      },
      /asks for too much$/,
    ],
  ] as const) {
    test(`fails if its task ${what}`, async () => {
      const connection = await started();
      await assert.rejects(connection.callTool('work', { looks: [look] }), { code: 'protocol', message });
    });
  }

  test('answers what its task requires, each key once', async () => {
    bed.roots = [{ uri: 'file:///projects/api', name: 'api' }];
    const connection = await started();
    const ask = (...keys: string[]): object => ({
      status: 'input_required',
      inputRequests: Object.fromEntries(keys.map((key) => [key, { method: 'roots/list' }])),
    });
    const script = { looks: [ask('a'), ask('a', 'b'), ask('a', 'b')], lag: 3 };
    const answers = JSON.parse(await textOf(connection.callTool('work', script))) as object;
    assert.deepEqual(Object.values(answers)[0], { roots: bed.roots });
    const updates = (await seen(connection)).filter(({ method }) => method === 'tasks/update');
    const keys = updates.flatMap(({ params }) => Object.keys(params?.['inputResponses'] ?? {}));
    assert.deepEqual(keys.toSorted(), ['a', 'b']);
  });

  test('is looked at before its time if the server reports a change', async () => {
    const connection = await started();
    // Seven waits of a minute would take longer than any test.
    const slow = { pollIntervalMs: 60_000 };
    const ended = { status: 'completed', result: { content: [{ type: 'text', text: 'the result' }] } };
    const script = { first: slow, looks: [...Array.from({ length: 7 }, () => slow), ended], reports: true };
    assert.equal(await textOf(connection.callTool('work', script)), 'the result');
  });

  test('is cancelled by a request, never by a notification, and is over at once', async () => {
    const connection = await started();
    const abort = new AbortController();
    const call = connection.callTool('work', { looks: [working] }, {}, abort.signal);
    await untilAsked(connection, 'tasks/get');
    abort.abort();
    await assert.rejects(call, CancellationError);
    await untilAsked(connection, 'tasks/cancel');
    const about = (await seen(connection)).filter(({ method }) => method === 'notifications/cancelled');
    const cancelled = about.map(({ params }) => String(params?.['requestId']));
    assert.ok(
      cancelled.every((id) => id.startsWith('listen:')),
      'only who listens to the task stops',
    );
  });

  test('ends with the time for which its server keeps the task', async () => {
    const connection = await started();
    patience = 5_000;
    const state = { ttlMs: 5_500 };
    const call = connection.callTool('work', { first: state, looks: [state] });
    await assert.rejects(call, { code: 'timedOut', message: /within 5\.5 s$/ });
    patience = 60_000;
    await untilAsked(connection, 'tasks/cancel');
  });

  for (const method of ['tasks/get', 'tasks/update']) {
    test(`ends with its server, which dies at '${method}'`, async () => {
      const connection = await started();
      const looks = [{ status: 'input_required', inputRequests: { a: { method: 'roots/list' } } }];
      await assert.rejects(connection.callTool('work', { looks, diesAt: method }), { code: 'lost' });
    });
  }

  test('names its task in a header over HTTP, and survives a broken connection', async () => {
    const taskId = 'a-secret-between-us';
    const state = { taskId, createdAt: '', lastUpdatedAt: '', ttlMs: null, pollIntervalMs: 1 };
    const server = await serveScripted(
      {
        'tools/call': ({ json, answer }) => json(answer({ resultType: 'task', status: 'working', ...state })),
        'tasks/get': ({ json, answer, response, times }) => {
          if (times === 1) {
            response.destroy();
          } else if (times === 2) {
            json('busy', 503);
          } else {
            const result = { content: [{ type: 'text', text: 'at last' }] };
            json(answer({ resultType: 'complete', status: 'completed', ...state, result }));
          }
        },
      },
      { revision: '2026-07-28' },
    );
    bed.endLater(server);
    const connection = bed.connection(httpServer(server.url));
    await connection.start();
    assert.equal(await textOf(connection.callTool('echo', {})), 'at last');
    const names = server.headersOf('tasks/get').map((headers) => headers['mcp-name']);
    assert.ok(names.length >= 3 && names.every((name) => name === taskId), String(names));
    assert.deepEqual(
      bed.logger.lines.filter((line) => line.includes(taskId)),
      [],
    );
  });
});
