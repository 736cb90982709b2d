import { toDisposable, type Disposable } from '../lifetime/disposable.ts';

/** Runs `work` once, after so many milliseconds, unless the result is disposed first. */
export type After = (ms: number, work: () => void) => Disposable;

/** With a timer that doesn't keep the process alive. */
export const afterTimeout: After = (ms, work) => {
  const timer = setTimeout(work, ms).unref();
  return toDisposable(() => clearTimeout(timer));
};

/** The time, in milliseconds since some moment, and timers. */
export interface Clock {
  readonly now: () => number;
  readonly after: After;
}

/** The clock of this machine, which never goes back, even if the user sets it. */
export const machineClock: Clock = { now: () => performance.now(), after: afterTimeout };
