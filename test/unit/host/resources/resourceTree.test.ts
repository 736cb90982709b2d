import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  labelOfResource,
  resourceTree,
  type ResourceEntry,
} from '../../../../src/host/resources/resourceTree.ts';

type ResourceLevel = Awaited<ReturnType<typeof resourceTree>>['top'];

const resource = (uri: string, name = '') => ({ uri, name });

/** A tree as text: folders with what is in them, resources by the end of their URIs in brackets. */
async function drawn(level: ResourceLevel): Promise<readonly unknown[]> {
  const draw = async (entry: ResourceEntry): Promise<unknown> =>
    entry.kind === 'resource' ? entry.segment : [entry.segments, ...(await drawn(entry.level))];
  return Promise.all((await level.entries()).map(draw));
}

async function treeOf(...uris: readonly string[]): Promise<readonly unknown[]> {
  return drawn((await resourceTree(uris.map((uri) => resource(uri)))).top);
}

/** All folders and resources below a level. */
async function everything(level: ResourceLevel): Promise<readonly ResourceEntry[]> {
  const below = (await level.entries()).map(async (entry) =>
    entry.kind === 'folder' ? [entry, ...(await everything(entry.level))] : [entry],
  );
  return (await Promise.all(below)).flat();
}

const uris = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('', 'a:', 'a://', 'a://h', 'a://h:', 'a://h/', 'b://h/', 'A://h/', 'a:/', 'file:///'),
      fc.array(fc.constantFrom('', 'x', 'y', '..', '.', 'x y', '%2F', 'ü', ':', '?q=1', '#f', '1', '10'), {
        maxLength: 5,
      }),
    )
    .map(([top, segments]) => top + segments.join('/')),
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.string({ unit: 'binary' }),
);

