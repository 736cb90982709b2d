import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { iconFor } from '../../../../src/host/tools/icon.ts';
import { imageSize } from '../../../../src/host/tools/imageSize.ts';

const limit = 1_000;

const uri = (mimeType: string, bytes: Buffer | string): string =>
  `data:${mimeType};base64,${typeof bytes === 'string' ? bytes : bytes.toString('base64')}`;

/** What a PNG begins with: enough to know its size. */
function png(width: number, height: number, rest = 0): Buffer {
  const bytes = Buffer.alloc(24 + rest);
  bytes.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

/** A JPEG with another segment before its frame. */
function jpeg(width: number, height: number): Buffer {
  const frame = Buffer.from([0xff, 0xc2, 0, 17, 8, 0, 0, 0, 0, 3]);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 1]), frame]);
}

const gif = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
const lossyWebp = 'UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA';
const losslessWebp = 'UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==';
const extendedWebp = Buffer.concat([
  Buffer.from('RIFF\0\0\0\0WEBPVP8X\n\0\0\0\0\0\0\0', 'latin1'),
  Buffer.from([15, 0, 0, 31, 0, 0]),
]);

const accepted: readonly (readonly [type: string, src: string])[] = [
  ['a PNG', uri('image/png', png(16, 16))],
  ['a JPEG', uri('image/jpeg', jpeg(512, 512))],
  ['a GIF', uri('image/gif', gif)],
  ['a lossy WebP', uri('image/webp', lossyWebp)],
  ['a lossless WebP', uri('image/webp', losslessWebp)],
  ['an extended WebP', uri('image/webp', extendedWebp)],
];

const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');

const refused: readonly (readonly [what: string, src: unknown])[] = [
  ['an address', 'https://example.com/icon.png'],
  ['a file', 'file:///projects/icon.png'],
  ['a command', 'command:workbench.action.quit'],
  ['a script', 'data:text/html;base64,PHNjcmlwdD4='],
  ['an SVG', uri('image/svg+xml', svg)],
  ['an SVG that calls itself a PNG', uri('image/png', svg)],
  ['another type than it says', uri('image/png', jpeg(16, 16))],
  ['audio', uri('audio/wav', Buffer.from('RIFF\0\0\0\0WAVEfmt '))],
  ['a type with parameters', `data:image/png;name=x;base64,${png(16, 16).toString('base64')}`],
  ['data that is not base64', 'data:image/png,%89PNG'],
  ['base64 with spaces', `${uri('image/png', png(16, 16))} `],
  ['base64 that is cut', uri('image/png', png(16, 16)).slice(0, -1)],
  ['base64 for addresses', uri('image/png', '-_-_')],
  ['no bytes', 'data:image/png;base64,'],
  ['a header that is cut', uri('image/png', png(16, 16).subarray(0, 20))],
  ['a JPEG without a frame', uri('image/jpeg', jpeg(16, 16).subarray(0, 8))],
  [
    'a JPEG of segments without end',
    uri('image/jpeg', Buffer.alloc(300, 0xff).fill('\xff\xd8', 0, 2, 'latin1')),
  ],
  ['no width', uri('image/png', png(0, 16))],
  ['too many pixels', uri('image/png', png(16, 513))],
  ['pixels by the billion', uri('image/png', png(0xffffffff, 0xffffffff))],
  ['too many bytes', uri('image/png', png(16, 16, limit))],
  ['what is no text', 1],
];

suite('iconFor', () => {
  for (const [type, src] of accepted) {
    test(`shows ${type}`, () => assert.equal(iconFor([{ src }], 'dark', limit), src));
  }

  for (const [what, src] of refused) {
    test(`refuses ${what}`, () => {
      assert.equal(iconFor([{ src, mimeType: 'image/png' }], 'dark', limit), undefined);
    });
  }

  test('takes the first that can be shown, of those for the background first', () => {
    const [plain, light, dark] = [1, 2, 3].map((side) => uri('image/png', png(side, side)));
    const icons = [
      { src: 'https://example.com/icon.png', theme: 'dark' },
      { src: plain },
      { src: light, theme: 'light' },
      { src: dark, theme: 'dark' },
    ];
    assert.equal(iconFor(icons, 'light', limit), light);
    assert.equal(iconFor(icons, 'dark', limit), dark);
    assert.equal(iconFor(icons.slice(0, 3), 'dark', limit), plain);
    assert.equal(iconFor([{ src: light, theme: 'light' }], 'dark', limit), light);
  });

  test('takes whatever a server sends for no icon', () => {
    for (const icons of [undefined, null, 'x', {}, [], [null], [1], [{}], [{ src: null }]]) {
      assert.equal(iconFor(icons, 'light', limit), undefined);
    }
  });

  test('considers a limited number', () => {
    const src = uri('image/png', png(16, 16));
    const icons = [...Array.from({ length: 100_000 }, () => ({ src: 'https://example.com' })), { src }];
    assert.equal(iconFor(icons, 'light', limit), undefined);
  });
});

test('imageSize reads any bytes to an end', () => {
  assert.deepEqual(imageSize(extendedWebp, 'image/webp'), { width: 16, height: 32 });
  const types = fc.constantFrom('image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/svg+xml');
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), types, (bytes, type) => {
      imageSize(Buffer.from(bytes), type);
    }),
    { numRuns: 2_000 },
  );
});
