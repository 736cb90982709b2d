/** Milliseconds of processor time below which a measurement says nothing: Linux counts in steps of 4. */
const FLOOR_MS = 25;
/** How much longer twice the text may take: 2 is linear, 4 is quadratic. */
const MOST_FACTOR = 3;
/** Milliseconds that no text may take. */
const MOST_MS = 2_000;
/** A step that looks too long is measured that often: only a defect is slow each time. */
const TRIES = 5;

/** The processor time of one step, with the size of its text. */
interface Step {
  readonly size: number;
  readonly ms: number;
}

/** What was measured: the longest step, and a sentence if a step takes more than linear time. */
export interface Growth {
  readonly longest: Step;
  readonly fault: string | undefined;
}

/**
 * Measures work on texts that get longer, up to `most` characters, and ends at the first step that takes more than linear
 * time. Steps are small at first, so that exponential work is noticed before it hangs.
 *
 * @param prepare makes the text of a size, and returns the work on it.
 */
export function growthOf(prepare: (size: number) => () => unknown, most: number): Growth {
  let before: Step = { size: 0, ms: 0 };
  let longest = before;
  for (const size of sizesUpTo(most)) {
    const work = prepare(size);
    let ms = timeOf(work);
    for (let tries = 1; tries < TRIES && ms < MOST_MS && isTooLong(ms, before.ms); tries += 1) {
      ms = Math.min(ms, timeOf(work));
      before = { ...before, ms: Math.max(before.ms, timeOf(prepare(before.size))) };
    }
    longest = ms > longest.ms ? { size, ms } : longest;
    if (isTooLong(ms, before.ms)) {
      const [now, then] = [ms, before.ms].map((one) => one.toFixed(1));
      return { longest, fault: `${size} characters take ${now} ms, and ${before.size} take ${then} ms` };
    }
    before = { size, ms };
  }
  return { longest, fault: undefined };
}

function isTooLong(ms: number, before: number): boolean {
  return ms > MOST_MS || (ms > FLOOR_MS && ms > MOST_FACTOR * before);
}

function* sizesUpTo(most: number): Generator<number> {
  let size = 4;
  while (size <= most) {
    yield size;
    size += size < 256 ? Math.max(4, Math.floor(size / 4)) : size;
  }
}

/** Of this thread: what else runs on the machine doesn't count. */
function timeOf(work: () => unknown): number {
  const started = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(started);
  return (user + system) / 1_000;
}
