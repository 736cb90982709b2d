import type { Progress } from '@modelcontextprotocol/client';
import { CancellationError } from '../../../base/lifetime/cancellation.ts';
import { Gathered } from '../../../base/time/gathered.ts';
import type { RequestInFlight } from './requestsInFlight.ts';
import type { TaskReport } from './taskReport.ts';
import { requestFailure } from './requestFailure.ts';
import type { RequestTimeouts } from './requestTimeouts.ts';

export interface RequestOptions {
  /** Called in order, at most 20 times a second with the latest progress, and always with the last one. */
  readonly onProgress?: (progress: Progress) => void;
  /** Called when the request goes to the server: what the server asks meanwhile names it as its reason. */
  readonly onSent?: (request: RequestInFlight) => void;
  /** Called when the request has become a task, and with each state of it. */
  readonly onTask?: (report: TaskReport) => void;
  /** Called before the request goes again because you have opened what it requires. @throws if it may no longer be sent */
  readonly beforeRepeat?: () => Promise<void>;
}

/** The options of a request for the SDK, which takes no notice of the last two. */
export interface RequestLimits {
  readonly signal: AbortSignal;
  readonly timeout: number;
  readonly onprogress: (progress: Progress) => void;
  /** Call if the request has become a task, with the milliseconds for which the server keeps it, if it says so. */
  readonly becomesTask: (keptMs: number | undefined) => void;
  readonly onTask: (report: TaskReport) => void;
}

/** A schema (Standard Schema, version 1) that accepts every value, and gives it as it was received. */
export const asReceived = {
  '~standard': { version: 1, vendor: 'mcp-host', validate: (value: unknown) => ({ value }) },
} as const;

/** Disables the SDK's own timeout: only `RequestTimeouts` can be paused. */
export const NEVER_MS = 2 ** 31 - 1;

/** Milliseconds between two reports of progress: servers send them as fast as they like. */
const PROGRESS_MS = 50;

/**
 * Sends one request, which ends when the time allowed has passed.
 *
 * @throws HostError as `requestFailure`, or `timedOut`; CancellationError when the signal aborted.
 */
export async function sendRequest<T>(
  send: (limits: RequestLimits) => Promise<T>,
  timeouts: RequestTimeouts,
  { onProgress, onTask }: RequestOptions,
  signal: AbortSignal | undefined,
): Promise<T> {
  const throttle = onProgress && new ProgressThrottle(onProgress);
  try {
    return await timeouts.watch(
      (abort, hasProgressed, becomesTask) =>
        send({
          signal: abort,
          timeout: NEVER_MS,
          becomesTask,
          onTask: (report) => onTask?.(report),
          onprogress: (progress) => {
            hasProgressed();
            throttle?.take(progress);
          },
        }),
      signal,
    );
  } catch (error) {
    throw error instanceof CancellationError ? error : await requestFailure(error);
  } finally {
    throttle?.end();
  }
}

class ProgressThrottle {
  readonly #reporting: Gathered;
  #latest: Progress | undefined;
  #hasEnded = false;

  constructor(report: (progress: Progress) => void) {
    this.#reporting = new Gathered(PROGRESS_MS, () => {
      const latest = this.#latest;
      this.#latest = undefined;
      try {
        if (latest) {
          report(latest);
        }
      } catch {
        // The request does not depend on what its caller does with progress.
      }
    });
  }

  take(progress: Progress): void {
    if (!this.#hasEnded) {
      this.#latest = progress;
      this.#reporting.soon();
    }
  }

  /** Reports the last progress, and ignores any that comes later. */
  end(): void {
    this.#reporting.now();
    this.#hasEnded = true;
  }
}
