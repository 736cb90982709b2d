import type { Event } from '../lifetime/event.ts';

/** Levels of the editor's `LogOutputChannel`. */
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** The log of one server; in the editor, its `LogOutputChannel`. */
export interface Logger {
  /** True when `trace` lines are kept: check before serializing a message. */
  readonly isTracing: boolean;
  log(level: LogLevel, message: string): void;
  /** Shows the log. */
  show?(): void;
}

/** A log with a level, which the user may change. */
export interface LevelledLogger extends Logger {
  readonly level: LogLevel | 'off';
  readonly onDidChangeLevel: Event<void>;
}
