import { Emitter } from '../../../src/base/event.ts';
import type { Logger, LogLevel } from '../../../src/base/logger.ts';

/** Keeps what is logged, as `level: message`. */
export class RecordingLogger implements Logger {
  readonly lines: string[] = [];
  readonly #onDidLog = new Emitter<void>();
  readonly onDidLog = this.#onDidLog.event;
  isTracing = false;

  log(level: LogLevel, message: string): void {
    this.lines.push(`${level}: ${message}`);
    this.#onDidLog.fire();
  }

  dispose(): void {
    this.#onDidLog.dispose();
  }

  has(part: string): boolean {
    return this.lines.some((line) => line.includes(part));
  }
}
