import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { LineFraming } from '../../../../src/host/json/lineFraming.ts';
import { readReceived, type Received } from '../../../../src/host/json/receivedLine.ts';

/** Of what is no message, so much is shown. */
const SHOWN = 16 * 1024;
const noMessage = (text: string) => ({ kind: 'noise', text: text.slice(0, SHOWN) });
const tooMuch = (reason: string) => ({ kind: 'tooMuch', reason });
const readLine = (line: string): Received[] =>
  [...readReceived(Buffer.from(line))].filter((step) => typeof step !== 'number');
const message = (one: unknown) => ({ kind: 'message', message: one });
const badAnswer = (id: string | number) =>
  message({
    jsonrpc: '2.0',
    id,
    error: { code: -32603, message: 'The response is not valid JSON-RPC 2.0.' },
  });

const request = { jsonrpc: '2.0', id: 1, method: 'roots/list' };
const notification = { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } };
const result = { jsonrpc: '2.0', id: 'a', result: { tools: [] } };
const failure = { jsonrpc: '2.0', id: 2, error: { code: -32601, message: 'No.', data: [1] } };

const TOO_DEEP = 'The response is nested more than 1,000 levels deep, which is too much.';

function read(value: unknown): readonly Received[] {
  return [...readLine(typeof value === 'string' ? value : JSON.stringify(value))];
}

