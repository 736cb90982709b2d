import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { growthOf, type Growth } from './growth.ts';
import { nameOf, piecesOf, pumps, textOf, type Pump } from './pumps.ts';
import type { Subject } from './subject.ts';
import { subjects } from './subjects.ts';

/** Characters at which a defect shows, and entries of a list, of which each costs more. */
const first = { characters: 16 * 1024, entries: 250 } as const;
/** So many pumps, those that take longest, are tried up to the bound. */
const WHOLE = 2;

interface Pumped {
  readonly pump: Pump;
  readonly growth: Growth;
}

function pumped(pump: Pump, subject: Subject, isWhole = false): Pumped {
  const least = subject.isList ? first.entries : first.characters;
  const growth = growthOf(
    (size) => {
      const pieces = subject.isList ? piecesOf(pump, size * pump.piece.length) : [];
      const text = subject.isList ? '' : textOf(pump, size);
      return () => subject.take(text, pieces);
    },
    { first: least, most: isWhole ? subject.most : Math.min(subject.most, 4 * least), isWhole },
  );
  return { pump, growth };
}

suite('No text takes more than linear time', () => {
  const longest: string[][] = [];

  for (const [source, all] of Object.entries(subjects)) {
    suite(`of ${source}`, () => {
      for (const [name, subject] of Object.entries(all)) {
        test(name, () => {
          const quick = pumps.map((pump) => pumped(pump, subject)).toSorted(slowestFirst);
          const slow = quick.slice(0, WHOLE).map(({ pump }) => pumped(pump, subject, true));
          for (const { pump, growth } of [...quick, ...slow]) {
            assert.equal(growth.fault, undefined, `${nameOf(pump)}: ${growth.fault}`);
          }
          const [worst] = slow.toSorted(slowestFirst);
          const { ms = 0, size = 0 } = worst?.growth.longest ?? {};
          const unit = subject.isList ? 'entries' : 'characters';
          longest.push([
            `${source}: ${name}`,
            worst ? nameOf(worst.pump) : '',
            `${size} ${unit}`,
            `${ms.toFixed(1)} ms`,
          ]);
        });
      }
    });
  }

  suiteTeardown(() => print(['input', 'text', 'size', 'processor time'], longest));
});

/** Prints a table, if `LONGEST` is set. */
function print(head: readonly string[], rows: readonly (readonly string[])[]): void {
  if (process.env['LONGEST'] !== undefined) {
    const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
    console.log(lines.join('\n'));
  }
}

function slowestFirst(one: Pumped, other: Pumped): number {
  return other.growth.longest.ms - one.growth.longest.ms;
}

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
