import assert from 'node:assert/strict';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { plain } from '../../../../src/host/questions/panelText.ts';
import { dataView, type DataView } from '../../../../src/host/requestForms/dataView.ts';
import { resultView } from '../../../../src/host/requestForms/resultView.ts';

const png = Buffer.from('\x89PNG\r\n\x1a\n rest', 'latin1').toString('base64');

suite('The view of a result', () => {
  const viewOf = (result: CallToolResult) => resultView(result).view;

  test('shows an image only if its bytes are of a type that the editor shows', () => {
    const { sections } = viewOf({
      content: [
        { type: 'image', mimeType: 'image/png', data: png },
        { type: 'image', mimeType: 'image/gif', data: png },
        {
          type: 'image',
          mimeType: 'image/svg+xml',
          data: Buffer.from('<svg onload="x"/>').toString('base64'),
        },
        { type: 'image', mimeType: 'text/html', data: png },
      ],
    });
    assert.deepEqual(
      sections.map(({ pictures }) => pictures.map(({ source }) => source)),
      [[`data:image/png;base64,${png}`], [], [], []],
    );
    assert.match(plain(sections[1]?.text?.text ?? []), /not image\/gif/);
    assert.match(plain(sections[2]?.text?.text ?? []), /<svg onload/, 'as its text');
  });

  test('has a sound in it only if its bytes are of a type that the editor plays, and there is room', () => {
    const wav = Buffer.from('RIFF\x26\0\0\0WAVEfmt ', 'latin1');
    const data = wav.toString('base64');
    const large = Buffer.concat([wav, Buffer.alloc(6_000_000)]).toString('base64');
    const { sections } = viewOf({
      content: [
        { type: 'audio', mimeType: 'audio/wav', data },
        { type: 'audio', mimeType: 'audio/mpeg', data },
        { type: 'audio', mimeType: 'image/png', data },
        { type: 'audio', mimeType: 'audio/wav', data: large },
        { type: 'audio', mimeType: 'audio/wav', data: large },
      ],
    });
    const [small, , , ...larger] = sections.map(({ sounds }) => sounds.map(({ source }) => source));
    assert.deepEqual(small, [`data:audio/wav;base64,${data}`]);
    assert.deepEqual(
      sections.slice(1, 3).map(({ sounds }) => sounds),
      [[], []],
    );
    assert.deepEqual(
      larger.map(({ length }) => length),
      [1, 0],
    );
    assert.deepEqual(
      sections.map(({ opens }) => opens.map(({ label }) => label)),
      [['Open Sound'], [], [], ['Open Sound'], ['Open Sound']],
      'each can be opened',
    );
  });

  test('writes out what cannot be seen', () => {
    const { sections } = viewOf({ content: [{ type: 'text', text: 'a\u200bb' }] });
    assert.deepEqual(sections[0]?.text?.text, [
      { text: 'a', isWrittenOut: false },
      { text: '\\u{200B}', isWrittenOut: true },
      { text: 'b', isWrittenOut: false },
    ]);
  });

  test('numbers what can be opened over all blocks', () => {
    const { view, openables } = resultView({
      content: [
        { type: 'resource_link', uri: 'file:///etc/passwd', name: 'one' },
        { type: 'text', text: 'between' },
        { type: 'image', mimeType: 'image/png', data: png },
      ],
    });
    const opens = view.sections.flatMap((section) => section.opens);
    assert.deepEqual(
      opens.map(({ index, label, what }) => `${index} ${label}: ${plain(what)}`),
      ['0 Open Resource: file:///etc/passwd', '1 Open Image: image-1.png'],
    );
    assert.deepEqual(
      openables.map(({ kind }) => kind),
      ['resource', 'image'],
    );
  });

  test('shows structured content once, and JSON in a text as data', () => {
    const structuredContent = { rows: [1, 2] };
    const { sections } = viewOf({
      content: [
        { type: 'text', text: JSON.stringify(structuredContent) },
        { type: 'text', text: '{"other": true}' },
      ],
      structuredContent,
    });
    assert.deepEqual(
      sections.map(({ title, data }) => `${title} ${data?.kind}`),
      ['Text, JSON object', 'Structured content object'],
    );
  });

  test('says how long a text is of which it has the beginning', () => {
    const line = 'x'.repeat(53);
    const text = Array.from({ length: 40_000 }, () => line).join('\n');
    const [shown] = viewOf({ content: [{ type: 'text', text }] }).sections;
    assert.partialDeepStrictEqual(shown?.text, {
      lines: 3_703, // whole ones
      isLong: true,
      whole: { lines: 40_000, characters: text.length },
    });
    const [one] = viewOf({ content: [{ type: 'text', text: 'a'.repeat(300_000) }] }).sections;
    assert.partialDeepStrictEqual(one?.text, {
      characters: 200_000,
      whole: { lines: 1, characters: 300_000 },
    });
    const [all] = viewOf({ content: [{ type: 'text', text: line }] }).sections;
    assert.equal(all?.text?.whole, undefined);
  });

  test('says what it leaves out', () => {
    const long = viewOf({ content: [{ type: 'text', text: 'a'.repeat(300_000) }] });
    assert.match(long.leftOut ?? '', /the rest of a long text/);
    const many = viewOf({
      content: Array.from({ length: 1_002 }, () => ({ type: 'text' as const, text: 'a' })),
    });
    assert.match(many.leftOut ?? '', /2 more blocks/);
    assert.equal(viewOf({ content: [] }).leftOut, undefined);
  });
});

