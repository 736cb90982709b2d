import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { ByteBuffer } from '../../../../src/host/json/byteBuffer.ts';

suite('Bytes that come in pieces', () => {
  const sizes = fc.array(fc.oneof(fc.nat(20), fc.integer({ min: 16_380, max: 16_390 }), fc.nat(200_000)), {
    maxLength: 8,
  });

  test('are returned whole and in order, again and again', () => {
    fc.assert(
      fc.property(fc.array(sizes, { maxLength: 4 }), (rounds) => {
        const held = new ByteBuffer();
        for (const round of rounds) {
          const pieces = round.map((size, index) => Buffer.alloc(size, index + 1));
          pieces.forEach((piece) => held.add(piece));
          const whole = Buffer.concat(pieces);
          assert.equal(held.length, whole.length);
          assert.ok(held.take().equals(whole));
          assert.equal(held.length, 0);
        }
      }),
      { numRuns: 50 },
    );
  });

  test('stay as they are when others follow', () => {
    const held = new ByteBuffer();
    held.add(Buffer.from('first'));
    const first = held.take();
    held.add(Buffer.from('other'));
    assert.equal(first.toString(), 'first');
  });
});
