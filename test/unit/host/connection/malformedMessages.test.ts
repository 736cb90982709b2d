import assert from 'node:assert/strict';
import { HostError } from '../../../../src/host/errors/hostError.ts';
import { ConnectionBed, textOf } from '../../support/connectionBed.ts';
import { rawServer, stdioServer } from '../../support/definitions.ts';
import { floodWith } from '../../support/malformedFlood.ts';
import { isAlive, untilSeen, untilState } from '../../support/until.ts';
import { perTest } from '../../support/perTest.ts';
import type { RunningState } from '../../../../src/host/state/connectionState.ts';

suite('A server that writes invalid output', () => {
  let bed: ConnectionBed;
  perTest(() => (bed = new ConnectionBed()));

  async function started() {
    const connection = bed.connection(rawServer());
    await connection.start();
    const { pid } = connection.state as RunningState;
    return { connection, pid: pid ?? 0 };
  }

  const base64 = (text: string): string => Buffer.from(text).toString('base64');

  test('10,000 times still gets its answers through, from the same process', async function () {
    const { connection, pid } = await started();
    await floodWith(connection, 10_000, 1);
    assert.equal((connection.state as RunningState).pid, pid);
  });

  test('is reported once as a warning, and the rest as debug', async () => {
    const { connection } = await started();
    await connection.callTool('write', { bytes: base64('Hello\nHello again\n{"level":"info"}\n') });
    assert.deepEqual(
      bed.logger.lines.filter((line) => /^warn|\[stdout\]/.test(line)),
      [
        'warn: The server wrote invalid output to stdout: Hello\n' +
          '    It was ignored. Servers must write log output to stderr; more of it is logged at level debug.',
        'debug: [stdout] Hello again',
        'debug: [stdout] {"level":"info"}',
      ],
    );
  });

  test('for an answer loses this answer at once, and no other', async () => {
    const { connection } = await started();
    const echoed = connection.callTool('echo', { text: 'Hello' });
    // The first request after the handshake and the lists has an id that is a small integer.
    const ids = Array.from({ length: 50 }, (_, id) => JSON.stringify({ jsonrpc: '2.0', id, result: null }));
    assert.equal(await textOf(echoed), 'Hello');
    await assert.rejects(connection.callTool('write', { bytes: base64(`[${ids.join(',')}]\n`) }), {
      code: 'protocol',
      message: /The response is not valid JSON-RPC 2\.0\./,
    });
    assert.equal(await textOf(connection.callTool('echo', { text: 'Still here' })), 'Still here');
  });

  test('in one line of more than 64 MiB loses the connection, and you see why', async () => {
    const { connection, pid } = await started();
    await assert.rejects(connection.callTool('overflow', { megabytes: 1_024 }), HostError);
    await untilState(connection, 'failed');
    assert.ok(connection.state.kind === 'failed');
    assert.equal(connection.state.reason.message, 'the server sent a message larger than 64 MiB');
    await untilSeen(() => !isAlive(pid), 'the process is gone');
  });

  test('in one line of more than 64 MiB does not start, and you see why', async () => {
    const greeting = 'process.stdout.write("x".repeat(65 * 1024 * 1024)); setInterval(() => {}, 1e6);';
    const connection = bed.connection(stdioServer(['-e', greeting]));
    await assert.rejects(connection.start(), {
      code: 'protocol',
      message: 'the server sent a message larger than 64 MiB',
    });
  });

  test('or closes its stdout and lives on loses the connection, and does not live on', async () => {
    const { connection, pid } = await started();
    await assert.rejects(connection.callTool('hush', {}), HostError);
    await untilState(connection, 'failed');
    assert.ok(connection.state.kind === 'failed');
    assert.equal(connection.state.reason.message, 'it closed its stdout, so it can no longer respond');
    assert.equal(connection.state.reason.code, 'exited');
    await untilSeen(() => !isAlive(pid), 'the process is gone');
  });
});
