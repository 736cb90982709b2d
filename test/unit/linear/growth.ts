import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Milliseconds of processor time below which a measurement says nothing: collecting garbage takes half of that. */
const FLOOR_MS = 40;
/** The same if a longer text follows, at which quadratic work shows four times as much. */
const EARLY_FLOOR_MS = 200;
/** The same for each character: where memory is handed out slowly, `JSON.parse` alone takes a fifth of that. */
const FLOOR_MS_PER_CHARACTER = 0.001;
/** The least that counts for a shorter text: some kernels count in steps of 4 ms. */
const STEP_MS = 4;
/** How much longer twice the text may take over two steps: 2 is linear, 4 is quadratic. */
const MOST_FACTOR = 3.2;
/** The same in each of them: what else runs makes one step shorter or longer, but rarely both. */
const STEP_FACTOR = 2.4;
/** From here on, it is measured again: what else runs may have made the shorter text take longer. */
const DOUBTFUL_FACTOR = 2.2;
/** Milliseconds that no short text may take; what takes longer is not measured again. */
const MOST_MS = 2_000;
/** A step that may be too long is measured that often, and the shortest times count: only a defect is slow each time. */
const TRIES = 6;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

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

/** How far to go. */
export interface Sizes {
  /** Up to here in any case. */
  readonly first: number;
  /** Up to here if quadratic work would take too long there, or if it is asked for. */
  readonly most: number;
  readonly isWhole?: boolean;
}

/**
 * Measures work on texts that get longer, and ends at the first step that takes more than linear time. Steps are small at
 * first, so that exponential work is noticed before it hangs.
 *
 * @param prepare makes the text of a size, and returns the work on it.
 */
export function growthOf(prepare: (size: number) => () => unknown, { first, most, isWhole }: Sizes): Growth {
  let before: Step = { size: 0, ms: 0 };
  let earlier = before;
  let longest = before;
  for (const size of sizesUpTo(most, first)) {
    const isClear = before.size >= first && before.ms * (most / before.size) ** 2 < MOST_MS;
    if (isClear && !isWhole) {
      break;
    }
    const work = prepare(size);
    let now: Step = { size, ms: timeOf(work) };
    const floorMs = size >= first && size < most ? EARLY_FLOOR_MS : FLOOR_MS;
    const isTooLong = (than: Step, factor = STEP_FACTOR): boolean =>
      now.ms > Math.max(floorMs, now.size * FLOOR_MS_PER_CHARACTER) && grows(now, than, factor);
    const isDoubtful = (): boolean =>
      now.ms < MOST_MS && (isTooLong(before, DOUBTFUL_FACTOR) || isTooLong(earlier));
    for (let tries = 1; tries < TRIES && isDoubtful(); tries += 1) {
      now = shortest(now, work);
      [before, earlier] = [before, earlier].map((step) => shortest(step, prepare(step.size))) as [Step, Step];
    }
    longest = now.ms > longest.ms ? now : longest;
    // What no longer fits a processor's cache makes one step longer; quadratic work makes each step longer.
    const grewBefore = before.ms < STEP_MS * MOST_FACTOR || grows(before, earlier);
    const isSuperlinear = isTooLong(before) && isTooLong(earlier, MOST_FACTOR) && grewBefore;
    if (isSuperlinear || (now.ms > MOST_MS && size < first)) {
      return { longest, fault: `${told(now)}, ${told(before)}, and ${told(earlier)}` };
    }
    earlier = before;
    before = now;
  }
  return { longest, fault: undefined };
}

function grows(now: Step, before: Step, factor = STEP_FACTOR): boolean {
  const doublings = Math.log2(now.size / Math.max(before.size, 1));
  return now.ms > Math.max(before.ms, STEP_MS) * factor ** doublings;
}

function told({ size, ms }: Step): string {
  return `${size} characters take ${ms.toFixed(1)} ms`;
}

function sizesUpTo(most: number, first: number): readonly number[] {
  const small = Array.from({ length: 12 }, (_, index) => 8 * Math.ceil(1.45 ** index));
  const wanted = [4_096, ...Array.from({ length: 6 }, (_, index) => first * 4 ** index), most / 4, most / 2];
  // Of two long texts of nearly one length, a little noise would look like growth.
  const large = wanted
    .toSorted((a, b) => b - a)
    .reduce((sizes, size) => (2 * size <= (sizes[0] ?? 0) ? [Math.floor(size), ...sizes] : sizes), [most]);
  return [...small.filter((size) => 2 * size <= (large[0] ?? 0)), ...large];
}

function shortest({ size, ms }: Step, work: () => unknown): Step {
  return { size, ms: Math.min(ms, timeWithoutGarbage(work)) };
}

/** What earlier work left would otherwise be collected within it. */
function timeWithoutGarbage(work: () => unknown): number {
  collectGarbage();
  return timeOf(work);
}

/** Of this thread: what else runs on the machine doesn't count. */
function timeOf(work: () => unknown): number {
  // Brings what the kernel has counted for this thread up to date.
  process.cpuUsage();
  const started = process.threadCpuUsage();
  work();
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage(started);
  return (user + system) / 1_000;
}
