import { afterTimeout, type After } from './after.ts';

/** What time it is, in milliseconds since some moment, and what happens later. */
export interface Clock {
  readonly now: () => number;
  readonly after: After;
}

/** The clock of this machine: it never goes back, whatever is set. */
export const machineClock: Clock = { now: () => performance.now(), after: afterTimeout };
