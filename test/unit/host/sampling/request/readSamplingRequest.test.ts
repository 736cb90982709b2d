import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { canonicalJson } from '../../../../../src/base/values/canonicalJson.ts';
import { readSamplingRequest } from '../../../../../src/host/sampling/request/readSamplingRequest.ts';
import { SamplingFailure } from '../../../../../src/host/errors/samplingFailure.ts';
import { aRequest, aTool, message, params, PIXEL, text } from './requestBed.ts';

const image = { type: 'image', mimeType: 'image/png', data: PIXEL };
const use = (id: string, name = 'add') => ({ type: 'tool_use', id, name, input: { a: 1 } });
const result = (toolUseId: string, ...content: readonly unknown[]) => ({
  type: 'tool_result',
  toolUseId,
  content,
});

suite('A request for a language model', () => {
  test('is read with all that the specification has in it', () => {
    const request = aRequest({
      messages: [
        { role: 'user', content: [text('What is this?'), image] },
        message('assistant', text('Let me add.'), use('1'), use('2')),
        message('user', { ...result('2', text('3')), isError: true }, result('1', image)),
      ],
      systemPrompt: 'Be short.',
      temperature: 0.5,
      stopSequences: ['END'],
      modelPreferences: { hints: [{ name: 'sonnet' }, {}, { name: 'gpt' }], costPriority: 1 },
      tools: [aTool],
      toolChoice: { mode: 'required' },
      includeContext: 'thisServer',
      metadata: { unknown: true },
    });
    assert.deepEqual(request, {
      messages: [
        {
          role: 'user',
          content: [
            { kind: 'text', text: 'What is this?' },
            { kind: 'image', mimeType: 'image/png', data: PIXEL },
          ],
        },
        {
          role: 'assistant',
          content: [
            { kind: 'text', text: 'Let me add.' },
            { kind: 'toolUse', id: '1', name: 'add', input: { a: 1 } },
            { kind: 'toolUse', id: '2', name: 'add', input: { a: 1 } },
          ],
        },
        {
          role: 'user',
          content: [
            { kind: 'toolResult', toolUseId: '2', isError: true, content: [{ kind: 'text', text: '3' }] },
            {
              kind: 'toolResult',
              toolUseId: '1',
              isError: false,
              content: [{ kind: 'image', mimeType: 'image/png', data: PIXEL }],
            },
          ],
        },
      ],
      systemPrompt: 'Be short.',
      temperature: 0.5,
      maxTokens: 100,
      stopSequences: ['END'],
      hints: ['sonnet', 'gpt'],
      tools: [aTool],
      toolChoice: 'required',
      wantsContext: true,
    });
  });

  test('needs only messages and a limit', () => {
    assert.deepEqual(readSamplingRequest(params(), '2024-11-05'), {
      messages: [{ role: 'user', content: [{ kind: 'text', text: 'Hello' }] }],
      maxTokens: 100,
      stopSequences: [],
      hints: [],
      tools: [],
      toolChoice: 'auto',
      wantsContext: false,
    });
  });

  test('keeps nothing of what the server can still change, and cannot be changed itself', () => {
    const inputSchema = { type: 'object', properties: { a: { enum: ['x'] } } };
    const sent = params({ tools: [{ name: 'add', inputSchema }], stopSequences: ['END'] });
    const request = readSamplingRequest(sent, '2025-11-25');
    const before = structuredClone(request);
    inputSchema.properties.a.enum.push('y');
    (sent['stopSequences'] as string[]).push('MORE');
    (sent['messages'] as { content: { text: string } }[]).forEach(({ content }) => (content.text = 'Bye'));
    assert.deepEqual(request, before);
    assert.equal(isDeeplyFrozen(request), true);
  });

  test('takes a field called __proto__ for a field', () => {
    const input = JSON.parse('{"__proto__":{"polluted":true}}') as object;
    const request = aRequest({
      messages: [message('assistant', { ...use('1'), input }), message('user', result('1'))],
    });
    assert.match(canonicalJson(request), /"__proto__":\{"polluted":true\}/);
    assert.equal('polluted' in {}, false);
  });

  test('says in a line what of a result of a tool a model cannot be given', () => {
    const request = aRequest({
      messages: [
        message('assistant', use('1')),
        message(
          'user',
          result(
            '1',
            { type: 'resource', resource: { uri: 'file:///a\n.txt', text: 'content' } },
            { type: 'resource_link', uri: 'file:///etc/passwd', name: 'passwords' },
          ),
        ),
      ],
    });
    assert.deepEqual(request.messages[1]?.content[0], {
      kind: 'toolResult',
      toolUseId: '1',
      isError: false,
      content: [
        { kind: 'text', text: '[resource file:///a\\n.txt, which is not included]' },
        { kind: 'text', text: '[link to the resource file:///etc/passwd, which is not included]' },
      ],
    });
  });

  test('gives what is only in the structured content of a result as text', () => {
    const withBoth = { ...result('1', text('one')), structuredContent: { one: 1 } };
    const contents = [withBoth, { ...withBoth, content: [] }].map((answer) => {
      const { messages } = aRequest({ messages: [message('assistant', use('1')), message('user', answer)] });
      const part = messages[1]?.content[0];
      return part?.kind === 'toolResult' ? part.content : undefined;
    });
    assert.deepEqual(contents, [[{ kind: 'text', text: 'one' }], [{ kind: 'text', text: '{"one":1}' }]]);
  });

  test('holds images under the type that their bytes have, by its usual name', () => {
    const data = Buffer.from('ffd8ffe0', 'hex').toString('base64');
    const { messages } = aRequest({
      messages: [{ role: 'user', content: { type: 'image', mimeType: 'IMAGE/JPG; q=1', data } }],
    });
    assert.deepEqual(messages[0]?.content, [{ kind: 'image', mimeType: 'image/jpeg', data }]);
  });

  test('is read at every limit', () => {
    const request = aRequest({
      messages: Array.from({ length: 1_000 }, () => message('user', text('a\u200B'.repeat(20)))),
      maxTokens: 1,
      stopSequences: Array<string>(16).fill('a'.repeat(1_000)),
      tools: Array.from({ length: 128 }, (_, index) => ({ ...aTool, name: `${index}` })),
    });
    assert.deepEqual([request.messages.length, request.stopSequences.length], [1_000, 16]);
    assert.equal(request.tools.length, 128);
  });

  test('is read with as much text as there may be, wherever it is, and not with a character more', () => {
    const withPrompt = (characters: number): object => ({
      messages: [
        { role: 'user', content: [text('What is this?'), image] },
        message('assistant', use('1')),
        message('user', result('1', text('three'), image)),
      ],
      systemPrompt: 'a'.repeat(characters),
      stopSequences: ['END', 'STOP'],
      modelPreferences: { hints: [{ name: 'sonnet' }, { name: 'gpt' }] },
      tools: [aTool],
    });
    const texts = ['What is this?', '1', 'add', '{"a":1}', '1', 'three', 'END', 'STOP', 'sonnet', 'gpt'];
    const rest = 2_000_000 - [...texts, JSON.stringify(aTool)].join('').length;
    assert.equal(aRequest(withPrompt(rest)).systemPrompt?.length, rest);
    refused(params(withPrompt(rest + 1)), '2025-11-25', /2,000,000 characters together/);
    const alone = { messages: [message('user', text('a'.repeat(2_000_000)))] };
    assert.equal(aRequest(alone).messages.length, 1);
  });

  test('is read with spaces of every width between words, which are no invisible characters', () => {
    const said = 'mot\u00A0'.repeat(20_001);
    assert.deepEqual(aRequest({ systemPrompt: said }).systemPrompt, said);
  });

  test('has the first hints, without those that name nothing', () => {
    const names = ['', ...Array.from({ length: 40 }, (_, index) => `model ${index}`)];
    const { hints } = aRequest({ modelPreferences: { hints: names.map((name) => ({ name })) } });
    assert.deepEqual(hints, names.slice(1, 32));
  });

  suite('is refused', () => {
    const bytes = (size: number) => {
      const png = Buffer.alloc(size);
      Buffer.from(PIXEL, 'base64').copy(png);
      return { ...image, data: png.toString('base64') };
    };
    const nested = (depth: number): object => (depth === 0 ? {} : { in: nested(depth - 1) });
    const said = (...content: readonly unknown[]) => ({ messages: [message('user', ...content)] });
    const rows: readonly (readonly [what: string, fields: object, sentence: RegExp])[] = [
      ['without messages', { messages: [] }, /'messages' must be a list of 1 to 1,000/],
      [
        'with too many messages',
        { messages: Array.from({ length: 1_001 }, () => message('user', text('a'))) },
        /1 to 1,000 messages/,
      ],
      ['with a message that is none', { messages: ['Hello'] }, /'messages\[0\]' must be a message/],
      ['from a role that is none', { messages: [message('system', text('a'))] }, /\.role' must be 'user'/],
      ['with an empty message', said(), /'messages\[0\]\.content' must not be empty/],
      ['with a block that is none', said('Hello'), /content\[0\]' must be a block/],
      ['with a text that is none', said({ type: 'text', text: 1 }), /content\[0\]\.text' must be a text/],
      ['with an unknown block', said({ type: 'video' }), /of the type 'video', which a message/],
      ['with a block of no type', said({}), /of the type 'undefined'/],
      [
        'with a block whose type is an object that cannot be a text',
        said({ type: { toString: 1 } }),
        /of the type 'object'/,
      ],
      [
        'with audio',
        said({ type: 'audio', mimeType: 'audio/wav', data: '' }),
        /'messages\[0\]\.content\[0\]' is audio, which the editor's language models do not take/,
      ],
      ['with an image without a type', said({ type: 'image', data: PIXEL }), /'data' and its 'mimeType'/],
      ['with an image that is no base64', said({ ...image, data: '%%%%' }), /not valid base64/],
      [
        'with an image of another type than it says',
        said({ ...image, mimeType: 'image/gif' }),
        /The data is not image\/gif/,
      ],
      [
        'with an image that can hold scripts',
        said({ ...image, mimeType: 'image/svg+xml' }),
        /of the type 'image\/svg\+xml'; models take PNG/,
      ],
      [
        'with audio that is called an image',
        said({ ...image, mimeType: 'audio/ogg', data: Buffer.from('OggS').toString('base64') }),
        /models take PNG/,
      ],
      ['with a large image', said(bytes(5_000_002)), /an image of more than 5 MB/],
      [
        'with many images',
        said(...Array.from({ length: 5 }, () => bytes(4_500_000))),
        /more than 20 MB together/,
      ],
      ['with long texts', said(text('a'.repeat(1_000_000)), text('b'.repeat(1_000_001))), /2,000,000/],
      ['with a long system prompt', { systemPrompt: 'a'.repeat(2_000_000) }, /2,000,000 characters/],
      [
        'with long schemas',
        { tools: [{ ...aTool, inputSchema: { type: 'object', title: 'a'.repeat(2_000_000) } }] },
        /2,000,000 characters/,
      ],
      [
        'with too many blocks',
        said(...Array.from({ length: 10_001 }, () => text(''))),
        /more than 10,000 blocks/,
      ],
      ['with a system prompt that is no text', { systemPrompt: 1 }, /'systemPrompt' must be a text/],
      ['without a limit', { maxTokens: undefined }, /'maxTokens' must be a whole number/],
      ['with a limit of nothing', { maxTokens: 0 }, /'maxTokens'/],
      ['with a limit in parts', { maxTokens: 1.5 }, /'maxTokens'/],
      ['with an endless limit', { maxTokens: Infinity }, /'maxTokens'/],
      ['with a temperature that is no number', { temperature: '1' }, /'temperature' must be a number/],
      ['with an endless temperature', { temperature: Infinity }, /'temperature' must be a number/],
      ['with stop sequences in no list', { stopSequences: 'END' }, /'stopSequences' must be a list/],
      ['with an empty stop sequence', { stopSequences: [''] }, /'stopSequences'/],
      ['with a long stop sequence', { stopSequences: ['a'.repeat(1_001)] }, /1 to 1,000 characters/],
      ['with many stop sequences', { stopSequences: Array<string>(17).fill('a') }, /at most 16/],
      ['with preferences that are none', { modelPreferences: 'fast' }, /'modelPreferences'/],
      ['with hints that are none', { modelPreferences: { hints: 'fast' } }, /'hints'/],
      [
        'with a long hint',
        { modelPreferences: { hints: [{ name: 'fast' }, { name: 'a'.repeat(201) }] } },
        /'modelPreferences\.hints\[1\]\.name' must be a text of 1 to 200 characters/,
      ],
      [
        'with an image of a long type',
        said({ type: 'image', data: '', mimeType: `image/${'a'.repeat(200)}` }),
        /mimeType' must be a text of 1 to 200 characters/,
      ],
      [
        'with texts of what nobody can see',
        said(text('\u200B'.repeat(15_000)), text('a\u200B'.repeat(5_001))),
        /more than 20,000 invisible characters/,
      ],
      [
        'with a schema of what nobody can see',
        { tools: [{ ...aTool, inputSchema: { type: 'object', title: '\u00A0'.repeat(20_001) } }] },
        /more than 20,000 invisible characters/,
      ],
      [
        'with a result of what nobody can see',
        {
          messages: [
            message('assistant', use('1')),
            message('user', result('1', text('\u200B'.repeat(20_001)))),
          ],
        },
        /more than 20,000 invisible characters/,
      ],
      [
        'with the use of a tool with what nobody can see',
        {
          messages: [
            message('assistant', { ...use('1'), input: { a: '\u200B'.repeat(20_001) } }),
            message('user', result('1')),
          ],
        },
        /more than 20,000 invisible characters/,
      ],
      [
        'with a long text beside an image',
        said(text('a'.repeat(2_000_001)), image),
        /more than 2,000,000 characters/,
      ],
      ['with tools in no list', { tools: {} }, /'tools' must be a list/],
      ['with a tool that is none', { tools: ['add'] }, /'tools\[0\]' must be a tool/],
      ['with many tools', { tools: Array.from({ length: 129 }, () => aTool) }, /at most 128/],
      ['with a nameless tool', { tools: [{ ...aTool, name: '' }] }, /'tools\[0\]\.name'/],
      ['with two tools of one name', { tools: [aTool, aTool] }, /two tools of the name 'add'/],
      [
        'with a description that is no text',
        { tools: [{ ...aTool, description: 1 }] },
        /'tools\[0\]\.description'/,
      ],
      ['with a tool without a schema', { tools: [{ name: 'add' }] }, /inputSchema' must be an object/],
      [
        'with a schema of something else',
        { tools: [{ ...aTool, inputSchema: { type: 'string' } }] },
        /inputSchema' must be of the type 'object'/,
      ],
      [
        'with a schema that is nested deep',
        { tools: [{ ...aTool, inputSchema: { type: 'object', ...nested(1_000) } }] },
        /more than 100 levels/,
      ],
      [
        'with a schema that is no JSON',
        { tools: [{ ...aTool, inputSchema: { type: 'object', default: () => 1 } }] },
        /not JSON/,
      ],
      ['with an unknown choice', { tools: [aTool], toolChoice: { mode: 'any' } }, /'mode' of 'toolChoice'/],
      ['with a choice that is none', { tools: [aTool], toolChoice: 'auto' }, /'mode' of 'toolChoice'/],
      ['when it requires a tool and has none', { toolChoice: { mode: 'required' } }, /there are no tools/],
      [
        'when the user uses a tool',
        { messages: [message('user', use('1')), message('user', result('1'))] },
        /only a message of the assistant/,
      ],
      [
        'when the assistant has a result',
        { messages: [message('assistant', use('1')), message('assistant', result('1'))] },
        /only a message of the user/,
      ],
      [
        'when a result stands beside something else',
        { messages: [message('assistant', use('1')), message('user', result('1'), text('a'))] },
        /nothing else with it/,
      ],
      [
        'when a use has no result',
        {
          messages: [message('assistant', use('1'), use('2')), message('user', result('1'))],
        },
        /use '2' of a tool has no result/,
      ],
      ['when the last message uses a tool', { messages: [message('assistant', use('1'))] }, /no result/],
      [
        'when a result comes too late',
        {
          messages: [
            message('assistant', use('1')),
            message('user', text('wait')),
            message('user', result('1')),
          ],
        },
        /no result in the message after it/,
      ],
      ['when a result has no use', said(result('1')), /a result for '1'/],
      [
        'when a use has two results',
        { messages: [message('assistant', use('1')), message('user', result('1'), result('1'))] },
        /a result for '1'/,
      ],
      [
        'when two uses have one id',
        { messages: [message('assistant', use('1'), use('1')), message('user', result('1'))] },
        /two uses of tools with the same id/,
      ],
      [
        'when a use has no input',
        { messages: [message('assistant', { ...use('1'), input: undefined })] },
        /input' must be an object/,
      ],
      [
        'when a use has no name',
        { messages: [message('assistant', { ...use('1'), name: undefined })] },
        /name' must be a text/,
      ],
      [
        'when a result holds audio',
        { messages: [message('assistant', use('1')), message('user', result('1', { type: 'audio' }))] },
        /is audio, which/,
      ],
      [
        'when a result holds a result',
        { messages: [message('assistant', use('1')), message('user', result('1', result('1')))] },
        /which a tool's result cannot have/,
      ],
      [
        'when a result has its content in no list',
        { messages: [message('assistant', use('1')), message('user', { ...result('1'), content: 'a' })] },
        /'content' as a list/,
      ],
    ];
    for (const [what, fields, sentence] of rows) {
      test(what, () => refused(params(fields), '2025-11-25', sentence));
    }

    test('when it is no object', () => refused(undefined, '2025-11-25', /must be an object/));

    for (const revision of ['2024-11-05', '2025-03-26', '2025-06-18']) {
      test(`with tools in ${revision}, which does not have them`, () => {
        refused(params({ tools: [aTool] }), revision, /'tools' was not declared/);
        refused(params({ tools: [] }), revision, /'tools' was not declared/);
        refused(params({ toolChoice: { mode: 'none' } }), revision, /'toolChoice' was not declared/);
        const messages = [message('assistant', use('1')), message('user', result('1'))];
        refused(params({ messages }), revision, /is about tools/);
      });
    }
  });

  test('has tools in 2025-11-25 and after it', () => {
    for (const revision of ['2025-11-25', '2026-07-28']) {
      assert.equal(readSamplingRequest(params({ tools: [aTool] }), revision).tools.length, 1);
    }
  });

  test('fails with a sentence or is read, whatever it holds', () => {
    fc.assert(
      fc.property(
        fc.record({ messages: fc.anything(), maxTokens: fc.anything(), tools: fc.anything() }),
        (anything) => {
          try {
            assert.equal(isDeeplyFrozen(readSamplingRequest(anything, '2025-11-25')), true);
          } catch (error) {
            assert.equal(error instanceof SamplingFailure && error.code, -32_602);
          }
        },
      ),
    );
  });
});

function refused(sent: unknown, revision: string, sentence: RegExp): void {
  assert.throws(
    () => readSamplingRequest(sent, revision),
    (error) => {
      assert.ok(error instanceof SamplingFailure);
      assert.equal(error.kind, 'malformed');
      assert.equal(error.code, -32_602);
      assert.match(error.message, sentence);
      assert.match(error.message, /^[^\n]{10,500}\.$/);
      return true;
    },
  );
}

function isDeeplyFrozen(value: unknown): boolean {
  return (
    typeof value !== 'object' ||
    value === null ||
    (Object.isFrozen(value) && Object.values(value).every(isDeeplyFrozen))
  );
}
