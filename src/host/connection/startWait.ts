import type { Disposable } from '../../base/lifetime/disposable.ts';
import type { Logger } from '../../base/logging/logger.ts';
import { secondsText } from '../../base/text/words.ts';

/** How long a process may be silent while it starts, in milliseconds. */
export interface StartPolicy {
  /** To `initialize`, after it did not answer the probe: then it restarts, with `initialize` first. */
  readonly silentMs: number;
  /** The same for what a package runner has started, which may be a set-up script. */
  readonly runnerSilentMs: number;
  /** In all, for a server that a package runner has to download. */
  readonly fetchMs: number;
  /** Between two checks whether the runner is still downloading. */
  readonly lookMs: number;
  /** Waits between two lines in the log that it is still starting; the last one repeats. */
  readonly sayAfterMs: readonly [number, ...number[]];
}

export const defaultStart: StartPolicy = {
  silentMs: 8_000,
  runnerSilentMs: 30_000,
  fetchMs: 10 * 60_000,
  lookMs: 3_000,
  sayAfterMs: [5_000, 10_000, 15_000, 30_000],
};

/** The time from a server's start to its first message. The log says from time to time that it is still starting. */
export class StartWait implements Disposable {
  /** In milliseconds since the epoch. */
  readonly since = Date.now();
  readonly #logger: Logger;
  readonly #runner: string | undefined;
  readonly #sayAfterMs: readonly number[];
  #hasReceived = false;
  #timer: NodeJS.Timeout | undefined;

  /** `runner` is the program that may have to download the server first. */
  constructor(logger: Logger, runner: string | undefined, { sayAfterMs }: StartPolicy) {
    this.#logger = logger;
    this.#runner = runner;
    this.#sayAfterMs = sayAfterMs;
    this.#sayLater(0);
  }

  /** The program that may still be downloading the server; undefined from its first message on. */
  get runner(): string | undefined {
    return this.#hasReceived ? undefined : this.#runner;
  }

  /** Call for each message of the server. */
  received(): void {
    this.#hasReceived = true;
    clearTimeout(this.#timer);
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  #sayLater(count: number): void {
    const wait = this.#sayAfterMs[Math.min(count, this.#sayAfterMs.length - 1)];
    this.#timer = setTimeout(() => {
      const fetching = this.#runner === undefined ? '' : ` ${this.#runner} may still be downloading.`;
      const waited = secondsText(Date.now() - this.since);
      this.#logger.log('info', `Starting for ${waited}: no message from the server yet.${fetching}`);
      this.#sayLater(count + 1);
    }, wait);
  }
}
