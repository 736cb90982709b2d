import { abortWith, CancellationError } from '../../../base/lifetime/cancellation.ts';
import { machineClock, type Clock } from '../../../base/time/clock.ts';
import { Countdown } from '../../../base/time/countdown.ts';
import type { ServerDefinition } from '../../config/serverDefinition.ts';
import { HostError } from '../../errors/hostError.ts';

/** A request may take this many times as long in all as its server may be silent … */
const TOTAL_PER_SILENCE = 10;
/** … and at least this many milliseconds. */
const MIN_TOTAL_MS = 10 * 60_000;
/** The longest time of a task, even if the server keeps it for longer, or without a limit. */
const MAX_TASK_MS = 24 * 60 * 60_000;

/** How long a request to one server may take. */
export interface AllowedTime {
  /** Milliseconds of silence; progress restarts them. */
  readonly silenceMs: number;
  /** Milliseconds in all, despite any progress. */
  readonly totalMs: number;
  /** How to allow more time, as it follows "the server did not answer within 60 s; ". */
  readonly advice: string;
}

/** The `timeout` of a definition takes precedence over `mcpHost.requestTimeout`, which is `setting` milliseconds. */
export function allowedTime({ timeout }: ServerDefinition, setting: number): AllowedTime {
  const silenceMs = timeout ?? setting;
  return {
    silenceMs,
    totalMs: Math.max(MIN_TOTAL_MS, TOTAL_PER_SILENCE * silenceMs),
    advice:
      timeout === undefined
        ? 'you can allow more time in the setting mcpHost.requestTimeout'
        : "you can allow more time with 'timeout' in its definition",
  };
}

/** The timeouts of all requests to one server. They are paused while the server waits for your answer to a question. */
export class RequestTimeouts {
  #pauses = 0;
  readonly #open = new Set<RequestTimeout>();
  readonly #allowed: () => AllowedTime;
  readonly #clock: Clock;

  /** @param allowed How long a request may take that begins now. */
  constructor(allowed: () => AllowedTime, clock: Clock = machineClock) {
    this.#allowed = allowed;
    this.#clock = clock;
  }

  get arePaused(): boolean {
    return this.#pauses > 0;
  }

  /** Runs `ask` with every timeout paused. */
  async pauseWhile<T>(ask: () => Promise<T>): Promise<T> {
    this.#pauses += 1;
    this.#open.forEach((timeout) => timeout.pause());
    try {
      return await ask();
    } finally {
      this.#pauses -= 1;
      if (this.#pauses === 0) {
        this.#open.forEach((timeout) => timeout.resume());
      }
    }
  }

  /**
   * Runs one request with a timeout (basic/lifecycle, timeouts: on every request, reset by progress, with a maximum
   * nevertheless). `run` gets a signal that aborts with the timeout or the caller's signal, a function to call on
   * progress, and one to call if the request has become a task, see `RequestTimeout.becomesTask`.
   *
   * @throws HostError `timedOut`, CancellationError when the caller's signal aborted, or what `run` threw.
   */
  async watch<T>(
    run: (
      signal: AbortSignal,
      onProgress: () => void,
      becomesTask: (keptMs: number | undefined) => void,
    ) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    if (signal?.aborted) {
      throw new CancellationError();
    }
    const timeout = new RequestTimeout(this.#allowed(), this.#clock);
    const following = signal && abortWith(timeout.abort, signal);
    this.#open.add(timeout);
    if (!this.arePaused) {
      timeout.resume();
    }
    try {
      return await run(
        timeout.abort.signal,
        () => timeout.reset(),
        (keptMs) => timeout.becomesTask(keptMs),
      );
    } catch (error) {
      if (signal?.aborted) {
        throw new CancellationError();
      }
      throw timeout.expiry ?? error;
    } finally {
      following?.dispose();
      timeout.end();
      this.#open.delete(timeout);
    }
  }
}

/** Two countdowns for one request: for silence, and in all. */
class RequestTimeout {
  /** Aborts with the timeout; its caller may abort it, too. */
  readonly abort = new AbortController();
  readonly #clock: Clock;
  readonly #silenceMs: number;
  readonly #silence: Countdown;
  #total: Countdown;
  #isPaused = true;
  #task: { readonly since: number; readonly ms: number } | undefined;
  expiry: HostError | undefined;

  /** Is paused until `resume`. */
  constructor({ silenceMs, totalMs, advice }: AllowedTime, clock: Clock) {
    this.#clock = clock;
    this.#silenceMs = silenceMs;
    const countdown = (ms: number, what: string): Countdown =>
      this.#countdown(ms, `the server did not ${what} within ${ms / 1_000} s; ${advice}`);
    this.#silence = countdown(silenceMs, 'answer');
    this.#total = countdown(totalMs, 'finish');
  }

  pause(): void {
    this.#isPaused = true;
    this.#silence.pause();
    this.#total.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#silence.start();
    this.#total.start();
  }

  /**
   * From now on the request may take as long as the server keeps its task, in milliseconds since the first call, if it says
   * so (2025-11-25, basic/utilities/tasks, TTL). Silence has no limit: the looks at the task have their own. A time shorter
   * than the silence allowed is extended to it: the server says itself when it no longer has the task.
   */
  becomesTask(keptMs: number | undefined): void {
    const ms = Math.max(this.#silenceMs, Math.min(keptMs ?? MAX_TASK_MS, MAX_TASK_MS));
    if (this.expiry || this.#task?.ms === ms) {
      return;
    }
    const since = this.#task?.since ?? this.#clock.now();
    this.#task = { since, ms };
    this.#silence.dispose();
    this.#total.dispose();
    const left = Math.max(0, ms - (this.#clock.now() - since));
    this.#total = this.#countdown(left, `the server did not finish its task within ${ms / 1_000} s`);
    if (!this.#isPaused) {
      this.#total.start();
    }
  }

  /** Restarts the silence; does not end a pause. */
  reset(): void {
    this.#silence.restart();
  }

  end(): void {
    this.#silence.dispose();
    this.#total.dispose();
  }

  #countdown(ms: number, message: string): Countdown {
    return new Countdown(ms, () => this.#expire(message), this.#clock);
  }

  #expire(message: string): void {
    this.end();
    this.expiry = new HostError('timedOut', message);
    this.abort.abort(this.expiry);
  }
}
