import assert from 'node:assert/strict';
import { ToolSearch, type SearchedTool } from '../../../../../src/host/tools/search/toolSearch.ts';

const tool = (name: string, more: Partial<SearchedTool> = {}): SearchedTool => ({
  serverTitles: ['files'],
  name,
  titles: [],
  description: undefined,
  inputSchema: { type: 'object' },
  ...more,
});

async function found(tools: readonly SearchedTool[], query: string, limit = 5): Promise<readonly string[]> {
  const search = await ToolSearch.over(tools);
  return (await search.find(query, limit)).map(({ name }) => name);
}

suite('The search over tools', () => {
  const spellings = [
    'list_pull_requests',
    'listPullRequests',
    'list-pull-requests',
    'ListPULLRequests',
    'list.pull.requests',
  ];
  for (const name of spellings) {
    test(`finds the words of ${name}`, async () => {
      assert.deepEqual(await found([tool('other'), tool(name)], 'pull'), [name]);
    });
  }

  const places: readonly (readonly [place: string, more: Partial<SearchedTool>])[] = [
    ['its title', { titles: ['Fetch Parcels'] }],
    ['its description', { description: 'Where your parcels are.' }],
    ["its server's title", { serverTitles: ['one', 'Parcels'] }],
    ['the name of a parameter', { inputSchema: { properties: { parcelId: { type: 'string' } } } }],
    [
      'the description of a parameter',
      { inputSchema: { properties: { id: { description: 'Of the parcel' } } } },
    ],
    [
      'a parameter in a list',
      { inputSchema: { properties: { all: { items: { properties: { parcel: {} } } } } } },
    ],
  ];
  for (const [place, more] of places) {
    test(`finds a tool by ${place}, whatever the ending of the word`, async () => {
      assert.deepEqual(await found([tool('other'), tool('track', more)], 'parcel'), ['track']);
      assert.deepEqual(await found([tool('other'), tool('track', more)], 'parcels'), ['track']);
    });
  }

  test('ranks a name before a title, a description and a parameter', async () => {
    const tools = [
      tool('a', { inputSchema: { properties: { parcel: {} } } }),
      tool('b', { description: 'A parcel.' }),
      tool('c', { titles: ['Parcel'] }),
      tool('parcel'),
    ];
    assert.deepEqual(await found(tools, 'parcel'), ['parcel', 'c', 'b', 'a']);
  });

  test('finds words for the same, after the word itself', async () => {
    const tools = [tool('remove_parcel'), tool('erase_parcel'), tool('weigh_parcel')];
    assert.deepEqual(await found(tools, 'erase parcel'), ['erase_parcel', 'remove_parcel', 'weigh_parcel']);
  });

  const languages: readonly (readonly [typed: string, name: string])[] = [
    ['Lösche die Datei', 'delete_file'],
    ['Supprime le fichier', 'delete_file'],
    ['Borra el archivo', 'delete_file'],
    ['Cancella il file', 'delete_file'],
    ['ファイルを削除して', 'delete_file'],
    ['删除文件', 'delete_file'],
    ['Wie wird das Wetter?', 'get_forecast'],
    ['Quel temps fait-il, y a-t-il de la pluie ?', 'get_forecast'],
    ['请翻译', 'translate'],
  ];
  for (const [typed, name] of languages) {
    test(`finds ${name} by "${typed}"`, async () => {
      const tools = [tool('play_song'), tool('delete_file'), tool('get_forecast'), tool('translate')];
      assert.equal((await found(tools, typed))[0], name);
    });
  }

  test('finds the beginning of a word, and a word with a typing error, but not in short words', async () => {
    assert.deepEqual(await found([tool('subscription')], 'subscr'), ['subscription']);
    assert.deepEqual(await found([tool('subscription')], 'subscribtion'), ['subscription']);
    assert.deepEqual(await found([tool('cats')], 'cut'), []);
    assert.deepEqual(await found([tool('cutlery')], 'cut'), []);
  });

  test('finds nothing by words without a meaning, or by none', async () => {
    const tools = [tool('the', { description: 'This is for you, and how to use it.' })];
    for (const query of ['', '  ', '!?', 'what is this for', 'der die das']) {
      assert.deepEqual(await found(tools, query), [], query);
    }
  });

  test('gives at most as many as requested, in the order of the list where all else is equal', async () => {
    const tools = [1, 2, 3, 4].map((number) => tool(`parcel${number}`, { description: 'parcel' }));
    assert.deepEqual(await found(tools, 'parcel', 2), ['parcel1', 'parcel2']);
  });

  test('takes names and texts of any kind', async () => {
    const odd: readonly SearchedTool[] = [
      tool('__proto__'),
      tool('constructor', { description: '\u0000'.repeat(10) }),
      tool('long', { description: `${'word '.repeat(10_000)}parcel` }),
      tool('schema', { inputSchema: { properties: { a: null, b: 7, c: { description: 7, items: 'x' } } } }),
      tool('none', { inputSchema: undefined }),
    ];
    assert.deepEqual(await found(odd, 'constructor'), ['constructor']);
    assert.deepEqual(await found(odd, 'proto'), ['__proto__']);
    assert.deepEqual(await found(odd, 'parcel'), [], 'what stands behind the bound is not searched');
  });

  test('finds one of 5,000 tools', async () => {
    const tools = Array.from({ length: 5_000 }, (_, number) =>
      tool(`do_thing_${number}`, { description: `Does the thing ${number} of many.` }),
    );
    assert.deepEqual(await found([...tools, tool('weigh_parcel')], 'weight of a parcel', 1), [
      'weigh_parcel',
    ]);
  });
});
