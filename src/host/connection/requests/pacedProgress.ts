import type { Progress } from '@modelcontextprotocol/client';
import { Gathered } from '../../../base/gathered.ts';

/** Milliseconds in which a caller is told of one step at most: a server sends them as fast as it likes. */
const STEP_MS = 50;

export interface PacedProgress {
  readonly step: (progress: Progress) => void;
  /** Tells of the last step, and of none that come later. */
  readonly end: () => void;
}

/** Tells a caller the latest of a server's steps, in their order; the last one always. */
export function pacedProgress(tell: (progress: Progress) => void): PacedProgress {
  let latest: Progress | undefined;
  let hasEnded = false;
  const telling = new Gathered(STEP_MS, () => {
    if (latest) {
      const step = latest;
      latest = undefined;
      try {
        tell(step);
      } catch {
        // What a caller makes of a step is its own affair; its request goes on.
      }
    }
  });
  return {
    step: (progress) => {
      if (!hasEnded) {
        latest = progress;
        telling.soon();
      }
    },
    end: () => {
      telling.now();
      hasEnded = true;
    },
  };
}
