import assert from 'node:assert/strict';
import { chatParts, linkHelp, withoutImages } from '../../../../src/host/chat/chatParts.ts';

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2]);
const data = png.toString('base64');
const textOf = (...parts: Parameters<typeof chatParts>): readonly string[] =>
  chatParts(...parts).map((part) => (part.kind === 'text' ? part.text : `image ${part.mimeType}`));

suite('A result for a model', () => {
  test('has texts and images as they are', () => {
    const content = [
      { type: 'text' as const, text: 'See:\n' },
      { type: 'image' as const, data, mimeType: 'image/png' },
    ];
    const parts = chatParts({ content });
    assert.deepEqual(parts[0], { kind: 'text', text: 'See:\n' });
    assert.ok(parts[1]?.kind === 'image');
    assert.equal(parts[1].mimeType, 'image/png');
    assert.deepEqual(Buffer.from(parts[1].bytes), png);
  });

  test('has a sentence for a sound, and for an image of a type that models do not take', () => {
    const content = [
      { type: 'audio' as const, data, mimeType: 'audio/wav' },
      { type: 'image' as const, data, mimeType: 'image/tiff' },
    ];
    assert.deepEqual(textOf({ content }), [
      "A sound (audio/wav, 10 bytes) is left out, because a model can't take it here.",
      "An image (image/tiff, 10 bytes) is left out, because a model can't take it here.",
    ]);
  });

  test('has no image that is something else, and no type that hides something', () => {
    const content = [
      { type: 'image' as const, data: Buffer.from('GIF89a').toString('base64'), mimeType: 'image/png' },
      { type: 'audio' as const, data: '', mimeType: 'audio/\u202Ex' },
    ];
    const [image = '', sound = ''] = textOf({ content });
    assert.match(image, /^An image \(image\/png, 6 bytes\) is left out/);
    assert.ok(!sound.includes('\u202E'));
  });

  test('has an SVG as its text', () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>';
    const content = [
      { type: 'image' as const, data: Buffer.from(svg).toString('base64'), mimeType: 'image/svg+xml' },
    ];
    assert.deepEqual(textOf({ content }), [`An image, as SVG:\n${svg}`]);
  });

  test('has resources with their URIs, and links unread', () => {
    const content = [
      { type: 'resource' as const, resource: { uri: 'test:///note', text: 'A note.' } },
      { type: 'resource' as const, resource: { uri: 'test:///dot', mimeType: 'image/png', blob: data } },
      { type: 'resource' as const, resource: { uri: 'test:///raw', blob: data } },
      { type: 'resource_link' as const, name: 'passwords', uri: 'file:///etc/passwd' },
    ];
    assert.deepEqual(textOf({ content }), [
      'The resource test:///note:\nA note.',
      'image image/png',
      "The resource test:///raw (application/octet-stream, 10 bytes) is left out, because a model can't take it here.",
      'Resource (not read): passwords: file:///etc/passwd',
    ]);
  });

  test('says how to read what it links to, and only then', () => {
    const link = { type: 'resource_link' as const, name: 'notes', uri: 'test:///notes' };
    const [help, ...others] = linkHelp(chatParts({ content: [link] }), 'files');
    assert.match(help?.kind === 'text' ? help.text : '', /mcpHost_readResource .* server 'files'/);
    assert.deepEqual(others, []);
    const read = { type: 'resource' as const, resource: { uri: 'test:///note', text: 'A note.' } };
    assert.deepEqual(linkHelp(chatParts({ content: [read] }), 'files'), []);
  });

  test('says that the tool failed, or that there is nothing', () => {
    assert.deepEqual(textOf({ content: [{ type: 'text', text: 'No such town.' }], isError: true }), [
      'The tool reported an error:',
      'No such town.',
    ]);
    assert.deepEqual(textOf({ content: [] }), ['The tool finished without a result.']);
  });

  test('has a sentence for each image where models take none', () => {
    const parts = withoutImages(chatParts({ content: [{ type: 'image', data, mimeType: 'image/png' }] }));
    assert.deepEqual(parts, [
      {
        kind: 'text',
        text: "An image (image/png, 10 bytes) is left out, because a model can't take it here.",
      },
    ]);
  });
});
