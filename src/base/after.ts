import { toDisposable, type Disposable } from './disposable.ts';

/** Runs `work` once, after so many milliseconds; disposing the result calls it off. */
export type After = (ms: number, work: () => void) => Disposable;

/** By the clock of this machine; it keeps no process alive. */
export const afterTimeout: After = (ms, work) => {
  const timer = setTimeout(work, ms).unref();
  return toDisposable(() => clearTimeout(timer));
};
