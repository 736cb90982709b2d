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
