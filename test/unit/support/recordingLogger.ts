import { Emitter } from '../../../src/base/lifetime/event.ts';
import type { LevelledLogger, LogLevel } from '../../../src/base/logging/logger.ts';

/** Keeps what is logged, as `level: message`. */
export class RecordingLogger implements LevelledLogger {
  readonly lines: string[] = [];
  readonly #onDidLog = new Emitter<void>();
  readonly onDidLog = this.#onDidLog.event;
  readonly #onDidChangeLevel = new Emitter<void>();
  readonly onDidChangeLevel = this.#onDidChangeLevel.event;
  isTracing = false;
  #level: LogLevel | 'off' = 'debug';

  get level(): LogLevel | 'off' {
    return this.#level;
  }

  set level(level: LogLevel | 'off') {
    this.#level = level;
    this.#onDidChangeLevel.fire();
  }

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
