import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { ServerConnection } from '../../../../src/host/connection/serverConnection.ts';
import { HostError } from '../../../../src/host/errors/hostError.ts';
import { rejected, SamplingFailure } from '../../../../src/host/errors/samplingFailure.ts';
import type {
  SamplingResult,
  SamplingSource,
  ConnectionSampling,
} from '../../../../src/host/connection/samplingSource.ts';
import { ConnectionBed, namesOf, textOf } from '../../support/connectionBed.ts';
import { packageScript, samplingServer, stdioServer } from '../../support/definitions.ts';
import { untilSeen, untilState } from '../../support/until.ts';

type Asked = Omit<SamplingSource, 'server'> & { readonly params: unknown };

const hello: SamplingResult = {
  role: 'assistant',
  content: { type: 'text', text: 'Hello.' },
  model: 'Scripted',
  stopReason: 'endTurn',
};

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new SamplingFailure('over', 'Nobody waits.')));
  });
}

suite('Requests of servers for a language model', () => {
  let bed: ConnectionBed;
  let asked: Asked[];
  let answer: (asked: Asked) => Promise<SamplingResult>;

  setup(() => {
    bed = new ConnectionBed();
    asked = [];
    answer = () => Promise.resolve(hello);
  });
  teardown(() => bed.close());

  const sampling: ConnectionSampling = {
    isOffered: () => true,
    createMessage: (request, params) => {
      const one = { ...request, params };
      asked.push(one);
      return answer(one);
    },
  };

  async function running(
    switches: readonly string[] = [],
    context: Parameters<ConnectionBed['connection']>[1] = { sampling },
  ): Promise<ServerConnection> {
    const connection = bed.connection(samplingServer(switches), context);
    await connection.start();
    return connection;
  }

  async function ask(connection: ServerConnection, args: Record<string, unknown> = {}): Promise<unknown> {
    return JSON.parse(await textOf(connection.callTool('ask', args)));
  }

  for (const [era, switches, revision] of [
    ['2025-06-18', ['--revision=2025-06-18'], '2025-06-18'],
    ['2025-11-25', [], '2025-11-25'],
    ['2026-07-28', ['--modern'], '2026-07-28'],
  ] as const) {
    suite(`of revision ${era}`, () => {
      test('are answered, with the call that they belong to', async () => {
        const connection = await running(switches);
        const given = (await ask(connection, { prompt: 'Hi.' })) as { result: object };
        assert.deepEqual({ ...hello, ...given.result }, given.result);
        const [request] = asked;
        assert.ok(request);
        assert.equal(request.revision, revision);
        assert.deepEqual(
          request.requests.map(({ method, target, args }) => ({ method, target, args })),
          [{ method: 'tools/call', target: 'ask', args: { prompt: 'Hi.' } }],
        );
        assert.ok(request.requests[0]?.ended.aborted, 'the call has ended');
        assert.partialDeepStrictEqual(request.params, {
          messages: [{ role: 'user', content: { type: 'text', text: 'Hi.' } }],
          maxTokens: 100,
        });
      });

      test('end with the server', async () => {
        answer = ({ ended }) => untilAborted(ended);
        const connection = await running(switches);
        const call = connection.callTool('ask', {});
        call.catch(() => {});
        await untilSeen(() => asked.length === 1, 'the server has asked');
        assert.equal(asked[0]?.ended.aborted, false);
        await connection.stop();
        assert.equal(asked[0]?.ended.aborted, true);
        await assert.rejects(call);
        assert.equal(asked[0]?.requests[0]?.ended.aborted, true);
      });
    });
  }

  test('get the code and the words of a failure', async () => {
    answer = () => Promise.reject(rejected());
    const connection = await running();
    assert.deepEqual(await ask(connection), {
      error: { code: -1, message: 'User rejected sampling request' },
    });
    answer = () => Promise.reject(new SamplingFailure('noModel', 'No language model is available'));
    assert.deepEqual(await ask(connection), {
      error: { code: -32_603, message: 'No language model is available' },
    });
  });

  test('fail a modern call with a message for its caller', async () => {
    const connection = await running(['--modern']);
    answer = () => Promise.reject(rejected());
    await assert.rejects(ask(connection), (error) => {
      assert.ok(error instanceof HostError);
      assert.equal(error.code, 'denied');
      assert.equal(error.message, 'you did not let the server use a language model');
      return true;
    });
    answer = () => Promise.reject(new SamplingFailure('noModel', 'No language model is available'));
    await assert.rejects(ask(connection), {
      code: 'protocol',
      message: 'the server needs a language model: No language model is available',
    });
  });

  test('know that a server has given up', async () => {
    answer = ({ signal }) => untilAborted(signal);
    const connection = await running();
    assert.deepEqual(JSON.parse(await textOf(connection.callTool('giveUp', { ms: 1_000, holdMs: 50 }))), {
      error: { code: -32_001, message: 'Request timed out' },
    });
    assert.equal(asked[0]?.signal.aborted, true);
    assert.equal(asked[0]?.ended.aborted, false);
  });

  test('belong to no call when no request of ours is in flight', async () => {
    const connection = await running();
    await connection.callTool('askLater', {});
    await untilSeen(() => asked.length === 1, 'the server has asked');
    assert.deepEqual(asked[0]?.requests, []);
  });

  test('pause the timeout of the call that they belong to', async () => {
    let answerNow = (): void => {};
    answer = () => new Promise((resolve) => (answerNow = () => resolve(hello)));
    let timeout = 20_000;
    const connection = await running([], { sampling, requestTimeout: () => timeout });
    timeout = 1500;
    const call = ask(connection);
    await untilSeen(() => asked.length === 1, 'the server has asked');
    // Longer than the request may take.
    await delay(2000);
    answerNow();
    assert.ok('result' in ((await call) as object));
  });

  test('are not declared where they are not offered', async () => {
    for (const [context, isOffered] of [
      [{ sampling }, true],
      [{ sampling: { ...sampling, isOffered: () => false } }, false],
      [{}, false],
    ] as const) {
      const everything = stdioServer([packageScript('@modelcontextprotocol/server-everything')]);
      const connection = bed.connection(everything, context);
      assert.equal(connection.isSamplingOffered, undefined);
      await connection.start();
      await untilState(connection, 'running');
      assert.equal(connection.isSamplingOffered, isOffered);
      assert.equal(namesOf(connection.catalogue?.tools).includes('trigger-sampling-request'), isOffered);
      await connection.stop();
    }
  });
});
