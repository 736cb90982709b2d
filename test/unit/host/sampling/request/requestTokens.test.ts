import assert from 'node:assert/strict';
import { CancellationError } from '../../../../../src/base/lifetime/cancellation.ts';
import { ModelError } from '../../../../../src/host/sampling/request/languageModels.ts';
import { estimateRequest, tokensOf } from '../../../../../src/host/sampling/request/requestTokens.ts';
import { aRequest, aTool, message, PIXEL, text } from './requestBed.ts';
import { large, ScriptedModels } from './scriptedModel.ts';

const image = { type: 'image', mimeType: 'image/png', data: PIXEL };

suite('About how many tokens a request is', () => {
  test('counts texts, tools, what they gave, and images', async () => {
    const models = new ScriptedModels();
    const request = aRequest({
      systemPrompt: 'Be short.',
      messages: [
        message('user', text('Hello'), image),
        message('assistant', { type: 'tool_use', id: '1', name: 'add', input: { a: 1 } }),
        message('user', { type: 'tool_result', toolUseId: '1', content: [text('three'), image] }),
      ],
      tools: [aTool],
    });
    const tokens = await estimateRequest(models, large.id, request);
    const use = '{"kind":"toolUse","id":"1","name":"add","input":{"a":1}}';
    const result = '{"kind":"toolResult","toolUseId":"1","isError":false,"content":[]}';
    const tools = '[{"name":"add","description":"Adds","inputSchema":{"type":"object"}}]';
    assert.deepEqual(
      models.counted.toSorted(),
      ['Be short.', 'Hello', use, result, 'three', tools].toSorted(),
    );
    assert.equal(tokens, models.counted.join('').length + 2 * 1_600);
  });

  test('leaves out tools that the model does not get', async () => {
    const request = aRequest({ tools: [aTool], toolChoice: { mode: 'none' } });
    assert.equal(await estimateRequest(new ScriptedModels(), large.id, request), 'Hello'.length);
  });

  test('asks for a few texts at a time', async () => {
    const models = new ScriptedModels();
    let [running, most] = [0, 0];
    models.count = async (counted) => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
      return counted.length;
    };
    const messages = Array.from({ length: 100 }, () => message('user', text('ab')));
    assert.equal(await estimateRequest(models, large.id, aRequest({ messages })), 200);
    assert.equal(most, 4);
  });

  for (const [what, count] of [
    [
      'fails',
      () => {
        throw new ModelError('failed', 'No.');
      },
    ],
    ['gives no number', () => NaN],
    ['gives less than nothing', () => -1],
  ] as const) {
    test(`follows our own rule when the provider ${what}`, async () => {
      const models = new ScriptedModels();
      models.count = count;
      assert.equal(await tokensOf(models, large.id, 'abcdefgh'), 2);
    });
  }

  test('is not computed when no caller needs it', async () => {
    const models = new ScriptedModels();
    const cancel = new AbortController();
    models.count = () => {
      cancel.abort();
      throw new Error('Canceled');
    };
    const messages = Array.from({ length: 100 }, () => message('user', text('ab')));
    await assert.rejects(
      estimateRequest(models, large.id, aRequest({ messages }), cancel.signal),
      CancellationError,
    );
    assert.ok(models.counted.length <= 4);
  });
});
