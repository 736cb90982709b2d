import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as bounds from '../../../src/host/json/bounds.ts';

const text = readFileSync(new URL('../../../docs/internals/limits.md', import.meta.url), 'utf8');
const table = text
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .join('\n');

/** Ways in which a table says a number. */
function saysNumber(value: number): boolean {
  const mebibytes = value / 2 ** 20;
  const minutes = value / 60_000;
  return [
    value.toLocaleString('en-US'),
    ...(Number.isInteger(mebibytes) ? [`${mebibytes} MiB`] : []),
    ...(Number.isInteger(minutes) ? [`${minutes} minutes`] : []),
  ].some((words) => new RegExp(`(?<!\\d|\\d,)${words}(?!,?\\d)`).test(table));
}

suite('The document of the bounds', () => {
  for (const [name, group] of Object.entries(bounds)) {
    const limits = typeof group === 'number' ? { [name]: group } : group;
    for (const [limit, value] of Object.entries(limits)) {
      // Up to there a message is parsed at once, which is no bound; it is in the text.
      if (
        typeof value === 'number' &&
        name !== 'AT_ONCE_BYTES' &&
        limit !== 'sentence' &&
        limit !== 'mebibytes'
      ) {
        test(`says what ${name}.${limit} is`, () => {
          assert.ok(saysNumber(value), `${value} is not in the table`);
        });
      }
    }
  }
});
