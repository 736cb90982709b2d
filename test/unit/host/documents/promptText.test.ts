import assert from 'node:assert/strict';
import type { GetPromptResult } from '@modelcontextprotocol/client';
import * as fc from 'fast-check';
import { visibleProse } from '../../../../src/base/text/visibleText.ts';
import { promptText } from '../../../../src/host/documents/promptText.ts';

const png = Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1').toString('base64');

function ofMessages(...messages: readonly unknown[]) {
  return promptText({ messages } as unknown as GetPromptResult);
}

function user(content: unknown): unknown {
  return { role: 'user', content };
}

function said(role: string, text: string): unknown {
  return { role, content: { type: 'text', text } };
}

suite('The text of a prompt', () => {
  const table: readonly (readonly [title: string, messages: readonly unknown[], text: string])[] = [
    ['of one message of the user is that message', [said('user', ' Hi,\n\tyou ')], ' Hi,\n\tyou '],
    [
      'of several messages of the user has a paragraph each',
      [said('user', 'a'), said('user', 'b')],
      'a\n\nb',
    ],
    [
      'names the roles where somebody else speaks',
      [said('user', 'a'), said('assistant', 'b'), said('system', 'c')],
      'User:\na\n\nAssistant:\nb\n\nUnknown role "system":\nc',
    ],
    [
      'has an embedded text with its address, which is not opened',
      [
        said('user', 'Look:'),
        user({
          type: 'resource',
          resource: { uri: 'file:///etc/passwd', mimeType: 'text/plain', text: 'root' },
        }),
      ],
      'Look:\n\n--- Resource ---\nURI: file:///etc/passwd\nType: text/plain\n\nroot',
    ],
    [
      'has a link as text',
      [user({ type: 'resource_link', name: 'p', uri: 'file:///etc/passwd' })],
      '--- Resource link ---\nName: p\nURI: file:///etc/passwd',
    ],
    [
      'mentions an image',
      [user({ type: 'image', mimeType: 'image/png', data: png })],
      '--- Image, not part of this text ---\nimage-1.png, image/png, 12 bytes',
    ],
    [
      'mentions bytes that are not what they are called',
      [user({ type: 'image', mimeType: 'image/gif', data: png })],
      '--- Image, not part of this text ---\nError: The data is not image/gif, although the server says so.',
    ],
    [
      'has content of an unknown type as it came',
      [user({ type: 'hologram', depth: 3 })],
      '--- Content of the unknown type "hologram" ---\n{\n  "type": "hologram",\n  "depth": 3\n}',
    ],
    [
      'leaves links, commands and remote images as the letters they are',
      [said('user', '[a](command:x) ![b](https://example.com/c.png) <img src=d>')],
      '[a](command:x) ![b](https://example.com/c.png) <img src=d>',
    ],
    ['has the line breaks of the editor', [said('user', 'a\r\nb')], 'a\nb'],
    ['of no message is empty', [], ''],
  ];
  for (const [title, messages, text] of table) {
    test(title, () => {
      const { shown, original, hidden } = ofMessages(...messages);
      assert.equal(shown, text);
      assert.equal(original, text);
      assert.equal(hidden, 0);
    });
  }

  test('writes out what cannot be seen, and keeps how it came', () => {
    const came = 'pay\u200Bpal \u202Eexe.\u2066 a\rb\0\u2028\u{E0041}';
    const { shown, original, hidden } = ofMessages(said('user', came));
    assert.equal(shown, 'pay\\u{200B}pal \\u{202E}exe.\\u{2066} a\\rb\\u{0}\\u{2028}\\u{E0041}');
    assert.equal(original, came);
    assert.equal(hidden, 7);
  });

  test('leaves what prose is written with', () => {
    const prose = '\tété\u00A0: \u3000吾輩は猫である。 ❤️ 👨‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿 1️⃣';
    const { shown, hidden } = ofMessages(said('user', prose));
    assert.equal(shown, prose);
    assert.equal(hidden, 0);
  });

  test('keeps images and sounds apart, each checked and named', () => {
    const wav = Buffer.from('RIFF0000WAVE').toString('base64');
    const { images, audio, notAsText } = ofMessages(
      user({ type: 'image', mimeType: 'image/png', data: png }),
      user({ type: 'audio', mimeType: 'audio/wav', data: wav }),
      user({ type: 'resource', resource: { uri: 'x:y', mimeType: 'application/pdf', blob: 'AAAA' } }),
    );
    assert.deepEqual(
      [...images, ...audio].map(({ name }) => name),
      ['image-1.png', 'audio-1.wav'],
    );
    assert.deepEqual(notAsText, [
      'Image (image-1.png, image/png, 12 bytes)',
      'Audio (audio-1.wav, audio/wav, 12 bytes)',
      'Resource, binary data (application/pdf, 3 bytes: there is no viewer for it here.)',
    ]);
  });

  test('has all of 10,000 messages', () => {
    const { shown, messages, isCut } = ofMessages(
      ...Array.from({ length: 10_000 }, (_, index) => said('user', `message ${index}`)),
    );
    assert.equal(shown.split('\n\n').length, 10_000);
    assert.equal(messages, 10_000);
    assert.equal(isCut, false);
  });

  test('is bounded, and says that it is cut', () => {
    const started = performance.now();
    const long = ofMessages(...Array.from({ length: 10_000 }, () => said('user', 'x'.repeat(10_000))));
    assert.equal(long.isCut, true);
    assert.equal(long.shown.length, 1_000_000);
    ofMessages(said('user', '\u200B'.repeat(20_000_000)));
    ofMessages(said('user', '語'.repeat(999_999) + '\u200B'));
    assert.ok(performance.now() - started < 120_000);
  });

  test('takes any JSON for messages', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (messages) => {
        promptText({ messages } as unknown as GetPromptResult);
      }),
    );
  });

  test('shows nothing that a reader could not see', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const { shown } = ofMessages(said('user', text));
        assert.equal(visibleProse(shown).writtenOut, 0);
        assert.doesNotMatch(shown, /[\0\r\u2028\u2029\u202A-\u202E\u2066-\u2069\uFEFF]/);
      }),
    );
  });
});
