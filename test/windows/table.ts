import { relative } from 'node:path';
import type { FileResults } from './fileResults.ts';

/** Prints what failed, the table by room, and the reasons for what is left out. True if nothing failed. */
export function printTable(files: readonly FileResults[]): boolean {
  console.log(files.map(failuresText).join(''));
  const rooms = Map.groupBy(files, ({ file }) =>
    relative('test', file).split(/[\\/]/).slice(0, -1).slice(0, 3).join('/'),
  );
  const rows = [...rooms].map(([room, inRoom]) => [room, ...counts(inRoom)] as const);
  console.log(`\n${line('room', 'passed', 'failed', 'left out')}`);
  rows.forEach((row) => console.log(line(...row)));
  const total = counts(files);
  console.log(line('all', ...total));
  console.log('\nleft out (a whole file counts once), because');
  const reasons = Map.groupBy(
    files.flatMap(({ leftOut }) => leftOut),
    (reason) => reason,
  );
  for (const [reason, tests] of [...reasons].toSorted(([, one], [, other]) => other.length - one.length)) {
    console.log(`${String(tests.length).padStart(6)}  ${reason}`);
  }
  const [passed, failures, leftOut] = total;
  console.log(`\n${passed} passed, ${failures} failed, ${leftOut} left out`);
  return failures === 0;
}

/** What failed in a file, each with its error. */
export function failuresText({ file, failures }: FileResults): string {
  return failures
    .map(
      ({ title, error }) => `\n${file}\n  ${title}\n    ${error.split('\n').slice(0, 30).join('\n    ')}\n`,
    )
    .join('');
}

function counts(files: readonly FileResults[]): [passed: number, failed: number, leftOut: number] {
  return [
    files.reduce((sum, { passed }) => sum + passed, 0),
    files.reduce((sum, { failures }) => sum + failures.length, 0),
    files.reduce((sum, { leftOut }) => sum + leftOut.length, 0),
  ];
}

function line(room: string, ...cells: readonly (string | number)[]): string {
  return room.padEnd(28) + cells.map((cell) => String(cell).padStart(10)).join('');
}
