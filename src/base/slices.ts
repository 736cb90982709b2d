import { setImmediate as whenOthersHaveRun } from 'node:timers/promises';

/** Milliseconds that a piece of long work may hold up the process at a stretch. */
const SLICE_MS = 8;

/** Cuts long work into slices, between which everything else of the process goes on. */
export class Slices {
  #began = performance.now();

  /** True when it is the others' turn: then await `rest`. */
  get isUsedUp(): boolean {
    return performance.now() - this.#began > SLICE_MS;
  }

  /** Resolves when the others have had their turn. */
  async rest(): Promise<void> {
    await whenOthersHaveRun();
    this.#began = performance.now();
  }
}

/** How many items are sorted without asking for the time. */
const RUN = 512;

/** As `toSorted`, in slices. Equal items keep their order. */
export async function sortedInSlices<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  slices: Slices,
): Promise<readonly T[]> {
  let runs: (readonly T[])[] = [];
  for (let start = 0; start < items.length; start += RUN) {
    runs.push(items.slice(start, start + RUN).sort(compare));
    if (slices.isUsedUp) {
      await slices.rest();
    }
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = [];
    for (let index = 0; index < runs.length; index += 2) {
      merged.push(await mergedInSlices(runs[index] ?? [], runs[index + 1] ?? [], compare, slices));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

async function mergedInSlices<T>(
  left: readonly T[],
  right: readonly T[],
  compare: (a: T, b: T) => number,
  slices: Slices,
): Promise<readonly T[]> {
  const merged: T[] = [];
  let [fromLeft, fromRight] = [0, 0];
  while (fromLeft < left.length && fromRight < right.length) {
    const [a, b] = [left[fromLeft] as T, right[fromRight] as T];
    if (compare(a, b) <= 0) {
      merged.push(a);
      fromLeft += 1;
    } else {
      merged.push(b);
      fromRight += 1;
    }
    if (slices.isUsedUp) {
      await slices.rest();
    }
  }
  return merged.concat(left.slice(fromLeft), right.slice(fromRight));
}
