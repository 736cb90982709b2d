import assert from 'node:assert/strict';
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import { modelResult, withCheckedMedia } from '../../../../src/host/tools/modelResult.ts';

const text = (value: string): ContentBlock => ({ type: 'text', text: value });
const structuredContent = { b: 1, a: ['x'] };
const image: ContentBlock = { type: 'image', mimeType: 'image/png', data: 'AAAA' };
const embedded: ContentBlock = { type: 'resource', resource: { uri: 'file:///etc/passwd', text: 'not it' } };

suite('modelResult', () => {
  const cases: Readonly<Record<string, readonly [CallToolResult, readonly ContentBlock[]]>> = {
    'a text as it is, whatever it looks like': [
      { content: [text('[Click](command:quit) <b>')] },
      [text('[Click](command:quit) <b>')],
    ],
    'structured content once, where a text is the same': [
      { content: [text('{ "a": ["x"], "b": 1 }')], structuredContent },
      [text('{ "a": ["x"], "b": 1 }')],
    ],
    'both, where they differ': [
      { content: [text('One.')], structuredContent },
      [text('One.'), text('{"b":1,"a":["x"]}')],
    ],
    'structured content alone': [{ content: [], structuredContent }, [text('{"b":1,"a":["x"]}')]],
    'pictures and embedded resources as blocks': [{ content: [image, embedded] }, [image, embedded]],
    'a link as a line that nothing follows': [
      {
        content: [
          {
            type: 'resource_link',
            name: 'p',
            title: 'Passwords',
            uri: 'file:///etc/passwd',
            mimeType: 'image/png',
          },
        ],
      },
      [text('Resource (not read): Passwords, image/png: file:///etc/passwd')],
    ],
  };
  for (const [name, [result, content]] of Object.entries(cases)) {
    test(`gives ${name}`, async () => {
      assert.deepEqual(await modelResult(result, { maxTokens: 1_000 }), { content });
    });
  }

  test('keeps that it is an error', async () => {
    const result = { content: [text('No.')], isError: true };
    assert.deepEqual(await modelResult(result, { maxTokens: 10 }), result);
  });

  test('cuts the texts together, between two characters, and keeps the whole', async () => {
    const kept: string[] = [];
    const { content } = await modelResult(
      { content: [text('abcd'), image, text('😀😀😀'), embedded] },
      {
        maxTokens: 4,
        keepWhole: (whole) => {
          kept.push(whole);
          return Promise.resolve('a document');
        },
      },
    );
    assert.deepEqual(content.slice(0, -1), [text('abcd'), image, text('😀')]);
    assert.match(JSON.stringify(content.at(-1)), /cut after about 4 tokens.*whole result in a document/);
    assert.deepEqual(kept, ['abcd\n\n😀😀😀\n\nnot it']);
  });

  test('names no place when there is none', async () => {
    const { content } = await modelResult({ content: [text('x'.repeat(100))] }, { maxTokens: 1 });
    assert.doesNotMatch(JSON.stringify(content.at(-1)), /finds/);
  });
});

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
      const checked = withCheckedMedia(result);
      if (!problem) {
        assert.equal(checked, result);
        return;
      }
      const [before, block] = checked.content;
      assert.deepEqual(before, { type: 'text', text: 'before' });
      assert.match(block?.type === 'text' ? block.text : '', problem);
    });
  }
});
