import type { Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { secondsText } from '../../base/secondsText.ts';
import type { StartPolicy } from './requests/startPolicy.ts';

/** The time from the start of a server until it has said something, which its log is told of. */
export class StartWait implements Disposable {
  /** In milliseconds since the epoch. */
  readonly since = Date.now();
  readonly #logger: Logger;
  readonly #runner: string | undefined;
  readonly #sayAfterMs: readonly number[];
  #hasHeard = false;
  #timer: NodeJS.Timeout | undefined;

  /** `runner` names what may have to fetch the server first. */
  constructor(logger: Logger, runner: string | undefined, { sayAfterMs }: StartPolicy) {
    this.#logger = logger;
    this.#runner = runner;
    this.#sayAfterMs = sayAfterMs;
    this.#sayLater(0);
  }

  /** What may still be fetching the server; undefined when nothing does, and from its first message on. */
  get runner(): string | undefined {
    return this.#hasHeard ? undefined : this.#runner;
  }

  /** The server has said something. */
  heard(): void {
    this.#hasHeard = true;
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
      this.#logger.log('info', `Starting for ${waited}: nothing has come from the server yet.${fetching}`);
      this.#sayLater(count + 1);
    }, wait);
  }
}
