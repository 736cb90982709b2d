import assert from 'node:assert/strict';
import { tokensOfJson, tokensOfText, tokensOfTool } from '../../../../src/host/tools/tokenEstimate.ts';

suite('About how many tokens something costs a model', () => {
  for (const [text, tokens] of [
    ['', 0],
    ['abcd', 1],
    ['abcde', 2],
    ['The quick brown fox jumps over the lazy dog.', 11],
    ['Привет', 3],
    ['天気予報', 4],
    ['안녕', 2],
  ] as const) {
    test(`'${text}' about ${tokens}`, () => assert.equal(tokensOfText(text), tokens));
  }

  test('counts values as JSON', () => {
    assert.equal(tokensOfJson({ a: 'b' }), 3);
    assert.equal(tokensOfJson(undefined), 0);
  });

  test('counts of a tool what a model gets', () => {
    const inputSchema = { type: 'object' as const };
    const tool = { name: 'read', description: 'Reads it', inputSchema };
    assert.equal(tokensOfTool(tool), 1 + 2 + 5);
    assert.equal(tokensOfTool({ ...tool, outputSchema: { type: 'object' } }), 8);
    assert.equal(tokensOfTool({ ...tool, description: '' }), 6);
  });
});
