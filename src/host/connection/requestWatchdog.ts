import { CancellationError } from '../../base/cancellation.ts';
import { HostError } from '../hostError.ts';

/** Milliseconds after which a request ends however much progress it reports. */
const MAX_TOTAL_MS = 10 * 60_000;

export interface WatchdogOptions {
  /** Milliseconds of silence after which the request is given up; progress starts them anew. */
  readonly silenceMs: number;
  readonly maxTotalMs?: number;
}

/**
 * The time that the person is being asked something by one server. While it runs, no request to that
 * server runs out of time: the server is waiting for us.
 */
export class PersonPause {
  #asking = 0;
  readonly #watchdogs = new Set<RequestWatchdog>();

  /** Runs `ask` with every watchdog of this server paused. */
  async whileAsking<T>(ask: () => Promise<T>): Promise<T> {
    this.#asking += 1;
    this.#watchdogs.forEach((watchdog) => watchdog.pause());
    try {
      return await ask();
    } finally {
      this.#asking -= 1;
      if (this.#asking === 0) {
        this.#watchdogs.forEach((watchdog) => watchdog.resume());
      }
    }
  }

  /**
   * Runs one request under a watchdog (basic/lifecycle, timeouts: on every request, reset by progress,
   * with a maximum all the same).
   *
   * `run` gets a signal that aborts for either reason and a function to call on progress.
   *
   * @throws HostError `timedOut`, CancellationError when the caller's signal aborted, or what `run` threw.
   */
  async watch<T>(
    options: WatchdogOptions,
    run: (signal: AbortSignal, onProgress: () => void) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    if (signal?.aborted) {
      throw new CancellationError();
    }
    const watchdog = new RequestWatchdog(options);
    this.#watchdogs.add(watchdog);
    if (this.#asking > 0) {
      watchdog.pause();
    }
    try {
      const both = signal ? AbortSignal.any([signal, watchdog.signal]) : watchdog.signal;
      return await run(both, () => watchdog.reset());
    } catch (error) {
      if (signal?.aborted) {
        throw new CancellationError();
      }
      throw watchdog.expiry ?? error;
    } finally {
      watchdog.end();
      this.#watchdogs.delete(watchdog);
    }
  }
}

/** Two clocks that stand still together: one for silence, one for the whole. */
class RequestWatchdog {
  readonly #abort = new AbortController();
  readonly #options: Required<WatchdogOptions>;
  #totalLeft: number;
  #silenceLeft: number;
  #startedAt: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  expiry: HostError | undefined;

  constructor(options: WatchdogOptions) {
    this.#options = { maxTotalMs: MAX_TOTAL_MS, ...options };
    this.#totalLeft = this.#options.maxTotalMs;
    this.#silenceLeft = this.#options.silenceMs;
    this.resume();
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  pause(): void {
    if (this.#startedAt !== undefined) {
      const elapsed = Date.now() - this.#startedAt;
      this.#startedAt = undefined;
      this.#totalLeft -= elapsed;
      this.#silenceLeft -= elapsed;
      clearTimeout(this.#timer);
    }
  }

  resume(): void {
    if (this.#startedAt === undefined && !this.signal.aborted) {
      this.#startedAt = Date.now();
      this.#timer = setTimeout(
        () => this.#expire(),
        Math.max(0, Math.min(this.#totalLeft, this.#silenceLeft)),
      );
    }
  }

  /** Starts the silence anew; a paused watchdog stays paused. */
  reset(): void {
    const isRunning = this.#startedAt !== undefined;
    this.pause();
    this.#silenceLeft = this.#options.silenceMs;
    if (isRunning) {
      this.resume();
    }
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#startedAt = undefined;
  }

  #expire(): void {
    const { silenceMs, maxTotalMs } = this.#options;
    const isSilence = this.#silenceLeft <= this.#totalLeft;
    this.expiry = new HostError(
      'timedOut',
      isSilence
        ? `the server did not answer within ${seconds(silenceMs)}; the setting mcpHost.requestTimeout allows more`
        : `the server did not finish within ${seconds(maxTotalMs)}`,
    );
    this.#abort.abort(this.expiry);
  }
}

function seconds(ms: number): string {
  return `${ms / 1_000} s`;
}
