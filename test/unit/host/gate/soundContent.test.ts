import assert from 'node:assert/strict';
import { withSoundContent } from '../../../../src/host/gate/soundContent.ts';

const png = Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1').toString('base64');

suite('The images and sounds of a result', () => {
  const table: readonly (readonly [
    'image' | 'audio',
    mimeType: string,
    data: string,
    problem: RegExp | undefined,
  ])[] = [
    ['image', 'image/png', png, undefined],
    ['image', 'image/x-own', 'AAAA', undefined],
    ['image', 'image/png', 'AAAA', /^An image was left out\. The data is not image\/png/],
    ['image', 'image/png', 'not base64', /^An image was left out\. The data is not valid base64\.$/],
    ['image', 'text/html', png, /^An image was left out: its type 'text\/html' is not one of image\.$/],
    ['image', 'image/png\u202e', png, /its type 'image\/png\\u\{202E\}'/],
    ['audio', 'image/png', png, /^A sound was left out: its type 'image\/png' is not one of audio\.$/],
    ['audio', 'audio/wav', 'AAAA', /^A sound was left out\./],
  ];
  for (const [type, mimeType, data, problem] of table) {
    test(`${type}, ${mimeType}, ${data}: ${problem ? 'a text instead' : 'as it is'}`, () => {
      const result = { content: [{ type: 'text', text: 'before' } as const, { type, mimeType, data }] };
      const sound = withSoundContent(result);
      if (!problem) {
        assert.equal(sound, result);
        return;
      }
      const [before, block] = sound.content;
      assert.deepEqual(before, { type: 'text', text: 'before' });
      assert.match(block?.type === 'text' ? block.text : '', problem);
    });
  }
});
