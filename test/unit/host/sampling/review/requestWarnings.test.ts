import assert from 'node:assert/strict';
import { plain } from '../../../../../src/host/questions/panelText.ts';
import type { SamplingRequest } from '../../../../../src/host/sampling/request/samplingRequest.ts';
import { samplingContent } from '../../../../../src/host/sampling/review/samplingContent.ts';
import { aRequest, aTool, message, PIXEL, text } from '../request/requestBed.ts';

const image = { type: 'image', mimeType: 'image/png', data: PIXEL };
const token = `ghp_${'a1'.repeat(18)}`;
const call = (input: object): object => ({ type: 'tool_use', id: '1', name: 'add', input });
const result = (...content: readonly unknown[]): object => ({ type: 'tool_result', toolUseId: '1', content });
const tools = (count: number): readonly object[] =>
  Array.from({ length: count }, (_, index) => ({ ...aTool, name: `t${index}` }));

const requestWarnings = (request: SamplingRequest): readonly string[] =>
  samplingContent(request).warnings.map(plain);

suite('Warnings about a request for a model', () => {
  for (const [what, fields, doubts] of [
    ['nothing', {}, []],
    [
      'a secret in a message',
      { messages: [message('user', text('a')), message('assistant', text('b'), text(`It is ${token}.`))] },
      ['Message 2 has what looks like a GitHub token.'],
    ],
    [
      'a secret in the system prompt',
      { systemPrompt: token },
      ['The system prompt has what looks like a GitHub token.'],
    ],
    [
      'the same kind of secret twice',
      { messages: [message('user', text(token), text(token))] },
      ['Message 1 has what looks like a GitHub token.'],
    ],
    [
      'secrets that a tool gets and gives',
      {
        messages: [
          message('assistant', call({ login: [{ password: 'hunter22' }] })),
          message('user', result(text(token))),
        ],
      },
      [
        'Message 1 has what looks like a secret, by its name.',
        'Message 2 has what looks like a GitHub token.',
      ],
    ],
    ['tools', { tools: tools(2) }, ['The model may ask the server to run these tools: t0, t1.']],
    [
      'many tools',
      { tools: tools(10) },
      ['The model may ask the server to run these tools: t0, t1, t2, t3, t4, t5, t6, t7 and 2 more.'],
    ],
    [
      'a tool whose name hides something',
      { tools: [{ ...aTool, name: 'a\u202Eb' }] },
      ['The model may ask the server to run these tools: a\\u{202E}b.'],
    ],
    ['tools that the model does not get', { tools: tools(1), toolChoice: { mode: 'none' } }, []],
    [
      'context',
      { includeContext: 'allServers' },
      ['It asked for the context of other servers, which no server gets.'],
    ],
    ['no context', { includeContext: 'none' }, []],
    ['an image', { messages: [message('user', image)] }, ['An image goes to the model as well.']],
    [
      'images, those in results as well',
      { messages: [message('user', image), message('assistant', call({})), message('user', result(image))] },
      ['2 images go to the model as well.'],
    ],
  ] as const) {
    test(what, () => assert.deepEqual(requestWarnings(aRequest(fields)), doubts));
  }

  test('is found in a long text in little time', () => {
    const request = aRequest({ messages: [message('user', text('password: a '.repeat(160_000)))] });
    const began = performance.now();
    requestWarnings(request);
    assert.ok(performance.now() - began < 60_000);
  });
});
