import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { isWritten, print, pumped, testAll } from './pumped.ts';
import { nameOf, pumps } from './pumps.ts';

suite('No text takes more than linear time', () => {
  testAll(isWritten);
});

/** Patterns that this code had once, each of which could stop a window, with the pump that shows it. */
const old: readonly (readonly [pattern: RegExp, before: string, piece: string, after: string])[] = [
  [/\b(?:\w+_)*(?:api[ _-]?keys?|tokens?|secrets?|pat)\b/i, '', '_a', '\u0001'],
  [/\$\{[^}]*\}/g, '', '${', '\u0001'],
  [/(?:\$\{[^}]*\}|\S)+/g, '', '${', '\u0001'],
  [/[?&][^=&#]*(?:key|token|secret|auth)[^=&#]*=[^&#]/i, 'https://h/?', '?', '&='],
  [/\b[a-z][a-z0-9+.-]*:\/\/[^\s/?#@]+@/i, '', 'a-', '\u0001'],
  [
    /\b(?:curl|wget)\b.*\|\s*(?:(?:\S*\/)?(?:env|sudo)\s+)*(?:\S*\/)?(?:sh|bash)\b/is,
    '',
    'curl a | ',
    '\u0001',
  ],
  [/^-[a-z]*c[a-z]*$/i, '-', 'c', '!'],
  [/([?&][^=&#]*=)([^&#]*)/g, 'https://h/?', '?', '&='],
  [/(?:={2,3}|@)v?\d+(?:\.\d+)+[\w.+!-]*$/, '@0.', '0.', '@'],
  [
    /\b(?:do not) (?:enter)\b(?:(?!\b(?:but)\b)[^.:;!?()\n])*(?=[.:;!?()\n]|$)/giu,
    '',
    'do not enter ',
    'but',
  ],
  [/(\\+)([^\\])/gsu, '', '\\', ''],
  [/=+$/, '', '=', '\u0001'],
  [/^[\p{L}\p{N}_.-]*[\p{L}\p{N}][\p{L}\p{N}_.-]*$/u, '', '0', '\u0001'],
  [/(?<=.)@[^/\\]*$/, 'https://', 'a@', '/'],
];

suite('Text that takes more than linear time', () => {
  const found: string[][] = [];

  for (const [pattern, ...texts] of old) {
    test(`is found for ${String(pattern)}`, () => {
      const pump = pumps.find(({ before, piece, after }) => isDeepStrictEqual([before, piece, after], texts));
      assert.ok(pump, 'the pump is not tried with the code');
      const take = (text: string): unknown => text.replace(pattern, '');
      const { growth } = pumped(pump, { most: 32 * 1024, take }, true);
      assert.match(growth.fault ?? '', /characters take/);
      found.push([String(pattern), nameOf(pump), growth.fault ?? '']);
    });
  }

  suiteTeardown(() => print(['pattern', 'text', 'processor time'], found));
});
