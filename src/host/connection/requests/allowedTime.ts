import type { ServerDefinition } from '../../config/serverDefinition.ts';

/** In all a request may take so many times as long as its server may be silent … */
const TOTAL_PER_SILENCE = 10;
/** … and so many milliseconds at least. */
const MIN_TOTAL_MS = 10 * 60_000;

/** How long a request to one server may take, and what says so. */
export interface AllowedTime {
  /** Milliseconds of silence; progress starts them anew. */
  readonly silenceMs: number;
  /** Milliseconds in all, however much progress there is. */
  readonly totalMs: number;
  /** What allows more, as it follows "the server did not answer within 60 s; ". */
  readonly advice: string;
}

/** The definition's own `timeout` comes before `mcpHost.requestTimeout`, which is `setting` milliseconds. */
export function allowedTime({ timeout }: ServerDefinition, setting: number): AllowedTime {
  const silenceMs = timeout ?? setting;
  return {
    silenceMs,
    totalMs: Math.max(MIN_TOTAL_MS, TOTAL_PER_SILENCE * silenceMs),
    advice:
      timeout === undefined
        ? 'the setting mcpHost.requestTimeout allows more'
        : "a higher 'timeout' in its definition allows more",
  };
}
