import assert from 'node:assert/strict';
import type { GetPromptResult } from '@modelcontextprotocol/client';
import { isUsable, promptDocument, type UsedPrompt } from '../../../../src/host/documents/promptDocument.ts';

const used: UsedPrompt = {
  server: 'every\u202Ething',
  name: 'promote',
  title: 'Team Management',
  description: 'Promotes\nsomebody.',
  args: [
    ['department', 'Engineering'],
    ['name', 'Al\u200Bice'],
    ['reason', undefined],
  ],
};

function documentOf(text: string, more: Partial<UsedPrompt> = {}) {
  const result: GetPromptResult = { messages: [{ role: 'user', content: { type: 'text', text } }] };
  return promptDocument({ ...used, ...more }, result);
}

/** The host's words about the prompt. */
function headerOf(text: string): string {
  return documentOf(text).text.split('\n────', 1)[0] ?? '';
}

suite('The preview of a prompt', () => {
  test('says what it is, where it is from and what it was asked with, each on its line', () => {
    assert.equal(
      documentOf('Promote Alice.').text,
      [
        'This is a prompt: a text that an MCP server has prepared for a language model.',
        'Nothing has been sent. Read the text below, then choose above what to do with it.',
        '',
        'Server: every\\u{202E}thing',
        'Prompt: Team Management (promote)',
        'Description: Promotes\\nsomebody.',
        'Arguments:',
        '  department: Engineering',
        '  name: Al\\u{200B}ice',
        '  reason: (left out)',
        'Content: 1 message, 14 characters',
        '',
        '──── The text to send, copy or insert: all that follows ────',
        'Promote Alice.',
      ].join('\n'),
    );
  });

  test('ends with the very text that is sent', () => {
    const { text, prompt } = documentOf(
      'a\n──── The text to send, copy or insert: all that follows ────\nb ',
    );
    assert.ok(text.endsWith(`────\n${prompt.shown}`));
    assert.match(prompt.shown, /^a\n─.*\nb $/);
  });

  test('says that some characters are hidden', () => {
    assert.match(headerOf('a\u200Bb\u202E'), /Hidden characters: 2\. They are written out below/);
    assert.doesNotMatch(headerOf('été ❤️'), /Hidden/);
  });

  test('says what a chat may take for its own', () => {
    assert.match(
      headerOf('/clear #file:a and @terminal, mail me@example.com'),
      /A chat may take '\/clear', '#file:a', '@terminal' for its own/,
    );
    assert.doesNotMatch(headerOf('issue #12, me@example.com, /etc/passwd'), /A chat may take/);
  });

  test('says that the text goes on behind a gap', () => {
    for (const gap of ['\n'.repeat(30), ' \n'.repeat(30), ' '.repeat(3_000)]) {
      assert.match(headerOf(`a${gap}b`), /wide gaps/);
    }
    assert.doesNotMatch(headerOf('a\n\n\nb'), /wide gaps/);
  });

  test('names what cannot go along', () => {
    const { text } = promptDocument(used, {
      messages: [{ role: 'user', content: { type: 'image', mimeType: 'application/x-odd', data: 'AAAA' } }],
    });
    assert.match(text, /\nNot part of the text, and so not sent: Binary data \(application\/x-odd, 3 bytes/);
  });

  test('says that a prompt is too large, or empty', () => {
    assert.match(headerOf('x'.repeat(2_000_000)), /Too large: only its beginning is shown/);
    assert.match(headerOf(''), /no text: there is nothing to send/);
  });

  test('can be used only if it is shown whole and is not empty', () => {
    for (const [text, expected] of [
      ['Promote Alice.', true],
      ['', false],
      ['x'.repeat(1_000_001), false],
    ] as const) {
      const { text: shown, prompt } = documentOf(text);
      assert.equal(isUsable(prompt), expected);
      assert.equal(shown.includes('choose above what to do with it'), expected);
    }
  });

  test('keeps the text in sight whatever the server calls itself', () => {
    const long = 'long '.repeat(1_000_000);
    const { text } = documentOf('end', { server: long, name: long, title: long, description: long });
    assert.ok(text.length < 4_000);
  });

  test('does not hang on whitespace', () => {
    const started = performance.now();
    documentOf('\n '.repeat(499_000));
    documentOf(`${'\n'.repeat(19)}x`.repeat(49_000));
    documentOf('#'.repeat(999_000));
    assert.ok(performance.now() - started < 60_000);
  });
});
