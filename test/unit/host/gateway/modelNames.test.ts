import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { ModelNames, serverPrefix } from '../../../../src/host/gateway/modelNames.ts';

const modelName = (name: string): string => new ModelNames([name]).modelName(name) ?? assert.fail(name);

/** What the editor makes of a server's name and a tool's. */
function editorId(server: string, tool: string): string {
  const prefix = server
    .toLowerCase()
    .replace(/[^a-z0-9_.-]+/g, '_')
    .slice(0, 13);
  return `mcp_${prefix}_${tool.replace(/[^a-z0-9_-]/gi, '_')}`.replaceAll('.', '_').slice(0, 64);
}

/** Names as no server should give them: short and long, of any characters, many with the same beginning. */
const names = fc.oneof(
  fc.string({ maxLength: 100 }),
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.string({ unit: fc.constantFrom('a', '.', '_', '-', 'A', '/', '名'), maxLength: 60 }),
  fc
    .string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 4 })
    .map((end) => `${'long_'.repeat(12)}${end}`),
  fc
    .string({ unit: fc.constantFrom('0', '1', '2', '9', 'a', 'b'), minLength: 8, maxLength: 8 })
    .map((end) => `tool_${end}`),
);

suite('Names of tools for a model', () => {
  for (const name of ['read_file', 'get-weather', 'A', 'x'.repeat(46), 'search_weather']) {
    test(`keeps ${name}`, () => assert.equal(modelName(name), name));
  }

  for (const [name, pattern] of [
    ['a.b', /^a_b_\d[0-9a-z]{7}$/],
    ['', /^_\d[0-9a-z]{7}$/],
    ['天気', /^__\d[0-9a-z]{7}$/],
    ['x'.repeat(47), /^x{37}_\d[0-9a-z]{7}$/],
    [modelName('a.b'), /^a_b_\d[0-9a-z]{7}_\d[0-9a-z]{7}$/],
  ] as const) {
    test(`hashes '${name}'`, () => assert.match(modelName(name), pattern));
  }

  test('is the same in every version', () => {
    assert.equal(modelName('a.b'), modelName('a.b'));
    assert.notEqual(modelName('a.b'), modelName('a/b'));
    assert.notEqual(modelName('\uD800'), modelName('\uD801'));
    const digest = createHash('sha256').update(Buffer.from('a.b', 'utf16le')).digest('hex');
    assert.equal(modelName('a.b').at(4), String(BigInt(`0x${digest}`) % 10n));
  });

  test('gives unique names of few characters that lead back, whichever others there are', () => {
    fc.assert(
      fc.property(fc.uniqueArray(names, { maxLength: 200 }), fc.integer({ min: 16, max: 64 }), (all, max) => {
        const modelNames = new ModelNames(all, max);
        const reversed = new ModelNames(all.toReversed(), max);
        const given = all.map((name) => modelNames.modelName(name) ?? assert.fail(name));
        assert.equal(new Set(given).size, all.length);
        all.forEach((name, index) => {
          const one = given[index] ?? '';
          assert.match(one, /^[a-zA-Z0-9_-]+$/);
          assert.ok(one.length <= max, one);
          assert.equal(modelNames.toolName(one), name);
          assert.equal(reversed.modelName(name), one);
          assert.equal(new ModelNames([name], max).modelName(name), one);
        });
      }),
    );
  });

  test('gives 10,000 random names within 64 characters of the editor', () => {
    const all = [...new Set(fc.sample(names, { numRuns: 20_000, seed: 7 }))].slice(0, 10_000);
    assert.equal(all.length, 10_000);
    const modelNames = new ModelNames(all);
    const server = serverPrefix('A Server With a Long Name', 'user settings:user x');
    const ids = all.map((name) => editorId(server, modelNames.modelName(name) ?? ''));
    assert.equal(new Set(ids).size, all.length);
    for (const id of ids) {
      assert.match(id, /^[a-zA-Z0-9_-]{1,64}$/);
    }
    for (const name of all) {
      assert.equal(modelNames.toolName(modelNames.modelName(name) ?? ''), name);
    }
  });

  test('knows no name that it did not give', () => {
    const modelNames = new ModelNames(['a.b']);
    assert.equal(modelNames.toolName('a_b'), undefined);
    assert.equal(modelNames.toolName('a.b'), undefined);
    assert.equal(modelNames.modelName('a_b'), undefined);
  });
});

suite("Names of servers in their tools' ids", () => {
  test('keeps what the editor would keep', () => {
    assert.equal(serverPrefix('git', 'one'), 'git');
    assert.equal(serverPrefix('a-server_2', 'one'), 'a-server_2');
  });

  test('distinguishes servers with equal names by their ids', () => {
    const [one, two] = ['one', 'two'].map((id) => serverPrefix('git', id, 13, true));
    assert.match(one ?? '', /^git_\d[0-9a-z]{5}$/);
    assert.notEqual(one, two);
  });

  test('stays unique as the editor cuts it', () => {
    fc.assert(
      fc.property(fc.uniqueArray(names, { maxLength: 30 }), (all) => {
        const ids = all.map((name) => editorId(serverPrefix(name, 'id'), 'x'.repeat(46)));
        assert.equal(new Set(ids).size, all.length);
        ids.forEach((id) => assert.ok(id.endsWith(`_${'x'.repeat(46)}`)));
      }),
    );
  });

  for (const pair of [
    ['git', 'Git'],
    ['my server', 'my_server'],
    ['a.b', 'a_b'],
    ['a-long-name-of-one', 'a-long-name-of-two'],
  ] as const) {
    test(`distinguishes ${pair.join(' and ')}`, () => {
      const [one, two] = pair.map((name) => serverPrefix(name, 'id'));
      assert.notEqual(one, two);
    });
  }
});
