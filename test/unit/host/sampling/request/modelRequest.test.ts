import assert from 'node:assert/strict';
import { modelRequestOf } from '../../../../../src/host/sampling/request/languageModels.ts';
import { aRequest, aTool } from './requestBed.ts';

const other = { ...aTool, name: 'subtract' };

suite('What a model gets of a request', () => {
  test('is the request as it is', () => {
    const request = aRequest({ systemPrompt: 'Be short.', temperature: 0, tools: [aTool], maxTokens: 7 });
    const sent = modelRequestOf(request, 'Because.');
    assert.deepEqual(sent, {
      messages: request.messages,
      systemPrompt: 'Be short.',
      temperature: 0,
      maxTokens: 7,
      tools: request.tools,
      toolMode: 'auto',
      justification: 'Because.',
    });
    assert.equal(sent.messages, request.messages);
  });

  test('has nothing in it that the server did not say', () => {
    assert.deepEqual(Object.keys(modelRequestOf(aRequest(), '')), [
      'messages',
      'maxTokens',
      'tools',
      'toolMode',
      'justification',
    ]);
  });

  for (const [mode, tools, sent, toolMode] of [
    ['auto', [aTool], 1, 'auto'],
    ['auto', [aTool, other], 2, 'auto'],
    ['required', [aTool], 1, 'required'],
    ['required', [aTool, other], 2, 'auto'],
    ['none', [aTool, other], 0, 'auto'],
    ['none', [], 0, 'auto'],
  ] as const) {
    test(`has ${sent} tools, ${toolMode}, for '${mode}' with ${tools.length}`, () => {
      const got = modelRequestOf(aRequest({ tools, toolChoice: { mode } }), '');
      assert.deepEqual([got.tools.length, got.toolMode], [sent, toolMode]);
    });
  }
});
