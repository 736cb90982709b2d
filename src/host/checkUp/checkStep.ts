import type { Remedy } from '../connection/failures/remedies.ts';

/** What you can do about what a step found. */
export type CheckAction =
  | Remedy
  /** Put a folder first in the PATH of the definition, or of a copy of it in your settings. */
  | { readonly kind: 'usePath'; readonly folder: string; readonly isCopied?: true }
  /** Open the definition, answer the question about the launch, start the server, sign in, or read the log. */
  | { readonly kind: 'open' | 'review' | 'start' | 'signIn' | 'log' };

/** What a step of a check-up found. `noted` is worth reading, and no failure. */
export interface Finding {
  readonly outcome: 'ok' | 'failed' | 'skipped' | 'noted';
  /** Sentences, of one or more lines. */
  readonly text: string;
  /** What to do, in a sentence. */
  readonly advice?: string;
  readonly action?: CheckAction;
}

/** A step of a check-up. */
export interface CheckStep extends Finding {
  readonly title: string;
  /** Milliseconds that it took. */
  readonly ms: number;
}
