import { isDeepStrictEqual } from 'node:util';
import { Slices } from '../../../base/time/slices.ts';
import type { MalformedItem } from '../../results/soundPage.ts';

/** The lists of a server that change; resources and their templates count as one. */
export type ListKind = 'tools' | 'resources' | 'prompts';

/** One list of a server, as far as it was read. */
export interface ServerList<T> {
  readonly items: readonly T[];
  /** Items that cannot be used, in the server's order. */
  readonly malformed: readonly MalformedItem[];
  /** How items were corrected, each as a sentence, by the tool's or prompt's name or the resource's URI. */
  readonly notes: ReadonlyMap<string, string>;
  /** Milliseconds for which the list stays fresh; undefined if the server does not say. */
  readonly ttlMs: number | undefined;
  /** Why the list is incomplete, as a clause; undefined if it is complete. */
  readonly cut: string | undefined;
  /** Why a page after the first could not be read. */
  readonly failure?: unknown;
}

/** Units of work for the comparison of two items. */
const ITEM_WORK = 500;

/** Whether lists have the same items in the same order, with the same corrections and faults, and end alike. */
export async function areSameLists(
  before: readonly ServerList<unknown>[],
  now: readonly ServerList<unknown>[],
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
