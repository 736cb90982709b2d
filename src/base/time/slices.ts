import { setImmediate as whenOthersHaveRun } from 'node:timers/promises';

/** Milliseconds for which long work may block the process at a time. */
export const SLICE_MS = 8;

/** Units of work that end a slice, however fast they were done: about a byte, or a thirtieth of a value, each. */
export const SLICE_WORK = 1024 * 1024;

/** Cuts long work into slices, between which the process does everything else. */
export class Slices {
  #began = performance.now();
  #work = 0;

  /** True when the slice is over: then await `rest`. */
  get isUsedUp(): boolean {
    return this.#work >= SLICE_WORK || performance.now() - this.#began > SLICE_MS;
  }

  /** Counts work done in this slice. */
  spend(units: number): void {
    this.#work += units;
  }

  /** Resolves when the process has handled other events. */
  async rest(): Promise<void> {
    await whenOthersHaveRun();
    this.renew();
  }

  /** Begins a new slice: for the first line of a callback of the event loop. */
  renew(): void {
    this.#began = performance.now();
    this.#work = 0;
  }

  /** Runs work that yields, after each step, the units that it took; returns its result. */
  async run<T>(work: Generator<number, T>): Promise<T> {
    for (;;) {
      const step = work.next();
      if (step.done) {
        return step.value;
      }
      this.spend(step.value);
      if (this.isUsedUp) {
        await this.rest();
      }
    }
  }
}

/** Runs such work without a pause. */
export function atOnce<T>(work: Generator<number, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) {
      return step.value;
    }
  }
}

/** How many items are sorted without checking the time. */
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
