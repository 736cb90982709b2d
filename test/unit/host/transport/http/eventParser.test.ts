import assert from 'node:assert/strict';
import { createParser } from 'eventsource-parser';
import * as fc from 'fast-check';
import { EventParser, type ServerEvent } from '../../../../../src/host/transport/http/eventParser.ts';

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

interface TextEvent extends Omit<ServerEvent, 'data'> {
  readonly data?: string;
}

const asText = ({ data, ...event }: ServerEvent): TextEvent => ({
  ...event,
  ...(data && { data: data.toString('utf8') }),
});

/** What a stream gives that arrives in pieces of these sizes. */
function parsed(
  text: string,
  sizes: readonly number[],
): { events: TextEvent[]; retryMs: number | undefined } {
  const bytes = Buffer.from(text);
  const parser = new EventParser();
  const events: TextEvent[] = [];
  for (let start = 0, piece = 0; start < bytes.length; piece += 1) {
    const size = sizes[piece % sizes.length] ?? 1;
    events.push(...[...parser.feed(bytes.subarray(start, start + size))].map(asText));
    start += size;
  }
  return { events, retryMs: parser.retryMs };
}

/** The parser that the SDK uses, which has its own way with a lone CR at the end, hence the line feeds. */
function oracle(text: string): { events: TextEvent[]; retryMs: number | undefined } {
  const events: TextEvent[] = [];
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

  test('reports an id that came without data', () => {
    assert.deepEqual(parsed('id: 7\n\n', [3]).events, [{ id: '7' }]);
    assert.deepEqual(parsed('id\n\n', [3]).events, [{ id: '' }]);
  });

  test('gives an event at once whose last line ends in a lone CR', () => {
    assert.deepEqual(parsed('data: x\r\r', [100]).events, [{ data: 'x' }]);
  });

  test('has no event in what ends without a blank line', () => {
    assert.deepEqual(parsed('data: x\n', [100]).events, []);
  });

  for (const [what, start, line] of [
    ['data', '', 'data: 123456\n'],
    ['empty data', '', 'data:\n'],
    ['data without a colon', '', 'data\r'],
    ['a line without an end', 'data:', 'x'],
    ['a field without an end', 'id:', 'x'],
    ['a comment without an end', ':', 'x'],
    ['empty data between comments', '', ':\r\ndata:\r\n'],
  ] as const) {
    test(`holds at most the size of a message of ${what}, however its bytes are cut apart`, () => {
      fc.assert(
        fc.property(fc.integer({ min: 1, max: 40 }), (size) => {
          const parser = new EventParser(1_000);
          let taken = 0;
          const feed = (text: string): void => {
            for (let place = 0; place < text.length; place += size) {
              const piece = Buffer.from(text.slice(place, place + size));
              taken += piece.length;
              assert.deepEqual([...parser.feed(piece)], []);
            }
          };
          feed(start);
          assert.throws(() => {
            for (;;) {
              feed(line.repeat(10));
            }
          }, RangeError);
          assert.ok(taken < 3_000, `${taken} bytes`);
        }),
        { numRuns: 20 },
      );
    });
  }

  test('holds nothing of comments and of fields that mean nothing, however many there are', () => {
    const parser = new EventParser(1_000);
    for (let count = 0; count < 10_000; count += 1) {
      assert.deepEqual([...parser.feed(Buffer.from(': ping\nretry: 5\nid: 1\nother\n'))], []);
    }
    assert.deepEqual([...parser.feed(Buffer.from('data: x\n\n'))].map(asText), [{ data: 'x', id: '1' }]);
  });
});
