import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { LineFraming } from '../../../../src/host/json/lineFraming.ts';

const MEGABYTE = 1024 * 1024;

function framed(chunks: readonly Buffer[], framing = new LineFraming(1_000, 'throw')): readonly string[] {
  return chunks.flatMap((chunk) => [...framing.append(chunk)]);
}

/** The bytes, cut at these places, in any order and wherever they point. */
function pieces(bytes: Buffer, cuts: readonly number[]): readonly Buffer[] {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

/** What the lines of all bytes at once are: the slow and obvious way. */
function oracle(bytes: Buffer): readonly string[] {
  return bytes
    .toString('latin1')
    .split('\n')
    .slice(0, -1)
    .map((line) => Buffer.from(line.replace(/\r$/, ''), 'latin1').toString('utf8'))
    .map((line, index) => (index === 0 ? line.replace(/^\uFEFF/, '') : line));
}

suite('Lines are found in a stream of bytes', () => {
  const text = '\uFEFF{"a":"é👍"}\r\n\n{"b":"中"}\n\uFEFF\r\r\n{"unfinished":';
  const lines = ['{"a":"é👍"}', '', '{"b":"中"}', '\uFEFF\r'];

  test('at every boundary of bytes', () => {
    const bytes = Buffer.from(text);
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      assert.deepEqual(framed([bytes.subarray(0, cut), bytes.subarray(cut)]), lines, `cut at ${cut}`);
    }
    assert.deepEqual(framed([...bytes].map((byte) => Buffer.from([byte]))), lines);
  });

  test('whatever the text and however it is cut', () => {
    const line = fc.string({ unit: 'binary' }).map((one) => one.replaceAll(/[\r\n]/g, ' '));
    const end = fc.constantFrom('\n', '\r\n');
    fc.assert(
      fc.property(fc.array(fc.tuple(line, end)), fc.array(fc.nat()), (all, cuts) => {
        const bytes = Buffer.from(all.map(([one, ended]) => one + ended).join(''));
        assert.deepEqual(framed(pieces(bytes, cuts)), oracle(bytes));
      }),
    );
  });

  test('whatever the bytes, also invalid UTF-8', () => {
    const byte = fc.oneof(fc.constantFrom(10, 13, 0xef, 0xbb, 0xbf, 0xff, 0x80), fc.nat(255));
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 200 }), fc.array(fc.nat()), (all, cuts) => {
        const bytes = Buffer.from(all);
        assert.deepEqual(framed(pieces(bytes, cuts)), oracle(bytes));
      }),
    );
  });

  test('up to the maximum length, and not beyond', () => {
    const framing = () => new LineFraming(5, 'throw');
    assert.deepEqual(framed([Buffer.from('12345\n12'), Buffer.from('345\n')], framing()), ['12345', '12345']);
    assert.throws(() => framed([Buffer.from('123'), Buffer.from('456')], framing()), RangeError);
    assert.throws(() => framed([Buffer.from('123456\n')], framing()), RangeError);
  });

  test('before one that is too long', () => {
    const found: string[] = [];
    assert.throws(() => {
      for (const line of new LineFraming(5, 'throw').append(Buffer.from('1\n2\n1234567'))) {
        found.push(line);
      }
    }, RangeError);
    assert.deepEqual(found, ['1', '2']);
  });

  test('cut if that is allowed, and complete after that', () => {
    const bytes = Buffer.from('123456789\n12345\r\n1\n');
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const chunks = [bytes.subarray(0, cut), bytes.subarray(cut)];
      assert.deepEqual(framed(chunks, new LineFraming(5, 'cut')), ['12345', '12345', '1'], `cut at ${cut}`);
    }
  });

  test('with the last one, which has no end', () => {
    const framing = new LineFraming(5, 'cut');
    assert.deepEqual(framed([Buffer.from('1\n'), Buffer.from('2')], framing), ['1']);
    assert.equal(framing.rest(), '2');
    assert.equal(framing.rest(), undefined);
  });

  test('in time that grows with the bytes, however small the chunks of a line of 50 MB are', () => {
    const chunk = Buffer.alloc(250, 'x');
    const framing = new LineFraming(64 * MEGABYTE, 'throw');
    for (let count = 0; count < 200_000; count += 1) {
      assert.equal(framing.append(chunk).next().done, true);
    }
    assert.deepEqual(
      [...framing.append(Buffer.from('\n'))].map(({ length }) => length),
      [50_000_000],
    );
  });

  test('in memory that grows with the bytes, not with the chunks', () => {
    const byte = Buffer.from('x');
    const framing = new LineFraming(64 * MEGABYTE, 'throw');
    const before = process.memoryUsage();
    for (let count = 0; count < 4 * MEGABYTE; count += 1) {
      framing.append(byte).next();
    }
    const after = process.memoryUsage();
    const held = after.arrayBuffers - before.arrayBuffers;
    assert.ok(held < 32 * MEGABYTE, `${held} bytes for 4 MiB in single bytes`);
    assert.equal(framing.rest()?.length, 4 * MEGABYTE);
  });

  test('within the memory limit, however long the line that is cut', () => {
    const chunk = Buffer.alloc(MEGABYTE, 'x');
    const framing = new LineFraming(1_000, 'cut');
    for (let count = 0; count < 100; count += 1) {
      assert.equal(framing.append(chunk).next().done, true);
    }
    assert.equal(framing.rest(), 'x'.repeat(1_000));
  });
});