suite('The view of structured data', () => {
  /** A view in short. */
  function inShort(view: DataView): unknown {
    switch (view.kind) {
      case 'value':
        return plain(view.text.text);
      case 'list':
        return view.items.map(inShort);
      case 'object':
        return Object.fromEntries(view.members.map(({ name, data }) => [plain(name), inShort(data)]));
      case 'table':
        return {
          columns: view.columns.map(plain),
          rows: view.rows.map((row) =>
            row.map(({ text, more }) => (more ? [plain(text), inShort(more)] : plain(text))),
          ),
        };
    }
  }

  test('is a table for a list of flat objects, and a tree for the rest', () => {
    assert.deepEqual(inShort(dataView([{ a: 1, b: 'x' }, { a: null }])), {
      columns: ['a', 'b'],
      rows: [
        ['1', 'x'],
        ['null', ''],
      ],
    });
    assert.deepEqual(inShort(dataView({ list: [{ a: [1] }, 'text', true], none: {} })), {
      list: [{ a: ['1'] }, 'text', 'true'],
      none: {},
    });
  });

  test('is a table for many equal objects of which some values are nested or long, which open', () => {
    const geo = { lat: 52.5, lng: 13.4, name: 'A place in the middle of the city of Berlin' };
    const view = dataView(
      Array.from({ length: 500 }, (_, id) => ({
        id,
        geo,
        tags: ['a', 'b'],
        about: 'x'.repeat(400),
        is: true,
      })),
    );
    assert.ok(view.kind === 'table');
    assert.equal(view.size, 500);
    assert.equal(view.rows.length, 500, 'all of them');
    assert.deepEqual(inShort({ ...view, rows: view.rows.slice(0, 1) }), {
      columns: ['id', 'geo', 'tags', 'about', 'is'],
      rows: [
        [
          '0',
          [
            '{"lat":52.5,"lng":13.4,"name":"A place in the middle of the …',
            { lat: '52.5', lng: '13.4', name: geo.name },
          ],
          '["a","b"]',
          [`${'x'.repeat(60)}…`, 'x'.repeat(400)],
          'true',
        ],
      ],
    });
  });

  test('is a tree for objects of which most values are too long for a cell', () => {
    const place = { address: 'One of the longer streets', city: 'One of the longer cities' };
    const view = dataView([1, 2].map((id) => ({ id, from: place, to: place })));
    assert.equal(view.kind, 'list');
  });

  test('says how long a value is of which it has the beginning', () => {
    const view = dataView({ text: 'x'.repeat(8_000) });
    assert.ok(view.kind === 'object' && view.members[0]?.data.kind === 'value');
    assert.partialDeepStrictEqual(view.members[0].data.text, {
      characters: 5_000,
      whole: { characters: 8_000 },
    });
  });

  test('is a tree for objects with a long text, which the page folds', () => {
    const view = dataView([{ a: 'x'.repeat(1_001) }, { a: 'y' }]);
    assert.ok(view.kind === 'list' && view.items[0]?.kind === 'object');
    const [long] = view.items[0].members;
    assert.ok(long?.data.kind === 'value');
    assert.equal(long.data.text.isLong, true);
    assert.equal(long.data.text.characters, 1_001);
  });

  test('is bounded in values and levels, and says how many there are', () => {
    const view = dataView(Array.from({ length: 100_000 }, (_, index) => index));
    assert.ok(view.kind === 'list');
    assert.equal(view.size, 100_000);
    assert.ok(view.items.length <= 6_000);
    const table = dataView(Array.from({ length: 100_000 }, () => ({ a: 1, b: 2 })));
    assert.ok(table.kind === 'table');
    assert.equal(table.size, 100_000);
    assert.ok(table.rows.length <= 3_000);
    const nested = dataView(
      Array.from({ length: 1_000 }, () => ({ a: 1, b: Array.from({ length: 1_000 }, () => 'value') })),
    );
    assert.ok(nested.kind === 'table');
    assert.equal(nested.rows.length, 1_000);
    assert.ok(JSON.stringify(nested).length < 5_000_000);
    let deep: unknown = 'end';
    for (let level = 0; level < 5_000; level += 1) {
      deep = [deep];
    }
    assert.ok(JSON.stringify(dataView(deep)).length < 10_000);
    const rows = [1, 2].map((a) => ({ a, deep }));
    assert.ok(JSON.stringify(dataView(rows)).length < 20_000);
  });
});
