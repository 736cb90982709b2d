import type { Disposable } from '../base/disposable.ts';
import type { Logger, LogLevel } from '../base/logger.ts';
import { ServerLog } from './serverLog.ts';

/** A log that is there from its first line on: most windows never have one. */
export class RareLog implements Logger, Disposable {
  readonly isTracing = false;
  readonly #label: string;
  #log: ServerLog | undefined;
  #isDisposed = false;

  constructor(label: string) {
    this.#label = label;
  }

  log(level: LogLevel, message: string): void {
    if (!this.#isDisposed) {
      this.#log ??= new ServerLog(this.#label);
      this.#log.log(level, message);
    }
  }

  show(): void {
    this.#log?.show();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#log?.dispose();
  }
}
