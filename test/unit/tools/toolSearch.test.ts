import assert from 'node:assert/strict';
import { searchTools } from '../../../src/host/tools/toolSearch.ts';

const tool = (name: string, description = '', server = 'files') => ({
  server,
  name,
  title: undefined,
  description,
});

suite('searchTools', () => {
  const tools = [tool('write', 'Writes what read gave'), tool('read_file'), tool('echo', '', 'everything')];
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
    const many = Array.from({ length: 100_000 }, (_, index) => tool(`tool_${index}`, 'does something'));
    const started = performance.now();
    assert.equal(searchTools(many, 'some tool_9', 200).length, 200);
    assert.ok(performance.now() - started < 60_000);
  });
});
