import type { Progress } from '@modelcontextprotocol/client';

/** A step of a progress bar: the increment in percent, and what happens. */
export interface ProgressReport {
  readonly increment?: number;
  readonly message?: string;
}

/** Turns a server's progress, in units of its own, into steps of a bar that never goes back. */
export class ProgressMeter {
  #percent = 0;

  next({ progress, total, message }: Progress): ProgressReport {
    const percent = total !== undefined && total > 0 ? Math.min(100, (progress / total) * 100) : 0;
    const increment = Math.max(0, percent - this.#percent);
    this.#percent += increment;
    return { ...(increment > 0 && { increment }), ...(message !== undefined && { message }) };
  }
}
