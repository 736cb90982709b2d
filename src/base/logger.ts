import type { Event } from './event.ts';

/** Levels of the editor's `LogOutputChannel`. */
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** Where one server's life is written down; in the editor, its `LogOutputChannel`. */
export interface Logger {
  /** True when `trace` lines are kept: ask before serialising a message. */
  readonly isTracing: boolean;
  log(level: LogLevel, message: string): void;
  /** Brings the log before the person, where there is one. */
  show?(): void;
}

/** A log that keeps lines from one level on, which the person changes. */
export interface LevelledLogger extends Logger {
  readonly level: LogLevel | 'off';
  readonly onDidChangeLevel: Event<void>;
}
