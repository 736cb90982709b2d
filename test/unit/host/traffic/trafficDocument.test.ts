import assert from 'node:assert/strict';
import { parse } from 'jsonc-parser';
import { relatedTo, sentAgain } from '../../../../src/host/traffic/sentAgain.ts';
import { trafficDocument } from '../../../../src/host/traffic/trafficDocument.ts';
import type { TrafficMessage } from '../../../../src/host/traffic/trafficEntry.ts';

const params = { name: 'echo', arguments: { message: 'hello', token: '•••' } };
const call: TrafficMessage = {
  kind: 'message',
  session: 1,
  number: 4,
  at: 0,
  direction: 'sent',
  is: 'request',
  method: 'tools/call',
  target: 'echo',
  json: JSON.stringify({ id: 7, method: 'tools/call', params }),
  bytes: 100,
  relation: undefined,
  ms: undefined,
  note: undefined,
  isFailure: false,
  faults: [],
  answer: 5,
};

suite('A message as a document', () => {
  test('is JSON under what is known of it', () => {
    const text = trafficDocument(call, 'notes');
    assert.match(
      text,
      /^\/\/ Message 4 of 'notes', sent at [\d:.]+, 100 bytes\n\/\/ Request tools\/call echo, answered by 5\n\{\n/,
    );
    assert.deepEqual(parse(text), { id: 7, method: 'tools/call', params });
  });

  test('says what the message breaks of the specification', () => {
    const fault = { text: '`content` is missing\n{}', clause: 'server/tools', revision: '2025-11-25' };
    const faults = [
      { ...fault, isAdvice: false },
      { ...fault, text: 'it has no description', isAdvice: true },
    ];
    const text = trafficDocument({ ...call, faults }, 'notes');
    assert.deepEqual(text.split('\n').slice(2, 4), [
      '// Fault: `content` is missing\\n{} (2025-11-25, server/tools)',
      '// Advice: it has no description (2025-11-25, server/tools)',
    ]);
    assert.deepEqual(parse(text), { id: 7, method: 'tools/call', params });
  });

  test('keeps each value, and shows what is invisible in it', () => {
    const value = 'a\u202Eb\u00ADc \u{E0041} 👩‍👩‍👧 \u2028 é\u3000ö \0';
    const text = trafficDocument({ ...call, json: JSON.stringify({ value }) }, 'notes');
    assert.deepEqual(parse(text), { value });
    assert.match(text, /a\\u202eb\\u00adc \\udb40\\udc41 👩‍👩‍👧 \\u2028 é\u3000ö \\u0000/);
  });

  test('has no text of a server outside of its comments and its JSON', () => {
    const text = trafficDocument({ ...call, target: 'x\n{"y": 1}\u2028z' }, 'notes');
    assert.deepEqual(parse(text), { id: 7, method: 'tools/call', params });
    const note = trafficDocument(
      { kind: 'stderr', session: 1, number: 1, at: 0, isFailure: false, faults: [], text: 'a\r{"b": 1}' },
      'notes',
    );
    assert.equal(parse(note), undefined);
  });

  test('says that it is too large', () => {
    assert.match(trafficDocument({ ...call, json: undefined }, 'notes'), /too large to keep/);
  });
});

suite('A message that is sent again', () => {
  test('opens the form of its tool or prompt, without what is secret', () => {
    assert.deepEqual(sentAgain(call), { kind: 'tool', name: 'echo', args: { message: 'hello' } });
    const json = JSON.stringify({ method: 'prompts/get', params: { name: 'p' } });
    assert.deepEqual(sentAgain({ ...call, method: 'prompts/get', json }), {
      kind: 'prompt',
      name: 'p',
      args: {},
    });
  });

  test('opens its resource', () => {
    const json = JSON.stringify({ params: { uri: 'test:///a' } });
    assert.deepEqual(sentAgain({ ...call, method: 'resources/read', json }), {
      kind: 'resource',
      uri: 'test:///a',
    });
  });

  for (const [what, more] of [
    ['a response', { is: 'result' }],
    ['a request of the server', { direction: 'received' }],
    ['another method', { method: 'tools/list' }],
    ['what is too large', { json: undefined }],
  ] as const) {
    test(`isn't ${what}`, () => assert.equal(sentAgain({ ...call, ...more }), undefined));
  }

  test('leads to its response, its request, or what it is within', () => {
    assert.deepEqual(relatedTo(call), { number: 5, title: 'Go to Response 5' });
    const { answer: _, ...open } = call;
    assert.equal(relatedTo(open), undefined);
    assert.deepEqual(relatedTo({ ...open, relation: { as: 'within', numbers: [3] } }), {
      number: 3,
      title: 'Go to Request 3',
    });
  });
});
