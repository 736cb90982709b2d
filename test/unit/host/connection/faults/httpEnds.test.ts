import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { ServerConnection } from '../../../../../src/host/connection/serverConnection.ts';
import { HostError } from '../../../../../src/host/errors/hostError.ts';
import { textOf } from '../../../support/connectionBed.ts';
import { endsInTime, FaultBed, soon } from '../../../support/faultBed.ts';
import { FaultyHttp, httpKinds, type HttpKind } from '../../../support/faultyHttp.ts';
import { untilSeen } from '../../../support/until.ts';
import { perTest } from '../../../support/perTest.ts';

const kinds = Object.keys(httpKinds) as readonly HttpKind[];

suite('A server over HTTP', () => {
  let bed: FaultBed;
  perTest(async () => (bed = await FaultBed.open()));

  for (const kind of kinds) {
    test(`that is killed loses what is under way at once (${kind})`, async () => {
      const server = await FaultyHttp.start(bed, kind);
      const connection = await bed.started(server.definition, soon);
      const lost = Array.from({ length: 20 }, (_, call) =>
        assert.rejects(connection.callTool('wait', { text: `${call}` }), {
          name: 'HostError',
          code: 'lost',
          message: /^the connection (ended|broke) before the server answered/,
        }),
      );
      await untilSeen(() => bed.received.timesOf('tools/call wait') === 20, 'the server has the calls');
      await server.kill();
      await Promise.all(lost);
      assert.equal(bed.received.timesOf('tools/call wait'), 20, 'no call is repeated');
    });

    test(`that is gone refuses calls at once, and answers when it is back (${kind})`, async () => {
      const server = await FaultyHttp.start(bed, kind);
      const connection = await bed.started(server.definition, soon);
      await server.kill();
      for (let call = 0; call < 3; call += 1) {
        await assert.rejects(connection.callTool('echo', { text: 'away' }), (error: { code: string }) =>
          ['unreachable', 'notRunning', 'lost'].includes(error.code),
        );
      }
      await server.revive();
      assert.equal(await textOnceRunning(connection, 'back', ['unreachable', 'notTaken']), 'back');
      assert.equal(bed.received.times('tools/call echo back'), 1, 'a call that was answered is made once');
      assert.equal(bed.received.times('tools/call echo away'), 0);
    });

    test(`that is frozen blocks a call until its timeout, and no other server (${kind})`, async function () {
      if (process.platform === 'win32') {
        this.skip();
      }
      const [server, otherServer] = await Promise.all([
        FaultyHttp.start(bed, kind),
        FaultyHttp.start(bed, kind),
      ]);
      const connection = await bed.started(server.definition);
      const other = await bed.started(otherServer.definition);
      process.kill(server.pid, 'SIGSTOP');
      connection.update({ ...connection.definition, timeout: 300 });
      const timedOut = assert.rejects(connection.callTool('echo', { text: 'late' }), { code: 'timedOut' });
      for (let call = 0; call < 20; call += 1) {
        assert.equal(await textOf(other.callTool('echo', { text: `${call}` })), `${call}`);
      }
      await timedOut;
      process.kill(server.pid, 'SIGCONT');
      connection.update({ ...connection.definition, timeout: 240_000 });
      assert.equal(await textOf(connection.callTool('echo', { text: 'thawed' })), 'thawed');
      assert.equal(connection.state.kind, 'running');
      assert.deepEqual(bed.complaints, []);
    });

    test(`that is frozen is disconnected in time when it is stopped (${kind})`, async function () {
      if (process.platform === 'win32') {
        this.skip();
      }
      const server = await FaultyHttp.start(bed, kind);
      const connection = await bed.started(server.definition);
      process.kill(server.pid, 'SIGSTOP');
      const calls = Array.from({ length: 5 }, () =>
        assert.rejects(connection.callTool('echo', { text: 'late' }), { code: 'notRunning' }),
      );
      await endsInTime(() => connection.stop());
      await Promise.all(calls);
      process.kill(server.pid, 'SIGCONT');
      await untilSeen(async () => (await server.open()) === 0, 'nothing of it stays open');
    });

    test(`keeps nothing open after 200 calls, answered in reverse, and as many cancelled ones (${kind})`, async () => {
      const server = await FaultyHttp.start(bed, kind);
      const connection = await bed.started(server.definition);
      const idle = await untilQuiet(server);
      const texts = Array.from({ length: 200 }, (_, call) => `${call}`);
      assert.deepEqual(
        await Promise.all(texts.map((text) => textOf(connection.callTool('gather', { text, of: 200 })))),
        texts,
      );
      const abort = new AbortController();
      const taken = texts.map((text) =>
        assert.rejects(connection.callTool('wait', { text }, {}, abort.signal), {
          name: 'CancellationError',
        }),
      );
      const ended = Promise.all(taken);
      // A call that fails says why; the server would never have it.
      await Promise.race([
        untilSeen(() => bed.received.timesOf('tools/call wait') === 200, 'the server has them'),
        ended,
      ]);
      abort.abort();
      await ended;
      await untilSeen(async () => (await server.open()) <= idle, 'their streams are closed');
      assert.equal(await textOf(connection.callTool('echo', { text: 'next' })), 'next');
      await connection.stop();
      await untilSeen(async () => (await server.open()) === 0, 'nothing of it stays open');
      assert.deepEqual(bed.complaints, []);
    });

    test(`gets a read once more that was cut off, and no call (${kind})`, async () => {
      const server = await FaultyHttp.start(bed, kind);
      const connection = await bed.started(server.definition, soon);
      await connection.readResource('test:///cut');
      assert.equal(bed.received.times('resources/read test:///cut'), 2);
      await assert.rejects(connection.callTool('cut', { text: 'call' }), { code: 'lost' });
      assert.equal(await textOnceRunning(connection, 'next'), 'next');
      assert.equal(bed.received.times('tools/call echo next'), 1);
      assert.equal(bed.received.timesOf('tools/call cut'), 1);
    });
  }

  test('that takes too long over a cancellation gets none, and nothing is logged about it', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    const server = await FaultyHttp.start(bed, 'Streamable HTTP, legacy');
    const connection = await bed.started(server.definition);
    const abort = new AbortController();
    const call = connection.callTool('wait', { text: 'long' }, {}, abort.signal);
    await untilSeen(() => bed.received.timesOf('tools/call wait') === 1, 'the server has it');
    const deadlines: AbortController[] = [];
    const timeout = mock.method(AbortSignal, 'timeout', () => {
      const deadline = new AbortController();
      deadlines.push(deadline);
      return deadline.signal;
    });
    try {
      process.kill(server.pid, 'SIGSTOP');
      abort.abort();
      await assert.rejects(call, { name: 'CancellationError' });
      await untilSeen(() => deadlines.length > 0, 'it is cancelled');
      deadlines.forEach((deadline) => deadline.abort(new DOMException('too late', 'TimeoutError')));
    } finally {
      timeout.mock.restore();
      process.kill(server.pid, 'SIGCONT');
    }
    assert.equal(await textOf(connection.callTool('echo', { text: 'next' })), 'next');
    assert.deepEqual(bed.complaints, []);
  });
});

/** How many responses stay under way while nothing is asked: the streams of the server's own. */
async function untilQuiet(server: FaultyHttp): Promise<number> {
  let last = -1;
  await untilSeen(async () => {
    const before = last;
    last = await server.open();
    return last === before;
  }, 'the start is through');
  return last;
}

/** What the server echoes as soon as it runs, and nothing has become of it. */
async function textOnceRunning(
  connection: ServerConnection,
  text: string,
  otherFailures: readonly string[] = [],
): Promise<string> {
  let echoed = '';
  await untilSeen(async () => {
    try {
      echoed = await textOf(connection.callTool('echo', { text }));
      return true;
    } catch (error) {
      assert.ok(
        error instanceof HostError && ['notRunning', ...otherFailures].includes(error.code),
        String(error),
      );
      return false;
    }
  }, 'it answers');
  return echoed;
}
