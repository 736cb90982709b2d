import assert from 'node:assert/strict';
import type { Tool } from '@modelcontextprotocol/client';
import { tokensOfText, tokensOfTools } from '../../../../src/host/tools/tokenEstimate.ts';

suite('About how many tokens something costs a model', () => {
  for (const [text, tokens] of [
    ['', 0],
    ['abcd', 1],
    ['abcde', 2],
    ['The quick brown fox jumps over the lazy dog.', 11],
    ['déjà vu ɏ', 3],
    ['ɐbcd', 2],
    ['Привет', 3],
    ['天気予報', 4],
    ['안녕', 2],
  ] as const) {
    test(`'${text}' about ${tokens}`, () => assert.equal(tokensOfText(text), tokens));
  }

  test('counts of a tool what a model gets', () => {
    const inputSchema = { type: 'object' as const };
    const tool = { name: 'read', description: 'Reads it', inputSchema };
    const tokensOf = (...offered: readonly Tool[]): number =>
      tokensOfTools(
        offered.map((one) => ({
          serverId: 'server',
          tool: one,
          offered: one,
          standing: { kind: 'known' },
          isExposed: true,
        })),
      );
    assert.equal(tokensOf(tool), 1 + 2 + 5);
    assert.equal(tokensOf({ ...tool, outputSchema: { type: 'object' } }), 8);
    assert.equal(tokensOf({ ...tool, description: '' }), 6);
    assert.equal(tokensOf(tool, tool), 16);
    assert.equal(tokensOf(), 0);
  });
});
