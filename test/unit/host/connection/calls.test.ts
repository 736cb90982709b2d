import assert from 'node:assert/strict';
import { CancellationError } from '../../../../src/base/lifetime/cancellation.ts';
import type { ServerConnection } from '../../../../src/host/connection/serverConnection.ts';
import { HostError } from '../../../../src/host/errors/hostError.ts';
import { receivedBytes } from '../../../../src/host/json/receivedBytes.ts';
import { serveModern, serveStreamableHttp } from '../../../fixtures/servers/httpServers.ts';
import { serveScripted } from '../../../fixtures/servers/scriptedHttp.ts';
import { ConnectionBed, receivedBy, textOf } from '../../support/connectionBed.ts';
import { httpServer, legacyServer, modernServer } from '../../support/definitions.ts';
import { untilSeen } from '../../support/until.ts';

suite('A call', () => {
  let bed: ConnectionBed;
  /** Milliseconds; lowered once a server runs, because its start takes the time it takes. */
  let requestTimeout: number;
  setup(() => {
    bed = new ConnectionBed();
    requestTimeout = 10_000;
  });
  teardown(() => bed.close());

  async function started(): Promise<ServerConnection> {
    const connection = bed.connection(legacyServer(), { requestTimeout: () => requestTimeout });
    await connection.start();
    return connection;
  }

  test('to a tool that fails still has a result', async () => {
    const connection = await started();
    const { isError, content } = await connection.callTool('fail', {});
    assert.equal(isError, true);
    assert.deepEqual(content, [{ type: 'text', text: 'It did not work.' }]);
  });

  for (const [how, definition] of [
    ['stdio', async () => legacyServer()],
    ['stdio, with a modern server', async () => modernServer()],
    ['HTTP', async () => httpServer(bed.endLater(await serveStreamableHttp()).url)],
  ] as const) {
    test(`knows in how many bytes its result came if that is large, over ${how}`, async () => {
      const connection = bed.connection(await definition());
      await connection.start();
      const result = await connection.callTool('echo', { text: 'é'.repeat(100_000) });
      const { length } = Buffer.from(JSON.stringify(result));
      const more = (receivedBytes(result) ?? 0) - length;
      assert.ok(more > 0 && more < 200, `${more} bytes more than the ${length} of the result`);
    });
  }

  test('is given up after the silence that the settings allow, and the server is notified', async () => {
    const connection = await started();
    requestTimeout = 300;
    const failure: unknown = await connection.callTool('silent', {}).catch((error: unknown) => error);
    assert.ok(failure instanceof HostError);
    assert.equal(failure.code, 'timedOut');
    assert.match(failure.message, /^the server did not answer within 0.3 s; .*mcpHost.requestTimeout/);
    requestTimeout = 10_000;
    await untilCancelled(connection);
    assert.equal(connection.state.kind, 'running');
  });

  test('is given up after the silence that its definition allows', async () => {
    const connection = await started();
    connection.update({ ...connection.definition, timeout: 300 });
    await assert.rejects(connection.callTool('silent', {}), {
      code: 'timedOut',
      message: /^the server did not answer within 0.3 s; .*'timeout' in its definition/,
    });
  });

  test('may be silent for longer than any timer lasts', async () => {
    const connection = bed.connection(legacyServer([], { timeout: 1e12 }));
    await connection.start();
    assert.equal(await textOf(connection.callTool('slow', { ms: 300, everyMs: 300 })), 'done');
  });

  test('lives as long as it reports progress', async () => {
    const connection = await started();
    requestTimeout = 5_000;
    const seen: number[] = [];
    const result = await textOf(
      connection.callTool(
        'slow',
        { ms: 6_000, everyMs: 250 },
        { onProgress: ({ progress, total }) => seen.push(progress / (total ?? 1)) },
      ),
    );
    assert.equal(result, 'done');
    assert.ok(seen.length > 1, `${seen.length} times`);
    assert.deepEqual(
      seen,
      seen.toSorted((a, b) => a - b),
    );
  });

  test('does not run out of time while you are asked', async () => {
    const connection = await started();
    requestTimeout = 500;
    const call = connection.callTool('slow', { ms: 1_200, everyMs: 1_200 });
    assert.equal(await connection.whileAskingYou(() => textOf(call)), 'done');
  });

  test('that is cancelled is not a failure, and the server is notified', async () => {
    const connection = await started();
    const abort = new AbortController();
    const call = connection.callTool('silent', {}, {}, abort.signal);
    await untilSeen(
      async () => ((await receivedBy(connection))['tools/call'] ?? 0) > 1,
      'the server has the call',
    );
    abort.abort();
    await assert.rejects(call, CancellationError);
    await untilCancelled(connection);
    assert.ok(!bed.logger.lines.some((line) => /^(warn|error)/.test(line)), bed.logger.lines.join('\n'));
  });

  test('that is cancelled before it began is not sent', async () => {
    const connection = await started();
    await assert.rejects(connection.callTool('echo', {}, {}, AbortSignal.abort()), CancellationError);
    assert.equal((await receivedBy(connection))['tools/call'], 1, 'only the question itself');
  });

  for (const [what, definition] of [
    ['a legacy server over Streamable HTTP', async () => bed.endLater(await serveStreamableHttp())],
    ['a modern server over HTTP', async () => bed.endLater(await serveModern())],
  ] as const) {
    test(`to ${what} is cancelled, and the next one is answered`, async () => {
      const connection = bed.connection(httpServer((await definition()).url));
      await connection.start();
      const abort = new AbortController();
      const call = connection.callTool('silent', {}, {}, abort.signal);
      abort.abort();
      await assert.rejects(call, CancellationError);
      assert.equal(await textOf(connection.callTool('echo', { text: 'Hello' })), 'Hello');
    });
  }

  test('to a modern server that answers with an error fails with the words of the server', async () => {
    const connection = bed.connection(modernServer());
    await connection.start();
    await assert.rejects(connection.callTool('no such tool', {}), (error) => {
      assert.ok(error instanceof HostError);
      assert.equal(error.code, 'protocol');
      assert.match(error.message, /^the server answered: .*no such tool.* \(-32602\)$/);
      return true;
    });
  });

  test('fails with the missing capability if a modern server requires one that it was not offered', async () => {
    const server = bed.endLater(await serveScripted({}, { revision: '2026-07-28' }));
    const form = { message: 'Which?', requestedSchema: { type: 'object', properties: {} } };
    server.script['tools/call'] = ({ json, answer }) =>
      json(
        answer({
          resultType: 'input_required',
          inputRequests: { which: { method: 'elicitation/create', params: form } },
        }),
      );
    const connection = bed.connection(httpServer(server.url));
    await connection.start();
    await assert.rejects(connection.callTool('echo', {}), {
      code: 'protocol',
      message: /^the server requires 'elicitation\/create'/,
    });
  });

  test('ends with the server that is stopped meanwhile', async () => {
    const connection = await started();
    const call = connection.callTool('silent', {});
    const failed = assert.rejects(call, { name: 'HostError', code: 'notRunning' });
    await connection.stop();
    await failed;
  });

  test('to a server that does not run fails at once', async () => {
    const connection = bed.connection(legacyServer());
    await assert.rejects(connection.callTool('echo', {}), { code: 'notRunning' });
    await assert.rejects(connection.readResource('test:///note'), { code: 'notRunning' });
  });
});

function untilCancelled(connection: ServerConnection, times = 1): Promise<void> {
  return untilSeen(
    async () => (await receivedBy(connection))['notifications/cancelled'] === times,
    'the server is notified of the cancellation',
  );
}
