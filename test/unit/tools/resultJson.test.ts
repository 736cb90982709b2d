import assert from 'node:assert/strict';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { resultJson } from '../../../src/host/documents/resultJson.ts';
import { unreadableContent } from '../../../src/host/results/unreadableContent.ts';

suite('resultJson', () => {
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