suite('resourceTree', () => {
  const shapes: readonly (readonly [title: string, given: readonly string[], tree: readonly unknown[]])[] = [
    ['nothing', [], []],
    [
      'paths, folding what would be alone',
      ['a://h/docs/guides/x', 'a://h/docs/guides/y'],
      [['a://h/docs/guides/', 'x', 'y']],
    ],
    [
      'no further than to the first fork',
      ['a://h/d/x/1', 'a://h/d/y/e/2'],
      [['a://h/d/', ['x/', '1'], ['y/e/', '2']]],
    ],
    ['a resource and a folder of one name', ['a://h/x', 'a://h/x/y'], [['a://h/', ['x/', 'y'], 'x']]],
    ['a resource whose URI ends like a folder', ['a://h/x/', 'a://h/x/y'], [['a://h/x/', '', 'y']]],
    [
      'another folder for each authority',
      ['a://h/x', 'a://i/x', 'b://h/x'],
      [
        ['a://h/', 'x'],
        ['a://i/', 'x'],
        ['b://h/', 'x'],
      ],
    ],
    [
      'an authority alone at the top',
      ['a://h', 'a://h/x', 'a://h?q/r'],
      [['a://h/', 'x'], 'a://h', 'a://h?q/r'],
    ],
    [
      'an authority that is empty',
      ['file:///etc/hosts', 'file:///etc/passwd'],
      [['file:///etc/', 'hosts', 'passwd']],
    ],
    ['an authority that ends in a colon', ['a://h:/x', 'a://h:'], [['a://h:/', 'x'], 'a://h:']],
    [
      'what has no authority by its scheme',
      ['note:1', 'note:/1', 'urn:x:y'],
      [
        ['note:', ['/', '1'], '1'],
        ['urn:', 'x:y'],
      ],
    ],
    [
      'a scheme with and without authority apart',
      ['note:1', 'note://1/2'],
      [
        ['note:', '1'],
        ['note://1/', '2'],
      ],
    ],
    ['a scheme alone', ['a:'], ['a:']],
    ['what has no scheme', ['', 'x', 'x/y', '/x', '1:x'], [['/', 'x'], ['x/', 'y'], '', '1:x', 'x']],
    ['empty segments', ['a://h//x', 'a://h///x', 'a://h/x'], [['a://h/', ['/', ['/', 'x'], 'x'], 'x']]],
    [
      'dots as they are',
      ['a://h/x/../y', 'a://h/y', 'a://h/./y'],
      [['a://h/', ['./', 'y'], ['x/../', 'y'], 'y']],
    ],
    ['no slash of a query or fragment', ['a://h/x?p=1/2', 'a://h/x#1/2'], [['a://h/', 'x?p=1/2', 'x#1/2']]],
    [
      'schemes, hosts and escapes as written',
      ['A://H/%2F', 'a://h/%2f'],
      [
        ['a://h/', '%2f'],
        ['A://H/', '%2F'],
      ],
    ],
    [
      'numbers by their value, folders first',
      ['a:10', 'a:9', 'a:2/x', 'a:11/x'],
      [['a:', ['2/', 'x'], ['11/', 'x'], '9', '10']],
    ],
    ['the same URI once', ['a:1', 'a:1'], [['a:', '1']]],
  ];
  for (const [title, given, tree] of shapes) {
    test(`shows ${title}`, async () => {
      assert.deepEqual(await treeOf(...given), tree);
    });
  }

  test('holds every resource exactly once, where its URI says', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(uris, { maxLength: 30 }), async (given) => {
        const { top, matching, total } = await resourceTree(given.map((uri) => resource(uri)));
        const entries = await everything(top);
        const leaves = entries.flatMap((entry) => (entry.kind === 'resource' ? [entry.resource.uri] : []));
        assert.deepEqual(leaves.toSorted(), [...new Set(given)].toSorted());
        assert.deepEqual([matching, total], [leaves.length, leaves.length]);
        const folders = entries.flatMap((entry) => (entry.kind === 'folder' ? [entry.prefix] : []));
        assert.equal(new Set(folders).size, folders.length, 'two folders with the same prefix');
        for (const uri of given) {
          const steps = (await top.pathTo(uri)) ?? [];
          const written = steps.map(({ entry }) =>
            entry.kind === 'folder' ? entry.segments : entry.segment,
          );
          assert.equal(written.join(''), uri);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('has no folder with a folder as its only content', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(uris, { maxLength: 30 }), async (given) => {
        for (const entry of await everything((await resourceTree(given.map((uri) => resource(uri)))).top)) {
          if (entry.kind === 'folder') {
            const [only, second] = await entry.level.entries();
            assert.ok(only?.kind === 'resource' || second, `${entry.prefix} should have been folded`);
          }
        }
      }),
    );
  });

  test('finds no way to what is not there', async () => {
    const { top } = await resourceTree([resource('note:1'), resource('note://h/x/y')]);
    for (const uri of ['note:2', 'note://h', 'note://h/x', 'note://h/x/', 'other:1', '']) {
      assert.equal(await top.pathTo(uri), undefined, uri);
    }
    const steps = await top.pathTo('note://h/x/y');
    assert.deepEqual(
      steps?.map(({ index }) => index),
      [1, 0],
    );
  });

  test('keeps what has every word of the filter in its URI, title or name', async () => {
    const given = [
      { uri: 'a://h/Report.md', name: 'x' },
      { uri: 'a://h/1', name: 'Yearly', title: 'The report of the year' },
      { uri: 'a://h/2', name: 'other' },
    ];
    const { top, matching, total } = await resourceTree(given, ' REPORT ');
    assert.deepEqual([matching, total], [2, 3]);
    assert.deepEqual(await drawn(top), [['a://h/', '1', 'Report.md']]);
    assert.equal((await resourceTree(given, 'report yearly')).matching, 1);
  });

  test('is not held up by a URI with a hundred thousand segments', async () => {
    const deep = `a://h/${'x/'.repeat(100_000)}`;
    const { top } = await resourceTree([resource(`${deep}1`), resource(`${deep}2`), resource('a://h/y')]);
    const steps = await top.pathTo(`${deep}2`);
    assert.deepEqual(
      steps?.map(({ index }) => index),
      [0, 0, 1],
    );
  });
});

suite('labelOfResource', () => {
  const labels: readonly (readonly [string, Parameters<typeof labelOfResource>, string])[] = [
    ['the title', [{ uri: 'a:1', name: 'n', title: 'T' }], 'T'],
    ['the name, without a title', [{ uri: 'a:1', name: 'n', title: ' ' }], 'n'],
    ['the segment, where the name is the URI', [{ uri: 'a:1', name: 'a:1' }, '1'], '1'],
    ['the URI, where nothing else is left', [{ uri: 'a:1', name: '' }], 'a:1'],
    ['something even for an empty URI', [{ uri: '', name: '' }], '(no URI)'],
  ];
  for (const [title, given, label] of labels) {
    test(`gives ${title}`, () => assert.equal(labelOfResource(...given), label));
  }
});
