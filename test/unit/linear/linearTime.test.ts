import assert from 'node:assert/strict';
import { isThorough } from '../support/thoroughness.ts';
import { growthOf, type Growth } from './growth.ts';
import { nameOf, piecesOf, pumps, type Pump } from './pumps.ts';
import { subjects, type Subject } from './subjects.ts';

/** A defect shows at that size; `npm run test:soak` goes up to what a text may have. */
const most = isThorough ? Infinity : 16 * 1024;

function growthWith(pump: Pump, subject: Subject): Growth {
  return growthOf(
    (size) => {
      const pieces = piecesOf(pump, size);
      const text = pieces.join('');
      return () => subject.take(text, pieces);
    },
    Math.min(most, subject.most),
  );
}

suite('No text takes more than linear time', () => {
  for (const [source, all] of Object.entries(subjects)) {
    suite(`of ${source}`, () => {
      for (const [name, subject] of Object.entries(all)) {
        test(name, () => {
          for (const pump of pumps) {
            const { fault } = growthWith(pump, subject);
            assert.equal(fault, undefined, `${nameOf(pump)}: ${fault}`);
          }
        });
      }
    });
  }
});

/** Patterns that this code had once, and each of which could stop a window. */
const old: readonly RegExp[] = [/\b(?:\w+_)*(?:api[ _-]?keys?|tokens?|secrets?|pat)\b/i];

suite('Text that takes more than linear time', () => {
  for (const pattern of old) {
    test(`is found for ${String(pattern)}`, () => {
      const take = (text: string): unknown => text.replace(pattern, '');
      const found = pumps.find((pump) => growthWith(pump, { most: 64 * 1024, take }).fault !== undefined);
      assert.ok(found, 'no pump shows it');
    });
  }
});
