import assert from 'node:assert/strict';
import { URI } from 'vscode-uri';
import {
  isInside,
  placeOfPath,
  placeOfUri,
  type PathStyle,
  type RootPlace,
} from '../../../../src/host/folders/rootUri.ts';

/** What is written, the canonical URI and the path; or what the refusal says. */
type Row = readonly [written: string, uri: string, path: string] | readonly [written: string, why: RegExp];

const uris: Record<PathStyle, readonly Row[]> = {
  posix: [
    ['file:///projects/api', 'file:///projects/api', '/projects/api'],
    ['file:///', 'file:///', '/'],
    ['file:///projects/api/', 'file:///projects/api', '/projects/api'],
    ['file:///projects//api///', 'file:///projects/api', '/projects/api'],
    ['FILE:///projects/api', 'file:///projects/api', '/projects/api'],
    ['file:///Projects/API', 'file:///Projects/API', '/Projects/API'],
    ['file:///projects/my%20api', 'file:///projects/my%20api', '/projects/my api'],
    ['file:///projects/my api', 'file:///projects/my%20api', '/projects/my api'],
    ['file:///projects/%C3%A9t%C3%A9', 'file:///projects/%C3%A9t%C3%A9', '/projects/été'],
    ['file:///projects/%c3%a9t%c3%a9', 'file:///projects/%C3%A9t%C3%A9', '/projects/été'],
    ['file:///projects/été', 'file:///projects/%C3%A9t%C3%A9', '/projects/été'],
    ['file:///projects/日本', 'file:///projects/%E6%97%A5%E6%9C%AC', '/projects/日本'],
    ['file:///projects/%F0%9F%92%A9', 'file:///projects/%F0%9F%92%A9', '/projects/💩'],
    ['file:///projects/a%23b', 'file:///projects/a%23b', '/projects/a#b'],
    ['file:///projects/a%3Fb', 'file:///projects/a%3Fb', '/projects/a?b'],
    ['file:///projects/100%25', 'file:///projects/100%25', '/projects/100%'],
    ['file:///projects/100%', 'file:///projects/100%25', '/projects/100%'],
    ['file:///projects/%2541', 'file:///projects/%2541', '/projects/%41'],
    ['file:///projects/%252e%252e/x', 'file:///projects/%252e%252e/x', '/projects/%2e%2e/x'],
    ['file:///projects/%41pi', 'file:///projects/Api', '/projects/Api'],
    ['file:///projects%2Fapi', 'file:///projects/api', '/projects/api'],
    ['file:///projects/a%5Cb', 'file:///projects/a%5Cb', '/projects/a\\b'],
    ['file:///projects/a+b&c=d', 'file:///projects/a%2Bb%26c%3Dd', '/projects/a+b&c=d'],
    ['file:///projects/..api', 'file:///projects/..api', '/projects/..api'],
    ['file:///projects/~', 'file:///projects/~', '/projects/~'],
    ['file:///projects/c:/x', 'file:///projects/c%3A/x', '/projects/c:/x'],
    ['file:///projects/../secret', /contains "\."/],
    ['file:///projects/%2e%2e/secret', /contains "\."/],
    ['file:///projects/%2E%2E%2Fsecret', /contains "\."/],
    ['file:///projects/.%2e/secret', /contains "\."/],
    ['file:///projects/./api', /contains "\."/],
    ['file:///..', /contains "\."/],
    ['file:///projects/a%00b', /NUL/],
    ['file:///projects/a\0b', /NUL/],
    ['file://server/share/api', /another machine/],
    ['file://localhost/projects/api', /another machine/],
    ['file://~/api', /another machine/],
    ['file:////server/share', /not a valid URI|another machine/],
    ['file:///projects/api?x=1', /query/],
    ['file:///projects/api#x', /fragment/],
    ['file:///C:/projects', /drive of Windows/],
    ['file:///c%3A/projects', /drive of Windows/],
    ['file:///projects/\ud800', /half of a character|not a valid URI/],
    ['https://example.org/projects', /on no disk/],
    ['vscode-remote://ssh/projects', /on no disk/],
    ['projects/api', /not a valid URI/],
    ['', /not a valid URI/],
  ],
  windows: [
    ['file:///c:/projects/api', 'file:///c%3A/projects/api', 'c:\\projects\\api'],
    ['file:///C:/projects/api', 'file:///c%3A/projects/api', 'c:\\projects\\api'],
    ['file:///C%3A/projects/api', 'file:///c%3A/projects/api', 'c:\\projects\\api'],
    ['file:///c%3a/Projects/API/', 'file:///c%3A/Projects/API', 'c:\\Projects\\API'],
    ['file:///d:/', 'file:///d%3A/', 'd:\\'],
    ['file:///d:', 'file:///d%3A/', 'd:\\'],
    ['file:///c:/my%20api/%C3%A9t%C3%A9', 'file:///c%3A/my%20api/%C3%A9t%C3%A9', 'c:\\my api\\été'],
    ['file:///c:/100%25/a%23b', 'file:///c%3A/100%25/a%23b', 'c:\\100%\\a#b'],
    ['file:///c:/projects/PROGRA~1', 'file:///c%3A/projects/PROGRA~1', 'c:\\projects\\PROGRA~1'],
    ['file://server/share/api', 'file://server/share/api', '\\\\server\\share\\api'],
    ['file://SERVER/share/api/', 'file://server/share/api', '\\\\server\\share\\api'],
    [
      'file://wsl.localhost/Ubuntu/home',
      'file://wsl.localhost/Ubuntu/home',
      '\\\\wsl.localhost\\Ubuntu\\home',
    ],
    ['file:///c:/projects/../secret', /contains "\."/],
    ['file:///c:/projects/%2e%2e/secret', /contains "\."/],
    ['file:///c:/projects/%2e%2e%5Csecret', /backslash/],
    ['file:///c:/projects/..\\secret', /backslash/],
    ['file:///c:/projects/a%00b', /NUL/],
    ['file:///c:projects', /no drive/],
    ['file:///projects/api', /no drive/],
    ['file:///cc:/projects', /no drive/],
    ['file:///c:/projects/api:stream', /name of no folder/],
    ['file:///c:/projects/api.', /name of no folder/],
    ['file:///c:/projects/api%20', /name of no folder/],
    ['file:///c:/projects/NUL', /name of no folder/],
    ['file:///c:/projects/com1.txt', /name of no folder/],
    ['file:///c:/projects/a%3Fb', /name of no folder/],
    ['file://server', /no share/],
    ['file://server/', /no share/],
    ['file://%3F/c:/projects', /name of no machine/],
    ['file://./pipe/x', /name of no machine/],
    ['file:///c:/projects?x', /query/],
    ['vscode-vfs://github/owner/name', /on no disk/],
  ],
};

