import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { growthOf, type Growth } from './growth.ts';
import { nameOf, piecesOf, pumps, type Pump } from './pumps.ts';
import type { Subject } from './subject.ts';
import { subjects } from './subjects.ts';

/** Characters at which a defect shows, and entries of a list, of which each costs more. */
const most = { characters: 16 * 1024, entries: 1_000 } as const;

function growthWith(pump: Pump, subject: Subject): Growth {
  return growthOf((size) => {
    const pieces = piecesOf(pump, size);
    const text = pieces.join('');
    return () => subject.take(text, pieces);
  }, subject.most);
}

suite('No text takes more than linear time', () => {
  for (const [source, all] of Object.entries(subjects)) {
    suite(`of ${source}`, () => {
      for (const [name, subject] of Object.entries(all)) {
        test(name, () => {
          for (const pump of pumps) {
            const bound = Math.min(subject.most, subject.isList ? most.entries : most.characters);
            const { fault } = growthWith(pump, { ...subject, most: bound });
            assert.equal(fault, undefined, `${nameOf(pump)}: ${fault}`);
          }
        });
      }
    });
  }
});

/** Patterns that this code had once, each of which could stop a window, with the pump that shows it. */
const old: readonly (readonly [pattern: RegExp, before: string, piece: string, after: string])[] = [
  [/\b(?:\w+_)*(?:api[ _-]?keys?|tokens?|secrets?|pat)\b/i, '', '_a', '\0'],
  [/\$\{[^}]*\}/g, '', '${', '\0'],
  [/(?:\$\{[^}]*\}|\S)+/g, '', '${', '\0'],
  [/[?&][^=&#]*(?:key|token|secret|auth)[^=&#]*=[^&#]/i, 'https://h/?', '?', '&='],
  [/\b[a-z][a-z0-9+.-]*:\/\/[^\s/?#@]+@/i, '', 'a-', '\0'],
  [/\b(?:curl|wget)\b.*\|\s*(?:(?:\S*\/)?(?:env|sudo)\s+)*(?:\S*\/)?(?:sh|bash)\b/is, '', 'curl a | ', '\0'],
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
  [/=+$/, '', '=', '\0'],
  [/^[\p{L}\p{N}_.-]*[\p{L}\p{N}][\p{L}\p{N}_.-]*$/u, '', '0', '\0'],
  [/(?<=.)@[^/\\]*$/, 'https://', 'a@', '/'],
];

suite('Text that takes more than linear time', () => {
  for (const [pattern, ...texts] of old) {
    test(`is found for ${String(pattern)}`, () => {
      const pump = pumps.find(({ before, piece, after }) => isDeepStrictEqual([before, piece, after], texts));
      assert.ok(pump, 'the pump is not tried with the code');
      const take = (text: string): unknown => text.replace(pattern, '');
      assert.match(growthWith(pump, { most: 32 * 1024, take }).fault ?? '', /characters take/);
    });
  }
});
