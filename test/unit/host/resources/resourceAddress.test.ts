import assert from 'node:assert/strict';
import { posix } from 'node:path';
import * as fc from 'fast-check';
import { URI } from 'vscode-uri';
import {
  authorityOf,
  contentNameOf,
  isAuthorityOf,
  placedResource,
  placeOf,
} from '../../../../src/host/resources/resourceAddress.ts';
import { runs } from '../../support/thoroughness.ts';

const often = { numRuns: runs(10_000) };

const mimeTypes = [undefined, 'text/plain', 'text/markdown', 'image/png', 'application/vnd.x+json', 'a/b'];
const mimeType = fc.constantFrom(...mimeTypes);

/** Parts as servers write them, harmless and not. */
const segment = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9_~@+,.-]{0,8}$/),
  fc.constantFrom(
    '',
    '.',
    '..',
    '...',
    'a.md',
    'b.ipynb',
    'b.code-workspace',
    '2 b.md',
    '%2e%2e',
    '%',
    '=',
    '==YQ',
    'ü',
    '日本.md',
  ),
  fc.string({ unit: 'binary', maxLength: 6 }),
);
const builtUri = fc
  .tuple(
    fc.constantFrom('', 'file:', 'demo:', 'HTTP:', 'x+y.z-1:', 'mcp-host:', '1:', '=:'),
    fc.constantFrom('', '//', '///', '/'),
    fc.constantFrom('', 'host', 'Host.Example', 'user@host', 'host:80', '-', '..', '[::1]'),
    fc.array(segment, { maxLength: 5 }),
    fc.constantFrom('', '?', '?a=b/c.png', '#', '#part.md', '?#'),
  )
  .map(([scheme, slashes, authority, segments, end]) =>
    [scheme, slashes, authority, segments.length > 0 ? '/' : '', segments.join('/'), end].join(''),
  );
/** Any string at all: half a surrogate pair, too. */
const anyString = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 })
  .map((units) => String.fromCharCode(...units));
const anyUri = fc.oneof(
  { weight: 6, arbitrary: builtUri },
  { weight: 2, arbitrary: anyString },
  { weight: 2, arbitrary: fc.webUrl({ withFragments: true, withQueryParameters: true }) },
);

