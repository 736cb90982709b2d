import { isDeepStrictEqual } from 'node:util';
import { Slices } from '../../../base/slices.ts';
import type { Listed } from './listPages.ts';

/** Units of work that it takes to compare one item with another. */
const ITEM_WORK = 500;

/** Whether a list came back as it was: its items and their order, what of it is left out or read into it, and where it ends. */
export async function areSameLists(
  before: readonly Listed<unknown>[],
  now: readonly Listed<unknown>[],
): Promise<boolean> {
  const slices = new Slices();
  for (const [index, one] of now.entries()) {
    const other = before[index];
    if (
      other?.items.length !== one.items.length ||
      other.cut !== one.cut ||
      !isDeepStrictEqual([other.malformed, other.notes], [one.malformed, one.notes])
    ) {
      return false;
    }
    for (const [place, item] of one.items.entries()) {
      if (!isDeepStrictEqual(other.items[place], item)) {
        return false;
      }
      slices.spend(ITEM_WORK);
      if (slices.isUsedUp) {
        await slices.rest();
      }
    }
  }
  return before.length === now.length;
}
