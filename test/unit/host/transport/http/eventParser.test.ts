import assert from 'node:assert/strict';
import { createParser } from 'eventsource-parser';
import * as fc from 'fast-check';
import {
  EventParser,
  writtenEvent,
  type ServerEvent,
} from '../../../../../src/host/transport/http/eventParser.ts';

const line = fc.oneof(
  fc.constantFrom(
    '',
    ':',
    ': ping',
    'data',
    'data:',
    'data: ',
    'data:  x',
    'id',
    'id:',
    'retry: x',
    'retry: 20',
  ),
  fc.constantFrom('event: endpoint', 'event: message', 'event', 'unknown: 1', 'data: {"a": "é𝒳"}'),
  fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => `data: ${text.replaceAll(/[\r\n]/g, '')}`),
  fc.string({ maxLength: 4 }).map((text) => `id: ${text.replaceAll(/[\r\n]/g, '')}`),
);
const ending = fc.constantFrom('\n', '\r', '\r\n');
const stream = fc
  .tuple(fc.constantFrom('', '\u{FEFF}'), fc.array(fc.tuple(line, ending), { maxLength: 30 }))
  .map(([mark, lines]) => mark + lines.flat().join(''));

/** What a stream gives that arrives in pieces of these sizes. */
function parsed(
  text: string,
  sizes: readonly number[],
): { events: ServerEvent[]; retryMs: number | undefined } {
  const bytes = new TextEncoder().encode(text);
  const decoder = new TextDecoder();
  const parser = new EventParser();
  const events: ServerEvent[] = [];
  let retryMs: number | undefined;
  for (let start = 0, piece = 0; start < bytes.length; piece += 1) {
    const size = sizes[piece % sizes.length] ?? 1;
    const found = parser.feed(decoder.decode(bytes.subarray(start, start + size), { stream: true }));
    events.push(...found.events);
    retryMs = found.retryMs;
    start += size;
  }
  return { events, retryMs };
}

/** The parser that the SDK uses, which has its own way with a lone CR at the end, hence the line feeds. */
function oracle(text: string): { events: ServerEvent[]; retryMs: number | undefined } {
  const events: ServerEvent[] = [];
  let retryMs: number | undefined;
  const parser = createParser({
    onEvent: ({ event, data, id }) =>
      events.push({
        ...(event !== undefined && event !== 'message' && { type: event }),
        data,
        ...(id !== undefined && { id }),
      }),
    onRetry: (ms) => (retryMs = ms),
  });
  parser.feed(text.replace(/^\u{FEFF}/u, '').replaceAll(/\r\n|\r/g, '\n'));
  return { events, retryMs };
}

suite('An event stream', () => {
  test('is read as the parser of the SDK reads it, however its bytes are cut apart', () => {
    fc.assert(
      fc.property(stream, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (text, sizes) => {
        const { events, retryMs } = parsed(text, sizes);
        const expected = oracle(text);
        assert.deepEqual(
          events.filter(({ data }) => data !== undefined),
          expected.events,
        );
        assert.equal(retryMs, expected.retryMs);
      }),
      { numRuns: 2_000 },
    );
  });

  test('is the same wherever it is cut in two', () => {
    const text =
      '\u{FEFF}id: 1\r\ndata: é𝒳\r\n\r\n: ping\r\rdata\rdata: two\nretry: 5\n\nevent: endpoint\ndata: /m\n\n';
    const whole = parsed(text, [10_000]);
    assert.deepEqual(whole.events, [
      { data: 'é𝒳', id: '1' },
      { data: '\ntwo' },
      { type: 'endpoint', data: '/m' },
    ]);
    const length = new TextEncoder().encode(text).length;
    for (let cut = 1; cut < length; cut += 1) {
      assert.deepEqual(parsed(text, [cut, length]), whole, `cut at ${cut}`);
    }
  });

  test('tells of an id that came without data', () => {
    assert.deepEqual(parsed('id: 7\n\n', [3]).events, [{ id: '7' }]);
    assert.deepEqual(parsed('id\n\n', [3]).events, [{ id: '' }]);
  });

  test('gives an event at once whose last line ends in a lone CR', () => {
    assert.deepEqual(parsed('data: x\r\r', [100]).events, [{ data: 'x' }]);
  });

  test('has no event in what ends without a blank line', () => {
    assert.deepEqual(parsed('data: x\n', [100]).events, []);
  });

  test('counts what it holds of an event, and nothing else', () => {
    const parser = new EventParser();
    parser.feed(`${': ping\n'.repeat(100)}data: 12345\nda`);
    assert.equal(parser.held, 7);
    parser.feed('ta: 678\n\n');
    assert.equal(parser.held, 0);
  });

  test('reads again what was written, whatever the event', () => {
    const event = fc.record(
      {
        type: fc.constantFrom('endpoint', 'other'),
        data: fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\r', '')),
      },
      { requiredKeys: ['data'], noNullPrototype: true },
    );
    fc.assert(
      fc.property(fc.array(event), (events) => {
        assert.deepEqual(parsed(events.map(writtenEvent).join(''), [1_000]).events, events);
      }),
    );
  });
});