suite('The place of a resource', () => {
  test('leads back to exactly its URI, also through the editor’s own URIs', () => {
    fc.assert(
      fc.property(anyUri, mimeType, (uri, type) => {
        const path = placeOf(uri, type);
        assert.deepEqual(placedResource(path), { uri });
        const written = URI.from({ scheme: 'mcp-host', authority: 'server-0123', path }).toString();
        const read = URI.parse(written);
        assert.equal(read.path, path);
        assert.equal(read.query + read.fragment, '');
        assert.equal(read.authority, 'server-0123');
        assert.deepEqual(placedResource(read.path), { uri });
      }),
      often,
    );
  });

  test('is the place of no other resource', () => {
    const uris = new Map<string, string>();
    fc.assert(
      fc.property(anyUri, mimeType, (uri, type) => {
        const path = placeOf(uri, type);
        assert.equal(uris.get(path) ?? uri, uri);
        uris.set(path, uri);
      }),
      often,
    );
  });

  test('stays under its server', () => {
    fc.assert(
      fc.property(anyUri, mimeType, (uri, type) => {
        const path = placeOf(uri, type);
        assert.match(path, /^\/[^/\\]+(\/[^/\\]+)+$/);
        assert.equal(posix.normalize(path), path);
        assert.equal(posix.resolve('/server', `.${path}`), `/server${path}`);
      }),
      often,
    );
  });

  test('is no place of a content, and a content’s no resource’s', () => {
    fc.assert(
      fc.property(anyUri, anyUri, mimeType, fc.nat(10_000), (uri, other, type, content) => {
        const child = `${placeOf(uri, type)}/${contentNameOf(content, 'b.md')}`;
        assert.deepEqual(placedResource(child), { uri, content });
        assert.equal(posix.normalize(child), child);
        assert.notEqual(child, placeOf(other, type));
        assert.notEqual(child, placeOf(`${uri}/${content + 1} b.md`));
      }),
      often,
    );
  });

  test('takes any path, and gives a resource for those of resources only', () => {
    const path = fc
      .array(fc.oneof(segment, fc.constantFrom('=', '=YQ', '=YR', '==', 'file', 'demo', '-')), {
        maxLength: 5,
      })
      .map((segments) => `/${segments.join('/')}`);
    fc.assert(
      fc.property(path, (some) => {
        const placed = placedResource(some);
        if (placed?.content === undefined && placed) {
          const [, code] = some.split('/');
          assert.equal(placeOf(placed.uri).split('/')[1], code);
        }
      }),
      often,
    );
  });

  for (const [uri, type, path] of [
    ['demo://resource/static/a.md', undefined, '/demo/resource/static/a.md'],
    ['file:///projects/shop/README.md', 'text/markdown', '/file/=/projects/shop/README.md'],
    ['notes://home/Makefile', undefined, '/notes/home/Makefile'],
    ['notes://home/todo.md', 'text/plain', '/notes/home/todo.md'],
    ['notes://home/a b/日本.md', undefined, '/notes/home/a=20b/日本.md'],
    ['notes://home//a b/../%20.md', undefined, '/=notes/home/=/a=20b/=2E=2E/=2520.md/_.md'],
    ['demo://resource/dynamic/text/1', 'text/plain', '/=demo/resource/dynamic/text/1/1.txt'],
    ['http://localhost:80/a.md?b=c#d', undefined, '/=http/localhost:80/a.md=3Fb=3Dc=23d/a.md'],
    ['notes:todo', undefined, '/==bm90ZXM6dG9kbw/todo'],
  ] as const) {
    test(`of ${uri} can be read`, () => {
      assert.equal(placeOf(uri, type), path);
    });
  }

  for (const [uri, type, name] of [
    ['', undefined, 'resource'],
    ['notes://home/todo', 'text/markdown', 'todo.md'],
    ['notes://home/v1.2', 'application/json', 'v1.2.json'],
    ['notes://home/my%20notes.txt?part=2#end', undefined, 'my_notes.txt'],
    ['https://shop.example.com', 'text/html', 'shop.example.com.html'],
    ['screenshot:', 'image/png', 'resource.png'],
    ['shot://now', 'IMAGE/PNG; q=1', 'now.png'],
    ['db://shop/größe/日本.md', undefined, '日本.md'],
    ['x:/a/..', 'text/plain', 'resource.txt'],
    ['x:\u202egnp.exe', undefined, '_gnp.exe'],
    ['lab://home/evil.ipynb', undefined, 'evil.ipynb.json'],
    ['lab://home/Evil.Code-Workspace', undefined, 'Evil.Code-Workspace.json'],
    ['lab://home/evil', 'application/x-ipynb+json', 'evil.json'],
    [`x:${'long'.repeat(1_000)}.md`, undefined, `${'long'.repeat(20).slice(-77)}.md`],
  ] as const) {
    test(`of ${uri.slice(0, 40)} ends in ${name}`, () => {
      assert.equal(placeOf(uri, type).split('/').at(-1), name);
    });
  }

  test('takes a very long URI', () => {
    const uri = `x://${'a b/'.repeat(100_000)}`;
    assert.deepEqual(placedResource(placeOf(uri)), { uri });
  });

  for (const path of [
    '',
    '/',
    '/a',
    '/file',
    '/file/host',
    '/=YQ',
    '/=YR/a',
    '/=!/a',
    '/=YQ/a/b',
    '/=YQ/',
    '/=YQ/2 b.md',
    '/a/b//c',
    '/a/b/../c',
    '/A/b/c.md',
    '/a/b/c d',
    '/a/b/x.ipynb',
    '/a/b/x.code-workspace',
    '/a/b/c.md/0 d',
    '/==bm90ZXM6dG9kbx/todo', // decodes to the bytes of '/==bm90ZXM6dG9kbw/todo'
    '/===bgBvAHQAZQBzADoAdABvAGQAbwA/todo', // 'notes:todo' as UTF-16
    '/==ZGVtbzovL3Jlc291cmNlL2EubWQ/a.md', // 'demo://resource/a.md', whose place is readable
  ]) {
    test(`is not '${path}'`, () => {
      assert.equal(placedResource(path), undefined);
    });
  }
});

suite('The authority of a server', () => {
  const of = (name: string, id = 'user a'): string => authorityOf({ id, name });

  test('ends in its name, as far as it is harmless', () => {
    assert.match(of('My Server!'), /^[0-9a-f]{16}\+my-server$/);
    assert.match(of('日本'), /^[0-9a-f]{16}$/);
    assert.match(of('x'.repeat(100)), /^[0-9a-f]{16}\+x{32}$/);
    assert.match(of('the one and only server of servers'), /\+the-one-and-only$/);
  });

  test('is its own, and always the same', () => {
    assert.notEqual(of('a', 'user a'), of('a', 'workspace a'));
    assert.equal(of('a'), of('a'));
    assert.ok(isAuthorityOf(of('a', 'user a'), 'user a'));
    assert.ok(!isAuthorityOf(of('a', 'user a'), 'workspace a'));
    const written = URI.from({ scheme: 'mcp-host', authority: of('My Server'), path: '/a/b.md' }).toString();
    assert.equal(URI.parse(written).authority, of('My Server'));
  });
});
