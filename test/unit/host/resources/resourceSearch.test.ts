import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { CancellationError } from '../../../../src/base/lifetime/cancellation.ts';
import type { ResourceAddress } from '../../../../src/host/resources/resourceAddress.ts';
import {
  ResourceSearch,
  type FoundResource,
  type OfferedResources,
} from '../../../../src/host/resources/resourceSearch.ts';
import { Turns } from '../../support/turns.ts';

interface Written {
  readonly uri: string;
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
}

function offered(
  server: string,
  resources: readonly Written[],
  templates: readonly string[] = [],
): OfferedResources {
  return {
    serverId: `user settings:user ${server}`,
    server,
    resources: resources.map((one) => ({ name: one.uri.split('/').at(-1) ?? '', ...one })),
    templates: templates.map((uriTemplate) => ({ uriTemplate, name: 'template' })),
  };
}

const uriOf = (found: FoundResource): string =>
  found.kind === 'template' ? found.template.uriTemplate : found.resource.uri;

async function urisFor(
  text: string,
  servers: readonly OfferedResources[],
  { recent = [], limit = 200 }: { recent?: readonly ResourceAddress[]; limit?: number } = {},
): Promise<readonly string[]> {
  return (await new ResourceSearch().search(servers, { text, recent, limit })).map(uriOf);
}

suite('ResourceSearch', () => {
  const notes = offered('notes', [{ uri: 'note://b/2' }, { uri: 'note://a/1' }], ['note://{id}']);
  const files = offered('files', [{ uri: 'file:///b' }, { uri: 'file:///a' }]);

  test('gives all without a query, in the order of the servers and their lists', async () => {
    assert.deepEqual(await urisFor(' ', [notes, files]), [
      'note://b/2',
      'note://a/1',
      'note://{id}',
      'file:///b',
      'file:///a',
    ]);
  });

  test('puts what was opened last before all others, latest first', async () => {
    const recent = [
      { serverId: files.serverId, uri: 'file:///a' },
      { serverId: notes.serverId, uri: 'note://a/1' },
      { serverId: 'one that does not run', uri: 'file:///gone' },
    ];
    const found = await new ResourceSearch().search([notes, files], { text: '', recent, limit: 3 });
    assert.deepEqual(
      found.map((one) => [uriOf(one), one.isRecent]),
      [
        ['file:///a', true],
        ['note://a/1', true],
        ['note://b/2', false],
      ],
    );
  });

  test('gives what was opened without being listed, too', async () => {
    const recent = [{ serverId: notes.serverId, uri: 'note://from/a/template' }];
    assert.equal((await urisFor('', [notes], { recent }))[0], 'note://from/a/template');
    assert.deepEqual(await urisFor('from templ', [notes], { recent }), ['note://from/a/template']);
  });

  test('gives what was opened at one server for that server only', async () => {
    const recent = [{ serverId: files.serverId, uri: 'note://a/1' }];
    const found = await new ResourceSearch().search([notes, files], { text: 'a/1', recent, limit: 9 });
    assert.deepEqual(
      found.map(({ server, isRecent }) => [server, isRecent]),
      [
        ['files', true],
        ['notes', false],
      ],
    );
  });

  const orders: readonly (readonly [what: string, query: string, ...inOrder: Written[]])[] = [
    [
      'the beginning of a name, of a word in it, its middle, then the path, then the description',
      'plan',
      { uri: 'x:/1', name: 'plan of today' },
      { uri: 'x:/2', name: 'the plan' },
      { uri: 'x:/3', name: 'airplane' },
      { uri: 'x:/plans/4', name: 'four' },
      { uri: 'x:/airplanes/5', name: 'five' },
      { uri: 'x:/6', name: 'six', description: 'A plan' },
    ],
    [
      'a title counts as a name',
      'Budget',
      { uri: 'x:/2', name: 'two', title: 'Budget' },
      { uri: 'x:/1', name: 'one', description: 'budget' },
    ],
    [
      'the last segment counts as a name',
      'todo',
      { uri: 'x:/a/todo.md', name: 'b' },
      { uri: 'x:/todo/a', name: 'a' },
    ],
    [
      'numbers count by their value',
      'page',
      { uri: 'x:/c', name: 'page 2' },
      { uri: 'x:/b', name: 'page 10' },
      { uri: 'x:/a', name: 'page 100' },
    ],
    [
      'several words are summed up',
      'red car',
      { uri: 'x:/1', name: 'red car' },
      { uri: 'x:/car/2', name: 'red thing' },
      { uri: 'x:/3', name: 'tired scar' },
    ],
  ];
  for (const [what, query, ...inOrder] of orders) {
    test(`ranks: ${what}`, async () => {
      const servers = [offered('s', inOrder.toReversed())];
      assert.deepEqual(
        await urisFor(query, servers),
        inOrder.map(({ uri }) => uri),
      );
    });
  }

  test('finds by the server, too', async () => {
    assert.deepEqual(await urisFor('FILES b', [notes, files]), ['file:///b']);
  });

  test('gives a resource once that is listed twice', async () => {
    assert.deepEqual(await urisFor('', [offered('s', [{ uri: 'x:1' }, { uri: 'x:1' }])]), ['x:1']);
  });

  test('gives nothing but what contains every word, within the limit, and the same order each time', async () => {
    const word = fc.constantFrom('a', 'ab', 'B', 'ß', 'c1', 'İ', '$', 'd e');
    const text = fc.array(word, { maxLength: 4 }).map((words) => words.join('/'));
    const one = fc.record({ uri: text.map((path) => `x:/${path}`), name: text, description: text });
    await fc.assert(
      fc.asyncProperty(fc.array(one), text, fc.nat(9), async (resources, query, limit) => {
        const servers = [offered('s', resources)];
        const found = await new ResourceSearch().search(servers, { text: query, recent: [], limit });
        assert.ok(found.length <= limit);
        for (const { server, label, ...rest } of found) {
          const { uri, name, description } = 'resource' in rest ? rest.resource : assert.fail();
          const all = [server, label, uri, name, description].join('\n').toLowerCase();
          query
            .toLowerCase()
            .split(/\s+/)
            .forEach((part) => assert.ok(all.includes(part)));
        }
        const whole = await urisFor(query, servers, { limit: 1_000 });
        assert.deepEqual(found.map(uriOf), whole.slice(0, limit));
      }),
    );
  });

  test('ends when typing goes on', async () => {
    const abort = new AbortController();
    const searching = new ResourceSearch().search(
      [many()],
      { text: 'file', recent: [], limit: 9 },
      abort.signal,
    );
    abort.abort();
    await assert.rejects(searching, CancellationError);
  });

  test('does not block the process with 30,000 resources', async () => {
    const search = new ResourceSearch();
    const servers = [many()];
    for (const text of ['', 'f', 'fi', 'file', 'file 29', 'part 3 shop', 'description', 'nothing has this']) {
      const turns = new Turns();
      await search.search(servers, { text, recent: [], limit: 200 });
      turns.end(`'${text}'`);
    }
  });
});

/** 10,000 resources in nested paths, and 20,000 in one flat list. */
function many(): OfferedResources {
  const nested = Array.from({ length: 10_000 }, (_, index) => ({
    uri: `file:///projects/shop/${index % 25}/part ${index % 7}/${index % 311}/file_${index}.ts`,
    description: `Description of resource ${index} of the shop`,
  }));
  const flat = Array.from({ length: 20_000 }, (_, index) => ({
    uri: `row:file-${index}`,
    title: `File ${index}`,
  }));
  return offered('many', [...nested, ...flat]);
}
