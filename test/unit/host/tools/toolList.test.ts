import assert from 'node:assert/strict';
import type { Tool } from '@modelcontextprotocol/client';
import {
  findTools,
  isDeprecated,
  searchTools,
  toolGroups,
  type RunnableTool,
} from '../../../../src/host/tools/toolList.ts';

function tool(server: string, name: string, more: Partial<RunnableTool> = {}): RunnableTool {
  return {
    serverId: `id of ${server}`,
    server,
    name,
    title: undefined,
    description: undefined,
    isDeprecated: false,
    obstacle: undefined,
    ...more,
  };
}

const tools = [
  tool('git', 'old_log', { isDeprecated: true }),
  tool('git', 'log'),
  tool('files', 'log', { obstacle: 'held back' }),
  tool('files', 'read'),
  tool('git', 'status'),
];

suite('The list of tools to run', () => {
  const groupsOf = (...recent: readonly [server: string, name: string][]): unknown =>
    toolGroups(
      tools,
      recent.map(([server, name]) => ({ serverId: `id of ${server}`, name })),
    ).map((group) => [group.title, ...group.tools.map(({ name }) => name)]);

  test('is by server, then what is deprecated and what does not run', () => {
    assert.deepEqual(groupsOf(), [
      ['git', 'log', 'status'],
      ['files', 'read'],
      ['deprecated', 'old_log'],
      ['not available', 'log'],
    ]);
  });

  test('begins with what was used last, as far as it is there and runs', () => {
    const recent: [string, string][] = [
      ['files', 'log'],
      ['git', 'gone'],
      ['git', 'status'],
      ['git', 'old_log'],
      ['files', 'read'],
    ];
    assert.deepEqual(groupsOf(...recent), [
      ['last used', 'status', 'old_log', 'read'],
      ['git', 'log'],
      ['not available', 'log'],
    ]);
  });

  test('has the same order among those that match', () => {
    assert.deepEqual(
      findTools(tools, 'log', 3).map(({ server, name }) => `${server} ${name}`),
      ['git log', 'git old_log', 'files log'],
    );
    assert.equal(findTools(tools, 'log', 1).length, 1);
  });
});

suite('A deprecated tool', () => {
  const texts: readonly (readonly [is: boolean, tool: Partial<Tool>])[] = [
    [true, { title: 'Read File (Deprecated)' }],
    [true, { title: '[DEPRECATED] Read' }],
    [true, { description: 'Deprecated: use read_text_file.' }],
    [true, { description: '**Deprecated**, use another.' }],
    [true, { description: 'Reads a file. DEPRECATED: Use read_text_file instead.' }],
    [true, { annotations: { title: 'Old (deprecated since 2)' } }],
    [true, { _meta: { deprecated: true } }],
    [false, { description: 'Lists deprecated packages.' }],
    [false, { title: 'Find Deprecated APIs', description: 'Finds what is deprecated' }],
    [false, { _meta: { deprecated: 'no' } }],
    [false, {}],
  ];
  for (const [is, fields] of texts) {
    test(`is ${is ? '' : 'not '}${JSON.stringify(fields)}`, () => {
      assert.equal(isDeprecated({ name: 'x', inputSchema: { type: 'object' }, ...fields }), is);
    });
  }
});

const listed = (name: string, description = '', server = 'files') => ({
  server,
  name,
  title: undefined,
  description,
});

suite('A search among tools', () => {
  const tools = [
    listed('write', 'Writes what read gave'),
    listed('read_file'),
    listed('echo', '', 'everything'),
  ];
  const names = (query: string, limit = 10): readonly string[] =>
    searchTools(tools, query, limit).map(({ name }) => name);

  test('gives all of them, up to the limit, without a query', () => {
    assert.deepEqual(names(' '), ['write', 'read_file', 'echo']);
    assert.deepEqual(names('', 2), ['write', 'read_file']);
  });

  test('wants every word, and names first', () => {
    assert.deepEqual(names('READ'), ['read_file', 'write']);
    assert.deepEqual(names('read file'), ['read_file', 'write']);
    assert.deepEqual(names('everything echo'), ['echo']);
    assert.deepEqual(names('nothing'), []);
  });

  test('is quick with 100,000 tools', () => {
    const many = Array.from({ length: 100_000 }, (_, index) => listed(`tool_${index}`, 'does something'));
    const started = performance.now();
    assert.equal(searchTools(many, 'some tool_9', 200).length, 200);
    assert.ok(performance.now() - started < 60_000);
  });
});
