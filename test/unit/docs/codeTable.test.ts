import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { codeTable, type CodeKind } from '../../../src/host/launch/warnings/codeTable.ts';

const words: Readonly<Record<CodeKind, string>> = {
  code: 'code',
  command: 'a command',
  loads: 'other code',
  also: 'other code (a note)',
  source: 'another source',
  machine: 'another machine',
  admin: 'administrator rights',
  reaches: 'this machine',
};
const sections = readFileSync(new URL('../../../docs/internals/warnings.md', import.meta.url), 'utf8').split(
  '\n## ',
);
const rows = (sections.find((one) => one.startsWith('Arguments that run code\n')) ?? '')
  .split('\n')
  .filter((line) => /^\| (?!programs|---)/.test(line))
  .map((line) => line.slice(2, -2).split(' | '));

suite('The document of arguments that run code', () => {
  test('has a row for each row of the code, in its order', () => {
    assert.deepEqual(
      rows.map(([of = '', what, given = '']) => [namesIn(of), what, namesIn(given)]),
      codeTable.map(({ of, kind, arguments: tokens }) => [of, words[kind], tokens]),
    );
  });
});

function namesIn(cell: string): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}
