import assert from 'node:assert/strict';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { trafficBounds } from '../../../../src/host/json/bounds.ts';
import { loadSdk } from '../../../../src/host/sdk/loadSdk.ts';
import type { SpokenProtocol } from '../../../../src/host/traffic/messageFaults.ts';
import { SessionTraffic } from '../../../../src/host/traffic/sessionTraffic.ts';
import type { TrafficEntry, TrafficMessage, TrafficNote } from '../../../../src/host/traffic/trafficEntry.ts';
import { trafficLine } from '../../../../src/host/traffic/trafficLine.ts';
import { TrafficRecorder } from '../../../../src/host/traffic/trafficRecorder.ts';

const secret = 'S3CRET-of-a-definition';

suite('The traffic of a session', () => {
  let recorder: TrafficRecorder;
  let traffic: SessionTraffic;
  setup(() => {
    recorder = new TrafficRecorder([secret]);
    recorder.record();
    traffic = new SessionTraffic(recorder);
  });
  teardown(() => traffic.dispose());

  const sent = (message: object, signal?: AbortSignal): void =>
    traffic.sent({ jsonrpc: '2.0', ...message } as JSONRPCMessage, signal);
  const received = (message: object, within?: number): void =>
    traffic.received({ jsonrpc: '2.0', ...message } as JSONRPCMessage, within);
  const request = (id: number | string, method = 'tools/call', name = 'echo'): object => ({
    id,
    method,
    params: { name },
  });
  const message = (number: number): TrafficMessage => recorder.get(number) as TrafficMessage;
  /** The line of an entry without its time. */
  const lineOf = (entry: TrafficEntry | undefined): string =>
    entry ? trafficLine(entry).slice(13).trim() : '';

  test('copies and prints nothing unless somebody wants to see it', () => {
    const idle = new SessionTraffic(new TrafficRecorder([]));
    const untouchable = new Proxy({} as JSONRPCMessage, {
      get: () => assert.fail('it was read'),
      has: () => assert.fail('it was read'),
      ownKeys: () => assert.fail('it was read'),
    });
    idle.sent(untouchable);
    idle.received(untouchable);
    idle.failed(untouchable, new Error());
    idle.printed('stderr', untouchable as unknown as string[]);
    idle.dispose();
  });

  test('pairs a response with its request, also if the server changes the type of the ID', () => {
    sent(request(7));
    received({ id: '7', result: { content: [] } });
    assert.deepEqual(message(2).relation, { as: 'for', numbers: [1] });
    assert.equal(message(2).method, 'tools/call');
    assert.equal(message(2).target, 'echo');
    assert.equal(message(1).answer, 2);
    assert.match(
      lineOf(message(2)),
      /^2 {3}← result of tools\/call echo \(for 1, \d+ ms, \d+ bytes\) {2}\{"content":\[\]\}$/,
    );
  });

  test('tells the IDs of both sides apart', () => {
    sent(request(1));
    received({ id: 1, method: 'roots/list' });
    sent({ id: 1, result: { roots: [] } });
    received({ id: 1, result: {} });
    assert.deepEqual(
      [2, 3, 4].map((number) => message(number).relation?.numbers),
      [[1], [2], [1]],
    );
  });

  test('says what a request of the server is within, by its stream or because only one can be meant', () => {
    sent(request('ping', 'ping'));
    sent(request(1));
    received({ id: 9, method: 'sampling/createMessage', params: {} });
    assert.match(lineOf(message(3)), /sampling\/createMessage \(within 2,/);
    sent(request(2));
    received({ id: 10, method: 'sampling/createMessage', params: {} });
    assert.match(lineOf(message(5)), /\(during 2, 4,/);
    received({ id: 11, method: 'sampling/createMessage', params: {} }, 2);
    assert.match(lineOf(message(6)), /\(within 4,/);
    received({ id: 1, result: {} });
    received({ id: 12, method: 'elicitation/create', params: {} });
    assert.match(lineOf(message(8)), /\(within 4,/);
  });

  test('marks what is cancelled, late, repeated or lost', () => {
    sent(request(1));
    sent({ method: 'notifications/cancelled', params: { requestId: 1, reason: 'timeout' } });
    received({ id: 1, result: {} });
    assert.match(lineOf(message(2)), /notifications\/cancelled \(cancels 1,/);
    assert.match(lineOf(message(3)), /after the cancellation\)/);
    sent(request(2));
    received({ id: 2, result: {} });
    received({ id: 2, result: {} });
    assert.match(lineOf(message(6)), /a second response, after 5\)/);
    received({ id: 99, result: {} });
    assert.match(lineOf(message(7)), /result of a request that was not recorded/);
    const lost = request(3) as JSONRPCMessage;
    sent(lost);
    traffic.failed({ ...lost }, new Error('the connection broke'));
    assert.equal(lineOf(recorder.get(9)), '9 ✗ · 8 has no response: the connection broke');
    const stream = new AbortController();
    sent(request(4), stream.signal);
    sent(request(5));
    stream.abort();
    assert.equal(lineOf(recorder.get(12)), '12   · 10 was cancelled by the end of its stream.');
    traffic.dispose();
    assert.equal(lineOf(recorder.get(13)), '13   · The session has ended; without a response: 11.');
  });

  suite('has what the server breaks of the specification', () => {
    const outputFault = async (tool: string): Promise<string | undefined> =>
      Promise.resolve(tool === 'odd' ? `it is not ${secret}` : undefined);
    let schemas: SpokenProtocol['schemas'];
    suiteSetup(async () => {
      schemas = await loadSdk();
    });
    setup(() => {
      const spoken: SpokenProtocol = { schemas, revision: '2025-11-25', era: 'legacy', capabilities: {} };
      traffic.begins({ name: 'stdio', sessionId: undefined }, { spoken: () => spoken, outputFault });
    });
    const faults = (): readonly string[] =>
      recorder.entries.flatMap(({ number, faults: some }) =>
        some.map(
          ({ text, clause, isAdvice }) => `${number}: ${text} (${clause}${isAdvice ? ', advice' : ''})`,
        ),
      );
    const progress = (value: number): void =>
      received({ method: 'notifications/progress', params: { progressToken: 1, progress: value } });

    test('in one message, without its secrets', () => {
      sent(request(1, 'tools/list'));
      received({ id: 1, result: { tools: [{ name: secret, description: 'A', inputSchema: {} }] } });
      assert.deepEqual(faults(), ["3: tools[0] '•••': `inputSchema.type` is missing (server/tools)"]);
    });

    test('in the order of messages', () => {
      received({ id: 5, method: 'ping' });
      received({ id: 5, method: 'ping' });
      sent(request(1));
      [1, 1, 0.5, 2].forEach(progress);
      received({ id: 1, result: { content: [] } });
      received({ id: 1, result: { content: [] } });
      progress(3);
      assert.deepEqual(faults(), [
        '3: its ID was used before, by 2 (basic/utilities/ping)',
        '6: progress must grow: it was 1, and is 1 (basic/utilities/progress)',
        '7: progress must grow: it was 1, and is 0.5 (basic/utilities/progress)',
        '10: a second response, after 9 (server/tools)',
        '11: progress after the response, which is 9 (basic/utilities/progress)',
      ]);
    });

    test('after a cancellation, as advice: it may have been on its way', () => {
      sent(request(1));
      sent({ method: 'notifications/cancelled', params: { requestId: 1 } });
      received({ id: 1, result: { content: [] } });
      assert.deepEqual(faults(), ['4: after the cancellation (server/tools, advice)']);
    });

    test('on stdout', () => {
      traffic.printed('stdout', ['Listening…']);
      traffic.printed('stderr', ['Listening…']);
      assert.deepEqual(faults(), ['2: stdout carries messages only (basic/transports)']);
    });

    test('in the output of a tool, as soon as it is checked', async () => {
      sent(request(1, 'tools/call', 'odd'));
      received({ id: 1, result: { content: [], structuredContent: {} } });
      assert.deepEqual(faults(), []);
      const changed = new Promise<void>((resolve) => recorder.onDidChange(resolve));
      await changed;
      assert.deepEqual(faults(), ['3: it is not ••• (server/tools)']);
    });
  });

  test('marks errors and failed results', () => {
    sent(request(1));
    received({ id: 1, error: { code: -32602, message: 'Invalid arguments' } });
    sent(request(2));
    received({ id: 2, result: { isError: true, content: [] } });
    assert.match(lineOf(message(2)), /^2 ✗ ← error for tools\/call echo .*Invalid arguments/);
    assert.match(lineOf(message(4)), /^4 ✗ ← result of tools\/call echo/);
  });

  test('has no secret, no ID of a task, and no character that hides or turns others', () => {
    sent({ id: 1, method: 'tools/call', params: { name: `x${secret}`, arguments: { key: secret } } });
    received({ id: 1, result: { task: { taskId: 'the-id-of-a-task' } } });
    received({ method: 'notifications/message', params: { data: 'a\u202Eb\u001B[31m' } });
    traffic.printed('stderr', [`\u001B[31m${secret}\u001B[0m red`]);
    traffic.printed('stdout', ['Welcome\u200B!']);
    const lines = recorder.entries.map(trafficLine).join('\n');
    const kept = JSON.stringify(recorder.entries);
    for (const hidden of [secret, 'the-id-of-a-task']) {
      assert.ok(!lines.includes(hidden) && !kept.includes(hidden), hidden);
    }
    assert.equal(lineOf(recorder.get(4)), '4   · [stderr] ••• red');
    assert.equal(lineOf(recorder.get(5)), String.raw`5 ✗ · [stdout, no message] Welcome\u{200B}!`);
    assert.match(lineOf(recorder.get(3)), /a\\u\{202E\}b\\u001b\[31m/);
  });

  test('keeps each line within 200 characters, and a message that is too large without its JSON', () => {
    received({ method: 'notifications/message', params: { data: '\u202E'.repeat(1_000) } });
    received({
      method: 'notifications/message',
      params: { data: 'x'.repeat(trafficBounds.messageCharacters + 1) },
    });
    recorder.entries.forEach((entry) => assert.ok(trafficLine(entry).length <= trafficBounds.lineCharacters));
    assert.equal(message(2).json, undefined);
    assert.match(lineOf(message(2)), /too large to keep/);
  });

  test('counts the lines of a process that prints without end', () => {
    traffic.printed(
      'stderr',
      Array.from({ length: 100_000 }, (_, index) => `line ${index}`),
    );
    traffic.dispose();
    const texts = recorder.entries.map(lineOf);
    assert.equal(texts.length, 502);
    assert.match(texts[500] ?? '', /99500 more lines within the same second were left out/);
  });

  test('takes no request of an earlier recording for a cause', () => {
    const other = new TrafficRecorder([]);
    const pausing = new SessionTraffic(other);
    const first = other.record();
    pausing.sent({ jsonrpc: '2.0', ...request(1) } as JSONRPCMessage);
    first.dispose();
    pausing.received({ jsonrpc: '2.0', id: 1, result: {} });
    other.record();
    pausing.received({ jsonrpc: '2.0', id: 5, method: 'roots/list' });
    assert.equal((other.get(2) as TrafficMessage).relation, undefined, 'an earlier request counts');
    pausing.dispose();
  });
});

suite('What is kept of the traffic', () => {
  const note = (text: string): Omit<TrafficNote, 'number' | 'at'> => ({
    kind: 'stderr',
    session: 1,
    text,
    isFailure: false,
    faults: [],
  });

  test('is bounded, and the oldest 1,000 go at once', () => {
    const recorder = new TrafficRecorder([]);
    for (let count = 1; count <= trafficBounds.entries; count += 1) {
      recorder.add<TrafficNote>(note(`${count}`));
    }
    assert.equal(recorder.first, 1);
    recorder.add<TrafficNote>(note('one more'));
    assert.equal(recorder.first, trafficBounds.droppedAtOnce + 1);
    assert.equal(recorder.get(1_000), undefined);
    assert.equal(recorder.get(5_001)?.number, 5_001);
  });

  test('is bounded by its size, and the last one stays', () => {
    const recorder = new TrafficRecorder([]);
    for (let count = 0; count < 100; count += 1) {
      recorder.add<TrafficNote>(note('x'.repeat(1024 * 1024)));
    }
    const size = recorder.entries.length;
    assert.ok(size >= 24 && size <= 32, `${size} MiB`);
    assert.equal(recorder.entries.at(-1)?.number, 100);
    recorder.clear();
    assert.deepEqual(recorder.entries, []);
    assert.equal(recorder.add<TrafficNote>(note('next')).number, 101);
  });
});
