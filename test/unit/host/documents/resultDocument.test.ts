import assert from 'node:assert/strict';
import type { CallToolResult } from '@modelcontextprotocol/client';
import * as fc from 'fast-check';
import { parse, type ParseError } from 'jsonc-parser';
import {
  resultDocument,
  resultJson,
  type FinishedCall,
} from '../../../../src/host/documents/resultDocument.ts';
import { unreadableContent } from '../../../../src/host/results/unreadableContent.ts';

const call: FinishedCall = {
  server: 'files',
  tool: 'read\u202E',
  startedAt: new Date(2026, 2, 14, 14, 3, 22),
  durationMs: 123.4,
  args: { path: '/tmp\nx', key: 'hunter2' },
  secrets: new Set(['key']),
};

const png = Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1').toString('base64');

function documentOf(result: unknown) {
  return resultDocument(call, result as CallToolResult);
}

/** What follows the header. */
function bodyOf(result: unknown): string {
  const { text } = documentOf(result);
  return text.slice(text.indexOf('\n\n') + 2).trimEnd();
}

suite('resultDocument', () => {
  test('names the tool and its arguments', () => {
    const { text, language } = documentOf({ content: [{ type: 'text', text: 'hello' }] });
    assert.equal(language, 'plaintext');
    assert.equal(
      text,
      [
        'Server: files',
        'Tool: read\\u{202E}',
        'Called: 2026-03-14 14:03:22, took 123 ms',
        'Arguments: {',
        '  "path": "/tmp\\nx",',
        '  "key": "(not shown)"',
        '}',
        '',
        '--- Text ---',
        'hello',
        '',
      ].join('\n'),
    );
  });

  test('says that the tool reported an error', () => {
    const { text } = documentOf({ content: [{ type: 'text', text: 'no' }], isError: true });
    assert.match(text, /^The tool reported an error\.\n\nServer: files\n[^]*\n\n--- Text ---\nno\n$/);
  });

  const table: readonly (readonly [title: string, result: unknown, body: string])[] = [
    ['nothing', { content: [] }, 'The tool returned no content.'],
    ['no content field', {}, 'The tool returned no content.'],
    [
      'a resource link',
      {
        content: [
          {
            type: 'resource_link',
            uri: 'file:///etc/passwd',
            name: 'p',
            description: 'a\nb',
            mimeType: 'text/plain',
          },
        ],
      },
      '--- Resource link ---\nName: p\nURI: file:///etc/passwd\nDescription: a\\nb\nType: text/plain',
    ],
    [
      'an embedded text',
      { content: [{ type: 'resource', resource: { uri: 'x:y', text: 'inside' } }] },
      '--- Resource ---\nURI: x:y\n\ninside',
    ],
    [
      'an embedded binary',
      {
        content: [{ type: 'resource', resource: { uri: 'x:y', mimeType: 'application/pdf', blob: 'AAAA' } }],
      },
      '--- Resource, binary data ---\nURI: x:y\nType: application/pdf\napplication/pdf, 3 bytes: there is no viewer for it here.',
    ],
    [
      'a block of an unknown type',
      { content: [{ type: 'hologram', depth: 3 }] },
      '--- Content of the unknown type "hologram" ---\n{\n  "type": "hologram",\n  "depth": 3\n}',
    ],
    ['a block that is none', { content: [5] }, '--- Unknown content ---\n5'],
    [
      'an image',
      { content: [{ type: 'image', mimeType: 'image/png', data: png }] },
      '--- Image ---\nimage-1.png, image/png, 12 bytes',
    ],
    [
      'bytes that are no such image',
      { content: [{ type: 'image', mimeType: 'image/gif', data: png }] },
      '--- Image ---\nError: The data is not image/gif, although the server says so.',
    ],
    [
      'invalid base64',
      { content: [{ type: 'image', mimeType: 'image/png', data: 'a?' }] },
      '--- Image ---\nError: The data is not valid base64.',
    ],
    [
      'an SVG',
      {
        content: [
          { type: 'image', mimeType: 'image/svg+xml', data: Buffer.from('<svg/>').toString('base64') },
        ],
      },
      '--- Image (SVG), as its text ---\n<svg/>',
    ],
    [
      'a text for the model only',
      { content: [{ type: 'text', text: 'x', annotations: { audience: ['assistant'] } }] },
      '--- Text, meant for the model ---\nx',
    ],
    [
      'characters that disturb the editor',
      { content: [{ type: 'text', text: 'a\0b\u2028c' }] },
      '--- Text ---\na\\u{0}b\\u{2028}c',
    ],
    [
      'a text beside structured content',
      { content: [{ type: 'text', text: 'two' }], structuredContent: { a: 2 } },
      '--- Text ---\ntwo\n\n--- Structured content ---\n{\n  "a": 2\n}',
    ],
    [
      'JSON that would make the editor fetch its schema',
      { content: [{ type: 'text', text: '{"$schema":"https://example.com"}' }] },
      '--- Text, JSON ---\n{\n  "$schema": "https://example.com"\n}',
    ],
    [
      'a JSON text beside another one on lines that fold',
      {
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: '[1.0,{}]', annotations: { audience: ['assistant'] } },
        ],
      },
      '--- Text ---\na\n\n--- Text, JSON, meant for the model ---\n[\n  1.0,\n  {}\n]',
    ],
  ];
  for (const [title, result, body] of table) {
    test(`shows ${title}`, () => {
      assert.equal(bodyOf(result), body);
    });
  }

  test('says on which line the editor shows what can be opened', () => {
    const { text, places } = documentOf({
      content: [
        { type: 'text', text: 'one\rtwo\r\nthree\r' },
        { type: 'resource_link', uri: 'demo://a', name: 'a', mimeType: 'text/plain' },
        { type: 'image', mimeType: 'image/png', data: png },
        { type: 'resource', resource: { uri: 'x:y', mimeType: 'image/png', blob: png } },
        { type: 'resource', resource: { text: 'nameless' } },
      ],
      isError: true,
    });
    const lines = text.split(/\r\n|\r|\n/);
    assert.deepEqual(
      places.map(({ line, opens }) => [
        lines[line],
        opens.kind === 'resource' ? opens.uri : opens.media.name,
      ]),
      [
        ['--- Resource link ---', 'demo://a'],
        ['--- Image ---', 'image-1.png'],
        ['--- Resource, image ---', 'x:y'],
        ['--- Resource, image ---', 'image-2.png'],
      ],
    );
  });

  test('begins with the notes on the call', () => {
    const { text } = resultDocument(
      { ...call, notes: ["Nobody answered '\u202E'.", 'Run it again.'] },
      { content: [] },
    );
    assert.match(text, /^Nobody answered '\\u\{202E\}'\.\nRun it again\.\n\nServer: files\n/);
  });

  test('hands over checked images and sounds with a name each', () => {
    const wav = Buffer.from('RIFF0000WAVE').toString('base64');
    const { images, audio } = documentOf({
      content: [
        { type: 'image', mimeType: 'image/png', data: png },
        { type: 'audio', mimeType: 'audio/x-wav', data: wav },
        { type: 'resource', resource: { uri: 'x:y', mimeType: 'image/png', blob: png } },
      ],
    });
    assert.deepEqual(
      images.map(({ name }) => name),
      ['image-1.png', 'image-2.png'],
    );
    assert.deepEqual(
      audio.map(({ name, mimeType }) => [name, mimeType]),
      [['audio-1.wav', 'audio/wav']],
    );
  });

  for (const [title, result] of [
    ['one text', { content: [{ type: 'text', text: '{"a":12345678901234567890}' }] }],
    ['structured content alone', { structuredContent: { a: 5 } }],
    [
      'both, which are the same',
      { content: [{ type: 'text', text: '{ "a": 5 }' }], structuredContent: { a: 5 } },
    ],
  ] as const) {
    test(`gives a JSON document for ${title}`, () => {
      const { text, language } = documentOf(result);
      assert.equal(language, 'jsonc');
      const errors: ParseError[] = [];
      parse(text, errors);
      assert.deepEqual(errors, []);
      assert.match(text, /^\/\/ Server: files\n/);
      assert.match(text, /\n\{\n {2}"a": (?:5|12345678901234567890)\n\}\n$/);
    });
  }

  test('does not hang on large or deep content', () => {
    const started = performance.now();
    const rows = JSON.stringify(Array.from({ length: 200_000 }, (_, id) => ({ id, name: 'row' })));
    documentOf({ content: [{ type: 'text', text: rows }] });
    documentOf({ content: [{ type: 'text', text: 'x'.repeat(20_000_000) }] });
    documentOf({ content: [{ type: 'text', text: '['.repeat(100_000) + ']'.repeat(100_000) }] });
    documentOf({ content: Array.from({ length: 100_000 }, () => ({ type: 'text', text: 'x' })) });
    let deep: unknown = 1;
    for (let depth = 0; depth < 100_000; depth += 1) {
      deep = [deep];
    }
    documentOf({ content: [], structuredContent: deep });
    assert.ok(performance.now() - started < 60_000);
  });

  test('takes any JSON for a result', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue()),
        fc.option(fc.jsonValue(), { nil: undefined }),
        (content, structured) => {
          documentOf({ content, structuredContent: structured });
        },
      ),
    );
  });
});

suite('A result as JSON', () => {
  test('gives the whole result, whatever of it is shown', () => {
    const result: CallToolResult = {
      content: [{ type: 'text', text: '{"a":1}' }],
      structuredContent: { a: 1 },
      isError: true,
      _meta: { trace: 'x' },
    };
    assert.deepEqual(JSON.parse(resultJson(result)), result);
  });

  test('gives blocks that could not be read as the server sent them', () => {
    const sent = { type: 'hologram', depth: 3 };
    const json = resultJson({ content: [unreadableContent(sent)] });
    assert.deepEqual(JSON.parse(json), { content: [sent] });
  });

  test('gives something for a result without content', () => {
    assert.equal(resultJson({} as CallToolResult), '{}');
  });
});
