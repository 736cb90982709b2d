import * as fc from 'fast-check';

/** Ids that no request of a test has: an answer to one that waits would be taken for it. */
const id = fc.oneof(
  fc.integer({ min: 1_000_000, max: 9_000_000 }),
  fc.constantFrom('x', null, 1.5, {}, [], true, -1, 1e300, '__proto__', ''),
);
const method = fc.constantFrom(
  'roots/list',
  'sampling/createMessage',
  'elicitation/create',
  'ping',
  'notifications/progress',
  'notifications/cancelled',
  'notifications/message',
  'notifications/tools/list_changed',
  'notifications/elicitation/complete',
  'no/such',
  '',
  1,
  null,
);
const params = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(
    { progressToken: 1.5, progress: 'x' },
    { requestId: {} },
    { level: 'loud', data: '\uD800' },
    { _meta: null },
    { _meta: { progressToken: {} } },
  ),
);
const message = fc.record(
  {
    jsonrpc: fc.constantFrom('2.0', '2.0', '2.0', '1.0', 2, null),
    id,
    method,
    params,
    result: fc.jsonValue(),
    error: fc.oneof(fc.jsonValue(), fc.record({ code: fc.jsonValue(), message: fc.jsonValue() })),
  },
  { requiredKeys: [] },
);
const batch = fc.array(fc.oneof(message, fc.jsonValue()), { maxLength: 5 });

/** Texts that a parser or what comes after it may stumble over. */
const oddities = fc.constantFrom(
  '',
  '\r',
  ' \t ',
  '\uFEFF{"jsonrpc":"2.0"}',
  '[]',
  '[[]]',
  '[[[[]]]]',
  '{"jsonrpc":"2.0","id":1e999999,"result":{}}',
  '{"jsonrpc":"2.0","id":123456789012345678901234567890,"result":{}}',
  '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1e999}}',
  '{"__proto__":{"polluted":true},"jsonrpc":"2.0","method":"ping","id":"p"}',
  '{"jsonrpc":"2.0","method":"ping","id":"p","params":{"__proto__":{"polluted":true},"constructor":null}}',
  '{"jsonrpc":"2.0","method":"toString","id":"t"}',
  '{"jsonrpc":"2.0","method":"__proto__","id":"t"}',
  '{"jsonrpc":"2.0","method":"notifications/\\ud800","params":{"a":"\\udfff"}}',
  '['.repeat(2_000),
  `{"jsonrpc":"2.0","method":"ping","id":"d","params":${'{"a":'.repeat(2_000)}1${'}'.repeat(2_001)}`,
  `{"jsonrpc":"2.0","id":"deep","result":${'{"a":'.repeat(900)}1${'}'.repeat(901)}`,
);

const json = fc.oneof(message, batch).map((value) => JSON.stringify(value));

/** A line without its end: no message, or one that its receiver can do nothing with. */
const malformedLine: fc.Arbitrary<Buffer> = fc.oneof(
  json.map((text) => Buffer.from(text)),
  oddities.map((text) => Buffer.from(text)),
  // Cut off anywhere.
  fc.tuple(json, fc.nat()).map(([text, at]) => Buffer.from(text).subarray(0, at % (text.length + 1))),
  // Bytes of any value, in a message or by themselves.
  fc.tuple(json, fc.nat(), fc.nat(255)).map(([text, at, byte]) => {
    const bytes = Buffer.from(text);
    bytes[at % bytes.length] = byte;
    return withoutLineFeeds(bytes);
  }),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => withoutLineFeeds(Buffer.from(bytes))),
  fc.string({ unit: 'binary' }).map((text) => withoutLineFeeds(Buffer.from(text))),
);

function withoutLineFeeds(bytes: Buffer): Buffer {
  return bytes.map((byte) => (byte === 10 ? 0x20 : byte)) as Buffer;
}

/** So many lines, the same for the same seed. */
export function malformedLines(count: number, seed: number): readonly Buffer[] {
  return fc.sample(malformedLine, { numRuns: count, seed });
}
