import assert from 'node:assert/strict';
import { recordingBounds } from '../../../../src/host/json/bounds.ts';
import { comparedText } from '../../../../src/host/traffic/comparedText.ts';
import { checkSize, readRecording, recordingLines } from '../../../../src/host/traffic/recording.ts';
import { SessionTraffic } from '../../../../src/host/traffic/sessionTraffic.ts';
import { TrafficRecorder } from '../../../../src/host/traffic/trafficRecorder.ts';

const head = '{"format":"mcp-recording","version":1,"server":"notes"}';
const request = (id: number, session = 1): string =>
  JSON.stringify({ session, from: 'client', message: { jsonrpc: '2.0', id, method: 'ping' } });

suite('A recording', () => {
  function recorded(secrets: string[], id = 1): TrafficRecorder {
    const recorder = new TrafficRecorder(secrets);
    recorder.record();
    const traffic = new SessionTraffic(recorder);
    traffic.begins({ name: 'stdio', sessionId: undefined });
    const params = { name: 'echo', arguments: { text: 'S3CRET\nand more' }, _meta: { progressToken: id } };
    traffic.sent({ jsonrpc: '2.0', id, method: 'tools/call', params });
    traffic.received({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: id, progress: 1 },
    });
    traffic.received({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'done' }] } });
    return recorder;
  }
  const textOf = ({ entries }: TrafficRecorder, secrets: string[] = []): string =>
    [
      ...recordingLines({ server: 'notes', revision: '2025-11-25', lists: { tools: [] } }, entries, secrets),
    ].join('');

  test('is read as it was written', () => {
    const { server, messages } = readRecording(textOf(recorded([])));
    assert.deepEqual(server, { server: 'notes', revision: '2025-11-25', lists: { tools: [] } });
    assert.deepEqual(
      messages.map(({ line, session, from, message }) => [line, session, from, message['method']]),
      [
        [3, 1, 'client', 'tools/call'],
        [4, 1, 'server', 'notifications/progress'],
        [5, 1, 'server', undefined],
      ],
    );
    assert.deepEqual(messages[2]?.message['result'], { content: [{ type: 'text', text: 'done' }] });
  });

  test('has no secret, also none that is known since', () => {
    const text = textOf(recorded(['S3CRET\nand more']), ['tools/call']);
    assert.ok(!text.includes('S3CRET') && !text.includes('tools/call'), text);
    assert.equal(readRecording(text).messages.length, 3);
  });

  test('stays JSON when a secret is a part of a number', () => {
    const recorder = new TrafficRecorder(['123456']);
    recorder.record();
    new SessionTraffic(recorder).sent({ jsonrpc: '2.0', id: 1, method: 'a', params: { number: 91_234_567 } });
    const text = textOf(recorder);
    assert.ok(!text.includes('123456'), text);
    assert.deepEqual(readRecording(text).messages, []);
  });

  test('compares without its times and IDs', () => {
    const [first, second] = [recorded([]), recorded([], 7)].map((one) =>
      comparedText(readRecording(textOf(one))),
    );
    assert.equal(first, second);
    assert.equal(
      first
        ?.split('\n')
        .filter((line) => /^[→←]/.test(line))
        .join('\n'),
      '→ tools/call echo\n← notifications/progress\n← result of tools/call echo',
    );
    assert.match(first ?? '', /^ {6}"text": "done"$/m);
    assert.ok(first && !/\n\n\n|_meta|"id"|progressToken/.test(first), first);
  });

  for (const [what, text, fault] of [
    ['nothing', '', 'line 1 is not JSON'],
    [
      'another file',
      '{"a":1}\n',
      'line 1 is not the beginning of a recording: it has no "format": "mcp-recording"',
    ],
    [
      'a later version',
      '{"format":"mcp-recording","version":2,"server":"a"}\n',
      'line 1 says version 2: update MCP Host to read it',
    ],
    ['a file that is cut off', `${head}\n${request(1).slice(0, 20)}`, 'line 2 is cut off'],
    ['a line that is not JSON', `${head}\n{\n${request(1)}\n`, 'line 2 is not JSON'],
    ['a line that is no object', `${head}\n3\n`, 'line 2 is not an object of JSON'],
    [
      'a line without a side',
      `${head}\n{"session":1,"message":{}}\n`,
      'line 2 has no message of a client or a server',
    ],
    [
      'an ID that is used twice',
      `${head}\n${request(1)}\n${request(2)}\n${request(1)}\n`,
      'line 4 uses the ID of line 2 again',
    ],
    [
      'a line that is too long',
      `${head}\n"${'a'.repeat(recordingBounds.lineCharacters)}"\n`,
      'line 2 has more than 8 million characters',
    ],
  ] as const) {
    test(`isn't ${what}`, () => assert.throws(() => readRecording(text), { message: fault }));
  }

  test('may have the same IDs in each session, and lines of other kinds', () => {
    const text = `${head}\n${request(1)}\n${request(1, 2)}\n{"session":2,"note":"stderr","text":"a"}\n`;
    assert.equal(readRecording(text).messages.length, 2);
  });

  test('has a size up to which it is read', () => {
    checkSize(recordingBounds.bytes);
    assert.throws(() => checkSize(recordingBounds.bytes + 1), { message: 'a recording has 64 MB at most' });
  });
});
