import type { Progress } from '@modelcontextprotocol/server';
import { Gathered } from '../../base/gathered.ts';

/** Milliseconds in which a client is told of one step at most. */
const STEP_MS = 50;

/** Passes on the latest of a server's steps, however fast they come. */
export function forwardedProgress(send: (step: Progress) => unknown): {
  readonly forward: (step: Progress) => void;
  /** Passes on the last step, and none that come later. */
  readonly end: () => void;
} {
  let latest: Progress | undefined;
  let hasEnded = false;
  const sending = new Gathered(STEP_MS, () => {
    if (latest) {
      send(latest);
      latest = undefined;
    }
  });
  return {
    forward: (step) => {
      if (!hasEnded) {
        latest = step;
        sending.soon();
      }
    },
    end: () => {
      sending.now();
      hasEnded = true;
    },
  };
}
