import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifetime/disposable.ts';
import { Emitter } from '../../base/lifetime/event.ts';
import type { LevelledLogger, LogLevel } from '../../base/logging/logger.ts';

/**
 * One server's `LogOutputChannel`, which lives as long as the server's definition. It is created with the first line:
 * a file can define many servers that are never started.
 */
export class ServerLog implements LevelledLogger, Disposable {
  readonly #label: string;
  readonly #onDidChangeLevel = new Emitter<void>();
  readonly onDidChangeLevel = this.#onDidChangeLevel.event;
  #channel: vscode.LogOutputChannel | undefined;
  #isDisposed = false;

  constructor(label: string) {
    this.#label = label;
  }

  get level(): LogLevel | 'off' {
    // A channel starts with the level of the window.
    return this.#isDisposed ? 'off' : levels[this.#channel?.logLevel ?? vscode.env.logLevel];
  }

  get isTracing(): boolean {
    return this.level === 'trace';
  }

  log(level: LogLevel, message: string): void {
    if (this.#isDisposed) {
      return;
    }
    try {
      this.#opened()[level](message);
    } catch {
      // When the window closes, the editor's side is gone first.
    }
  }

  show(): void {
    if (!this.#isDisposed) {
      this.#opened().show();
    }
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#onDidChangeLevel.dispose();
    this.#channel?.dispose();
  }

  #opened(): vscode.LogOutputChannel {
    if (!this.#channel) {
      const before = this.level;
      this.#channel = vscode.window.createOutputChannel(`MCP: ${this.#label}`, { log: true });
      // This listener ends with the channel.
      this.#channel.onDidChangeLogLevel(() => this.#onDidChangeLevel.fire());
      if (this.level !== before) {
        this.#onDidChangeLevel.fire();
      }
    }
    return this.#channel;
  }
}

const levels: Record<vscode.LogLevel, LogLevel | 'off'> = {
  [vscode.LogLevel.Off]: 'off',
  [vscode.LogLevel.Trace]: 'trace',
  [vscode.LogLevel.Debug]: 'debug',
  [vscode.LogLevel.Info]: 'info',
  [vscode.LogLevel.Warning]: 'warn',
  [vscode.LogLevel.Error]: 'error',
};