const paths: Record<PathStyle, readonly Row[]> = {
  posix: [
    ['/projects/api', 'file:///projects/api', '/projects/api'],
    ['/projects/api/', 'file:///projects/api', '/projects/api'],
    ['/projects/100%/%41/a#b?c', 'file:///projects/100%25/%2541/a%23b%3Fc', '/projects/100%/%41/a#b?c'],
    ['/projects/%2e%2e', 'file:///projects/%252e%252e', '/projects/%2e%2e'],
    ['/projects/a\\b', 'file:///projects/a%5Cb', '/projects/a\\b'],
    ['//projects/api', 'file:///projects/api', '/projects/api'],
    ['/projects/../secret', /contains "\."/],
    ['/projects/a\0', /NUL/],
    ['~/api', /"~" stands for no folder/],
    ['~', /"~" stands for no folder/],
    ['api', /not absolute/],
    ['./api', /not absolute/],
    ['\\\\server\\share', /not absolute/],
    ['c:\\projects', /not absolute/],
    ['/c:/projects', /drive of Windows/],
  ],
  windows: [
    ['C:\\Projects\\api', 'file:///c%3A/Projects/api', 'c:\\Projects\\api'],
    ['c:/projects/api/', 'file:///c%3A/projects/api', 'c:\\projects\\api'],
    ['C:\\', 'file:///c%3A/', 'c:\\'],
    ['\\\\Server\\share\\api', 'file://server/share/api', '\\\\server\\share\\api'],
    ['\\\\?\\C:\\projects', /name of no machine/],
    ['\\\\.\\C:\\projects', /name of no machine/],
    ['//?/UNC/server/share', /name of no machine/],
    ['c:projects', /no drive/],
    ['\\projects', /no drive/],
    ['c:\\projects\\..\\secret', /contains "\."/],
    ['c:\\projects\\api ', /name of no folder/],
    ['~\\api', /"~" stands for no folder/],
  ],
};

function holds(row: Row, place: RootPlace): void {
  const [, expected, path] = row;
  if (typeof expected === 'string') {
    assert.deepEqual(place, { kind: 'place', uri: expected, path });
  } else {
    assert.equal(place.kind, 'refused', JSON.stringify(place));
    assert.match(place.kind === 'refused' ? place.message : '', expected);
    assert.match(place.kind === 'refused' ? place.message : '', /^["A-Z].*\.$/s, 'it is a sentence');
  }
}

suite('The place of a root', () => {
  for (const style of ['posix', 'windows'] as const) {
    for (const row of uris[style]) {
      test(`by its URI ${JSON.stringify(row[0])} on ${style}`, () => {
        const place = placeOfUri(row[0], style);
        holds(row, place);
        if (place.kind === 'place') {
          assert.deepEqual(placeOfUri(place.uri, style), place, 'the canonical form stays as it is');
          assert.deepEqual(placeOfPath(place.path, style), place, 'its path leads to the same');
          assert.equal(URI.parse(place.uri, true).toString(), place.uri, 'the editor writes it the same way');
        }
      });
    }
    for (const row of paths[style]) {
      test(`by its path ${JSON.stringify(row[0])} on ${style}`, () => holds(row, placeOfPath(row[0], style)));
    }
  }
});

const pairs: readonly [PathStyle, string, string, boolean][] = [
  ['posix', '/app/src', '/app', true],
  ['posix', '/app/..src', '/app', true],
  ['posix', '/app', '/', true],
  ['posix', '/app', '/app', false],
  ['posix', '/app-secret', '/app', false],
  ['posix', '/application', '/app', false],
  ['posix', '/', '/app', false],
  ['posix', '/App/src', '/app', false],
  ['windows', 'c:\\app\\src', 'c:\\app', true],
  ['windows', 'C:\\App\\src', 'c:\\app', true],
  ['windows', 'c:\\app-secret', 'c:\\app', false],
  ['windows', 'd:\\app\\src', 'c:\\app', false],
  ['windows', '\\\\server\\share\\app', '\\\\server\\share', true],
  ['windows', '\\\\server\\share-secret\\app', '\\\\server\\share', false],
  ['windows', '\\\\server\\share\\app', 'c:\\app', false],
];

suite('A folder lies inside another one', () => {
  for (const [style, inner, outer, expected] of pairs) {
    test(`${inner} in ${outer} on ${style}: ${expected}`, () => {
      assert.equal(isInside(inner, outer, style), expected);
    });
  }
});
