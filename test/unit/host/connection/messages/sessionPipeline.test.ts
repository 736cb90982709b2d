import assert from 'node:assert/strict';
import { SessionTraffic } from '../../../../../src/host/traffic/sessionTraffic.ts';
import { TrafficRecorder } from '../../../../../src/host/traffic/trafficRecorder.ts';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { ServerMessages } from '../../../../../src/host/connection/messages/serverMessages.ts';
import { SessionPipeline } from '../../../../../src/host/connection/messages/sessionPipeline.ts';
import { logBounds, turnBounds } from '../../../../../src/host/json/bounds.ts';
import * as sdk from '../../../../../src/host/sdk/sdk.ts';

const logged = (level: string): JSONRPCMessage => ({
  jsonrpc: '2.0',
  method: 'notifications/message',
  params: { level, data: 'Ready.' },
});
const changed: JSONRPCMessage = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };

suite('The messages of a server', () => {
  let lines: string[];
  let pauses: PromiseWithResolvers<void>[];
  let messages: ServerMessages;
  let pipeline: SessionPipeline;
  setup(() => {
    lines = [];
    pauses = [];
    const logger = {
      isTracing: false,
      log: (level: string, text: string) => void lines.push(`${level}: ${text}`),
    };
    messages = new ServerMessages(logger, [], () => 'info');
    pipeline = new SessionPipeline(
      {
        logger,
        messages,
        level: { level: 'info', shown: 'info', onDidChange: () => ({ dispose: () => {} }) },
        schemas: sdk,
        traffic: new SessionTraffic(new TrafficRecorder([])),
        isHttp: false,
        era: () => 'legacy',
        takesProgress: () => false,
      },
      () => {
        const pause = Promise.withResolvers<void>();
        pauses.push(pause);
        return pause.promise;
      },
    );
  });
  teardown(() => messages.dispose());

  /** What is passed on of so many messages, each after the one before. */
  async function passedOn(message: JSONRPCMessage, count: number): Promise<readonly unknown[]> {
    const passed: unknown[] = [];
    for (let sent = 0; sent < count; sent += 1) {
      const one = pipeline.received(message);
      pauses.splice(0).forEach(({ resolve }) => resolve());
      passed.push(await one);
    }
    return passed.filter((one) => one !== undefined);
  }

  test('to be logged are passed on only as far as they are written', async () => {
    const most = logBounds.messagesPerSecond;
    assert.equal((await passedOn(logged('debug'), 10)).length, 0, 'nobody wants them');
    assert.equal((await passedOn(logged('info'), most + 30)).length, most);
    assert.equal((await passedOn(logged('error'), 10)).length, 0, 'they count alike');
    assert.equal((await passedOn(changed, 10)).length, 10, 'others are passed on');
    messages.dispose();
    assert.deepEqual(lines, ['warn: Left out 40 messages of this server, which sends too many.']);
  });

  test('to be logged at no known level are passed on, so that the log names the fault', async () => {
    assert.equal((await passedOn(logged('loud'), 1)).length, 1);
  });

  test('let other work go first after a number of notifications, and keep their order', async () => {
    const { notifications } = turnBounds;
    for (let sent = 1; sent < notifications; sent += 1) {
      assert.ok(!(pipeline.received(changed) instanceof Promise));
    }
    const waiting = pipeline.received(changed);
    assert.ok(waiting instanceof Promise, 'the transport hands on nothing more until it is resolved');
    assert.equal(pauses.length, 1);
    pauses[0]?.resolve();
    assert.deepEqual(await waiting, changed);
    assert.ok(!(pipeline.received(changed) instanceof Promise), 'as many again follow at once');
  });

  test('never wait if the server was asked for them, or asks itself', async () => {
    for (let id = 0; id < 3 * turnBounds.notifications; id += 1) {
      pipeline.sent({ jsonrpc: '2.0', id, method: 'ping' });
      assert.ok(!(pipeline.received({ jsonrpc: '2.0', id, result: {} }) instanceof Promise));
      assert.ok(!(pipeline.received({ jsonrpc: '2.0', id, method: 'ping' }) instanceof Promise));
    }
    assert.equal(pauses.length, 0);
  });

  test('are seen before anything is done with them', () => {
    const seen: unknown[] = [];
    pipeline.watch({ sent: (message) => seen.push(message) });
    pipeline.watch({ received: (message) => seen.push(message) });
    const ping: JSONRPCMessage = { jsonrpc: '2.0', id: 1, method: 'ping' };
    pipeline.sent(ping);
    assert.equal(pipeline.received(logged('debug')), undefined);
    assert.deepEqual(seen, [ping, logged('debug')]);
  });
});
