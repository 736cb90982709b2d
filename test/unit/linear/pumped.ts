import assert from 'node:assert/strict';
import { growthOf, type Growth } from './growth.ts';
import { nameOf, piecesOf, pumps, textOf, type Pump } from './pumps.ts';
import type { Subject } from './subject.ts';
import { subjects } from './subjects.ts';

/** Characters at which a defect shows, and entries of a list, of which each costs more. */
const first = { characters: 8 * 1024, entries: 250 } as const;
/** So many pumps, those that take longest, are tried up to the bound. */
const WHOLE = 2;

interface Pumped {
  readonly pump: Pump;
  readonly growth: Growth;
}

/** The growth of a subject with a pump; unless `isWhole`, up to a length that shows which pumps are worth more. */
export function pumped(pump: Pump, subject: Subject, isWhole = false): Pumped {
  const least = subject.isList ? first.entries : first.characters;
  const growth = growthOf(
    (size) => {
      const pieces = subject.isList ? piecesOf(pump, size * pump.piece.length) : [];
      const text = subject.isList ? '' : textOf(pump, size);
      return () => subject.take(text, pieces);
    },
    { first: least, most: isWhole ? subject.most : Math.min(subject.most, 8 * least), isWhole },
  );
  return { pump, growth };
}

/** Tries all subjects of these sources with all pumps. They are in two files because tests run side by side by file. */
export function testAll(isMeant: (source: string) => boolean): void {
  const longest: string[][] = [];

  for (const [source, all] of Object.entries(subjects).filter(([source]) => isMeant(source))) {
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
}

/** What a person or a repository writes; the others come from a server. */
export function isWritten(source: string): boolean {
  return ['a definition', 'a file of the workspace', 'a text that is pasted or imported'].includes(source);
}

/** Prints a table, if `LONGEST` is set. */
export function print(head: readonly string[], rows: readonly (readonly string[])[]): void {
  if (process.env['LONGEST'] !== undefined) {
    const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
    console.log(lines.join('\n'));
  }
}

function slowestFirst(one: Pumped, other: Pumped): number {
  return other.growth.longest.ms - one.growth.longest.ms;
}
