import { CancellationError } from '../../../base/cancellation.ts';
import { machineClock, type Clock } from '../../../base/clock.ts';
import { Countdown } from '../../../base/countdown.ts';
import { HostError } from '../../errors/hostError.ts';
import type { AllowedTime } from './allowedTime.ts';

/**
 * The time that the person is being asked something by one server. While it runs, no request to that
 * server runs out of time: the server is waiting for us.
 */
export class PersonPause {
  #asking = 0;
  readonly #watchdogs = new Set<RequestWatchdog>();
  readonly #clock: Clock;

  constructor(clock: Clock = machineClock) {
    this.#clock = clock;
  }

  get isAsking(): boolean {
    return this.#asking > 0;
  }

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
    allowed: AllowedTime,
    run: (signal: AbortSignal, onProgress: () => void) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    if (signal?.aborted) {
      throw new CancellationError();
    }
    const watchdog = new RequestWatchdog(allowed, this.#clock);
    this.#watchdogs.add(watchdog);
    if (!this.isAsking) {
      watchdog.resume();
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
  readonly #silence: Countdown;
  readonly #total: Countdown;
  expiry: HostError | undefined;

  /** Stands still until it is resumed. */
  constructor({ silenceMs, totalMs, advice }: AllowedTime, clock: Clock) {
    const after = (ms: number, what: string): Countdown =>
      new Countdown(
        ms,
        () => this.#expire(`the server did not ${what} within ${ms / 1_000} s; ${advice}`),
        clock,
      );
    this.#silence = after(silenceMs, 'answer');
    this.#total = after(totalMs, 'finish');
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  pause(): void {
    this.#silence.pause();
    this.#total.pause();
  }

  resume(): void {
    this.#silence.start();
    this.#total.start();
  }

  /** Starts the silence anew; a paused watchdog stays paused. */
  reset(): void {
    this.#silence.restart();
  }

  end(): void {
    this.#silence.dispose();
    this.#total.dispose();
  }

  #expire(message: string): void {
    this.end();
    this.expiry = new HostError('timedOut', message);
    this.#abort.abort(this.expiry);
  }
}
