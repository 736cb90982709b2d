import assert from 'node:assert/strict';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { loadSdk } from '../../../../src/host/sdk/loadSdk.ts';
import { messageFaults, type SpokenProtocol } from '../../../../src/host/traffic/messageFaults.ts';

suite('What a message breaks of the specification', () => {
  let legacy: SpokenProtocol;
  let modern: SpokenProtocol;
  suiteSetup(async () => {
    const schemas = await loadSdk();
    legacy = { schemas, revision: '2025-11-25', era: 'legacy', capabilities: { tools: {} } };
    modern = { schemas, revision: '2026-07-28', era: 'modern', capabilities: {} };
  });

  const found = (message: object, method: string, protocol = legacy): readonly string[] =>
    messageFaults({ jsonrpc: '2.0', ...message } as JSONRPCMessage, method, protocol).map(
      ({ text, clause, isAdvice }) => `${isAdvice ? 'advice: ' : ''}${text} (${clause})`,
    );
  const result = (value: object, method: string, protocol?: SpokenProtocol): readonly string[] =>
    found({ id: 1, result: value }, method, protocol);
  const listed = (...tools: object[]): readonly string[] =>
    result(
      {
        tools: tools.map((tool) => ({
          name: 'a',
          description: 'A',
          inputSchema: { type: 'object' },
          ...tool,
        })),
      },
      'tools/list',
    );

  test('is nothing for what is valid', () => {
    assert.deepEqual(listed({}), []);
    assert.deepEqual(result({ content: [] }, 'tools/call'), []);
    assert.deepEqual(result({ content: [{ type: 'text', text: 'a' }], isError: true }, 'tools/call'), []);
    assert.deepEqual(result({ task: { taskId: 'a' } }, 'tools/call'), []);
    assert.deepEqual(result({ resultType: 'input_required', inputRequests: {} }, 'tools/call', modern), []);
    assert.deepEqual(found({ method: 'notifications/other' }, 'notifications/other'), []);
  });

  test('names the member of a list, and its part', () => {
    assert.deepEqual(result({ tools: [], nextCursor: null }, 'tools/list'), [
      '`nextCursor` must be a string, not null (server/utilities/pagination)',
    ]);
    assert.deepEqual(result({ tools: {} }, 'tools/list'), [
      '`tools` must be a list, not an object (server/tools)',
    ]);
    assert.deepEqual(listed({}, { name: 'b', inputSchema: { type: 'array' } }, { name: 3 }), [
      'tools[1] \'b\': `inputSchema.type` must be "object" (server/tools)',
      'tools[2]: `name` must be a string, not a number (server/tools)',
    ]);
    assert.deepEqual(result({ resources: [{ name: 'a' }] }, 'resources/list'), [
      "resources[0] 'a': `uri` is missing (server/resources)",
    ]);
  });

  test('names what a result lacks', () => {
    assert.deepEqual(result({}, 'tools/call'), ['`content` is missing (server/tools)']);
    assert.deepEqual(result({}, 'prompts/get'), ['`messages` is missing (server/prompts)']);
    assert.deepEqual(result({ protocolVersion: '2025-11-25', capabilities: {} }, 'initialize'), [
      '`serverInfo` is missing (basic/lifecycle)',
    ]);
    assert.deepEqual(result({ content: [] }, 'tools/call', modern), ['`resultType` is missing (basic)']);
  });

  test('is about the revision that is spoken, and before that about one that has the method', () => {
    const revisions = (method: string, revision?: string): readonly string[] =>
      messageFaults({ jsonrpc: '2.0', id: 1, result: {} }, method, { ...legacy, revision }).map(
        (fault) => fault.revision,
      );
    assert.deepEqual([...new Set(revisions('tools/call', '2025-06-18'))], ['2025-06-18']);
    assert.deepEqual([...new Set(revisions('initialize'))], ['2025-11-25']);
    assert.deepEqual([...new Set(revisions('server/discover'))], ['2026-07-28']);
  });

  test('names the block of content that is invalid, and what it lacks', () => {
    const content = [{ type: 'text', text: 3 }, { type: 'image', data: '' }, { type: 'video' }];
    assert.deepEqual(result({ content }, 'tools/call'), [
      'content[0]: `text` must be a string, not a number (server/tools)',
      'content[1]: `mimeType` is missing (server/tools)',
      'content[2]: it is not one of the values that are allowed there (server/tools)',
    ]);
    assert.deepEqual(result({ contents: [{ uri: 'a:b', blob: 3 }, { text: 'a' }] }, 'resources/read'), [
      'contents[0]: `blob` must be a string, not a number (server/resources)',
      'contents[1]: `uri` is missing (server/resources)',
    ]);
  });

  test('is a notification or request that is invalid or was not declared', () => {
    const message = { method: 'notifications/message', params: { level: 'loud', data: 1 } };
    const [level, declared, ...others] = found(message, message.method);
    assert.match(level ?? '', /^`params\.level` must be "debug" or .*\(server\/utilities\/logging\)$/);
    assert.equal(declared, 'the server has not declared that it sends this (server/utilities/logging)');
    assert.deepEqual(others, []);
    const changed = { method: 'notifications/tools/list_changed' };
    assert.equal(found(changed, changed.method).length, 1);
    const declares = { ...legacy, capabilities: { tools: { listChanged: true } } };
    assert.deepEqual(found(changed, changed.method, declares), []);
    assert.deepEqual(found({ id: 1, method: 'roots/list' }, 'roots/list'), []);
    assert.deepEqual(found({ id: 1, method: 'roots/list' }, 'roots/list', modern), [
      "servers of this revision send no requests: they ask in the result of the client's request (basic/patterns/mrtr)",
    ]);
  });

  test('advises on tools that are valid and hard to use', () => {
    assert.deepEqual(listed({ description: ' ' }), [
      "advice: tools[0] 'a': it has no description (server/tools)",
    ]);
    assert.deepEqual(listed({ name: 'a.b' }), [
      "advice: tools[0] 'a.b': some models refuse its name: they take 64 characters at most, of A–Z, a–z, 0–9, _ and - (server/tools)",
    ]);
    assert.deepEqual(listed({ description: 'word '.repeat(4_000) }), [
      "advice: tools[0] 'a': its description costs about 5,000 tokens in each request of a model (server/tools)",
    ]);
    assert.deepEqual(listed({}, {}), ["advice: tools[1] 'a': another tool has this name (server/tools)"]);
  });

  test('advises on a reference of a schema that leads nowhere', () => {
    const schema = ($ref: string): object => ({
      inputSchema: { type: 'object', $defs: { a: {} }, properties: { $ref: { $ref } } },
    });
    assert.deepEqual(listed(schema('#/$defs/a')), []);
    assert.deepEqual(listed(schema('#')), []);
    assert.deepEqual(listed(schema('#/$defs/b')), [
      "advice: tools[0] 'a': `inputSchema` refers to '#/$defs/b', which it doesn't have (server/tools)",
    ]);
    assert.deepEqual(listed({ outputSchema: { type: 'object', properties: { a: { $ref: 'b.json' } } } }), [
      "advice: tools[0] 'a': `outputSchema` can't be used: the schema refers to another document, which is not fetched: b.json (server/tools)",
    ]);
  });

  test('has an end, and leaves out what is too large', () => {
    const many = listed(...Array.from({ length: 100 }, () => ({ name: 3 })));
    assert.equal(many.length, 21);
    assert.equal(many.at(-1), 'there is more (server/tools)');
    const deep = JSON.parse(`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`) as object;
    assert.match(listed({ _meta: deep })[0] ?? '', /levels deep/);
    assert.deepEqual(listed(...Array.from({ length: 20_000 }, () => ({ name: 3 }))), []);
  });
});