suite('A line of stdout', () => {
  for (const one of [request, notification, result, failure]) {
    test(`is the message ${JSON.stringify(one)}`, () => {
      assert.deepEqual(read(one), [message(one)]);
      assert.deepEqual(read(`  ${JSON.stringify(one)}\r`), [message(one)]);
    });
  }

  test('is a batch, whose elements are read one by one', () => {
    assert.deepEqual(read([request, 1, [notification], null, result, { id: 1 }, failure]), [
      message(request),
      noMessage('1'),
      noMessage(JSON.stringify([notification])),
      noMessage('null'),
      message(result),
      noMessage('{"id":1}'),
      message(failure),
    ]);
  });

  test('is a batch with millions of invalid elements, which are counted, and a message', () => {
    const found = [...readLine(`[${'[],'.repeat(2_000_000)}${JSON.stringify(request)}]`)];
    assert.equal(found.length, 102);
    assert.deepEqual(found.slice(99), [
      noMessage('[]'),
      message(request),
      noMessage('1999900 more elements of a batch'),
    ]);
  });

  test('is refused as a batch of more than 8 MiB, whatever is in it', () => {
    const batch = Buffer.from(`[${'[],'.repeat(2_800_000)}${JSON.stringify(result)}]`);
    const reason = 'is a batch of more than 8 MiB';
    assert.deepEqual([...readReceived(batch)], [tooMuch(reason)]);
    const error = { code: -32603, message: `The response ${reason}, which is too much.` };
    assert.deepEqual([...readReceived(batch, 7)], [message({ jsonrpc: '2.0', id: 7, error })]);
  });

  for (const line of ['', ' ', '\r', '\t']) {
    test(`is nothing when it is ${JSON.stringify(line)}`, () => assert.deepEqual(read(line), []));
  }

  for (const line of [
    'Welcome!',
    '1',
    'null',
    '"{}"',
    '[]',
    '{}',
    '{',
    '{"level":"info","msg":"Listening"}',
    '{"jsonrpc":"1.0","method":"ping","id":1}',
    '{"jsonrpc":2.0,"method":"ping","id":1}',
    '{"method":"ping","id":1}',
    '{"jsonrpc":"2.0","method":1,"id":1}',
    '{"jsonrpc":"2.0","method":"ping","id":null}',
    '{"jsonrpc":"2.0","method":"ping","id":1.5}',
    '{"jsonrpc":"2.0","method":"ping","id":{}}',
    '{"jsonrpc":"2.0","method":"ping","id":1e400}',
    '{"jsonrpc":"2.0","method":"ping","id":1,"params":[1]}',
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}',
    '{"jsonrpc":"2.0","id":9007199254740993,"result":{}}',
    '{"jsonrpc":"2.0","id":1}',
    '{"__proto__":{"jsonrpc":"2.0","method":"ping"}}',
    '\uFEFF{}',
    '\0',
  ]) {
    test(`is not a message when it is ${JSON.stringify(line)}`, () => {
      assert.deepEqual(read(line), [noMessage(line)]);
    });
  }

  for (const answer of [
    { id: 1, result: {} },
    { jsonrpc: '1.0', id: 1, result: {} },
    { jsonrpc: '2.0', id: 1, result: null },
    { jsonrpc: '2.0', id: 1, result: 'done' },
    { jsonrpc: '2.0', id: 1, result: [] },
    { jsonrpc: '2.0', id: 1, result: { _meta: [] } },
    { jsonrpc: '2.0', id: 1, result: { _meta: 'none' } },
    { jsonrpc: '2.0', id: 1, error: null },
    { jsonrpc: '2.0', id: 1, error: 'No.' },
    { jsonrpc: '2.0', id: 1, error: { code: '1', message: 'No.' } },
    { jsonrpc: '2.0', id: 1, error: { code: 1 } },
    { jsonrpc: '2.0', id: 1, error: { code: 1.5, message: 'No.' } },
  ]) {
    test(`fails the request that ${JSON.stringify(answer)} should answer`, () => {
      assert.deepEqual(read(answer), [badAnswer(1)]);
    });
  }

  test('is read without unknown members', () => {
    assert.deepEqual(read({ ...result, error: null, extra: 1 }), [message(result)]);
    assert.deepEqual(read({ ...failure, result: null }), [message(failure)]);
    assert.deepEqual(read({ ...request, params: null, trace: {} }), [message(request)]);
    assert.deepEqual(read({ ...result, result: { _meta: null } }), [message({ ...result, result: {} })]);
  });

  test('changes no prototype', () => {
    const line =
      '{"jsonrpc":"2.0","id":1,"__proto__":{"a":1},"result":{"__proto__":{"b":1},"constructor":{"prototype":{"c":1}}}}';
    const [one] = readLine(line);
    assert.equal(one?.kind, 'message');
    assert.deepEqual(
      ['a', 'b', 'c'].map((name) => Reflect.get({}, name)),
      [undefined, undefined, undefined],
    );
  });

  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
    ['[{"a":', '}]'],
  ] as const) {
    test(`exceeds the bounds when ${open} is nested 100,000 deep, closed or not`, () => {
      const deep = open.repeat(100_000);
      const closed = `${deep}1${close.repeat(100_000)}`;
      for (const text of [deep, closed, `{"jsonrpc":"2.0","method":"a","params":{"x":${closed}}}`]) {
        assert.deepEqual(
          read(text).filter((one) => one.kind !== 'noise'),
          [tooMuch('is nested more than 1,000 levels deep')],
        );
      }
    });

    test(`fails the request that it answers when ${open} is nested 100,000 deep`, () => {
      const deep = `${open.repeat(100_000)}1${close.repeat(100_000)}`;
      const refused = { code: -32603, message: TOO_DEEP };
      for (const text of [
        `{"jsonrpc":"2.0","id":7,"result":{"x":${deep}}}`,
        `{"jsonrpc":"2.0","result":{"id":3,"x":${deep}},"id": 7}`,
        `[{"result":${deep},"id":7}]`,
      ]) {
        assert.deepEqual(read(text), [message({ jsonrpc: '2.0', id: 7, error: refused })]);
      }
    });
  }

  test('may have any number of brackets in its strings', () => {
    const odd = { ...result, result: { text: '[{"'.repeat(100_000), '\\': '\\"[', more: ['\\\\', '"'] } };
    assert.deepEqual(read(odd), [message(odd)]);
  });

  test('is read in time that grows with its length, even if it is all quotes and backslashes', () => {
    for (const part of ['\\', '"', '\\"', '"\\']) {
      const found = read(`{"${part.repeat(5_000_000)}`);
      assert.ok(found.length > 0 && found.every(({ kind }) => kind === 'noise'));
    }
  });

  test('is the value that JSON.parse gives, whatever is in it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const params = { value };
        const [one] = readLine(JSON.stringify({ ...notification, params }));
        assert.ok(one?.kind === 'message');
        assert.equal(JSON.stringify(one.message), JSON.stringify({ ...notification, params }));
      }),
    );
  });

  test('is the same wherever the stream is cut', () => {
    const element = fc.oneof(fc.constantFrom(request, notification, result, failure), fc.jsonValue());
    const line = fc.oneof(element, fc.array(element, { maxLength: 4 })).map((value) => JSON.stringify(value));
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const bytes = Buffer.from(lines.map((one) => `${one}\n`).join(''));
        const expected = lines.flatMap((one) => [...readLine(one)]);
        for (let cut = 0; cut <= bytes.length; cut += 1) {
          const framing = new LineFraming(1_000_000, 'throw');
          const chunks = [bytes.subarray(0, cut), bytes.subarray(cut)];
          const found = chunks.flatMap((chunk) => [...framing.append(chunk)]).flatMap((one) => readLine(one));
          assert.deepEqual(found, expected);
        }
      }),
      { numRuns: 30 },
    );
  });

  test('never throws, and loses no element of a batch', () => {
    const element = fc.oneof(fc.constantFrom(request, notification, result, failure), fc.jsonValue());
    fc.assert(
      fc.property(fc.array(element, { minLength: 1 }), (batch) => {
        assert.deepEqual(
          read(batch),
          batch.flatMap((one) => {
            const [alone] = readLine(JSON.stringify([one]));
            return alone ? [alone] : [];
          }),
        );
        assert.equal(read(batch).length, batch.length);
      }),
    );
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (line) => void read(line)));
  });
});
