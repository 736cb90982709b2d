import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { LineFraming } from '../../../../src/host/transport/lineFraming.ts';

function linesOf(chunks: readonly Buffer[], maxBytes = 1_000): readonly string[] {
  const framing = new LineFraming(maxBytes);
  return chunks.flatMap((chunk) => [...framing.append(chunk)]);
}

suite('Lines are found in a stream of bytes', () => {
  const text = '{"a":"é👍"}\r\n\n{"b":"中"}\n{"unfinished":';
  const lines = ['{"a":"é👍"}', '', '{"b":"中"}'];

  test('at every boundary of bytes', () => {
    const bytes = Buffer.from(text);
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      assert.deepEqual(linesOf([bytes.subarray(0, cut), bytes.subarray(cut)]), lines, `cut at ${cut}`);
    }
    assert.deepEqual(linesOf([...bytes].map((byte) => Buffer.from([byte]))), lines);
  });

  test('whatever the text and however it is cut', () => {
    const line = fc.string({ unit: 'grapheme' }).map((one) => one.replaceAll(/[\r\n]/g, ' '));
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat()), (all, cuts) => {
        const bytes = Buffer.from(all.map((one) => `${one}\n`).join(''));
        const sorted = [
          0,
          ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b),
          bytes.length,
        ];
        const chunks = sorted.slice(1).map((end, index) => bytes.subarray(sorted[index], end));
        assert.deepEqual(linesOf(chunks), all);
      }),
    );
  });

  test('up to their greatest length, and not beyond', () => {
    assert.deepEqual(linesOf([Buffer.from('12345\n12345\n')], 5), ['12345', '12345']);
    assert.throws(() => linesOf([Buffer.from('123'), Buffer.from('456')], 5), RangeError);
  });

  test('in a time that grows with the bytes, however small the chunks of a long line are', () => {
    const chunk = Buffer.from('x'.repeat(16));
    const framing = new LineFraming(64 * 1024 * 1024);
    for (let count = 0; count < 200_000; count += 1) {
      assert.equal(framing.append(chunk).next().done, true);
    }
    assert.deepEqual(
      [...framing.append(Buffer.from('\n'))].map(({ length }) => length),
      [3_200_000],
    );
  });
});
