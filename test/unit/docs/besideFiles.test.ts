import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { besideTable } from '../../../src/host/launch/warnings/besideTable.ts';

const sections = readFileSync(new URL('../../../docs/internals/warnings.md', import.meta.url), 'utf8').split(
  '\n## ',
);
const rows = (sections.find((one) => one.startsWith('Files beside the command\n')) ?? '')
  .split('\n')
  .filter((line) => /^\| (?!read by|---)/.test(line))
  .map((line) => line.slice(2, -2).split(' | '));

suite('The document of the files beside a command', () => {
  test('has a row for each row of the code, in its order, with what counts in the file', () => {
    assert.deepEqual(
      rows.map(([of = '', files = '', where, decides = '']) => [
        namesIn(of),
        namesIn(files),
        where === 'here and above',
        namesIn(decides).filter((name) => name !== 'bin'),
      ]),
      besideTable.map(({ of, files, isAboveToo, decides }) => [
        of,
        files,
        isAboveToo,
        'names' in decides ? decides.names : [],
      ]),
    );
  });
});

function namesIn(cell: string): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}
