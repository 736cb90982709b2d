import type { Progress } from '@modelcontextprotocol/client';

/** Milliseconds between two reports: a server may send progress as fast as it likes. */
const INTERVAL_MS = 100;

/** What a progress bar takes: how much further it is, in percent, and what happens. */
export interface ProgressReport {
  readonly increment?: number;
  readonly message?: string;
}

/** Turns a server's progress, in units of its own, into steps of a bar that never goes back. */
export class ProgressMeter {
  #percent = 0;
  #reportedAt = -Infinity;

  /** Gives what to report; undefined when the last report is too recent. `now` is in milliseconds. */
  next({ progress, total, message }: Progress, now: number): ProgressReport | undefined {
    if (now - this.#reportedAt < INTERVAL_MS) {
      return undefined;
    }
    this.#reportedAt = now;
    const percent = total !== undefined && total > 0 ? Math.min(100, (progress / total) * 100) : 0;
    const increment = Math.max(0, percent - this.#percent);
    this.#percent += increment;
    return { ...(increment > 0 && { increment }), ...(message !== undefined && { message }) };
  }
}
