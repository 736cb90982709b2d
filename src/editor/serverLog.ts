import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import type { LevelledLogger, LogLevel } from '../base/logger.ts';

/** One server's `LogOutputChannel`; it lives as long as the server's definition. */
export class ServerLog implements LevelledLogger, Disposable {
  readonly #channel: vscode.LogOutputChannel;
  readonly #onDidChangeLevel = new Emitter<void>();
  readonly onDidChangeLevel = this.#onDidChangeLevel.event;
  #isDisposed = false;

  constructor(label: string) {
    this.#channel = vscode.window.createOutputChannel(`MCP: ${label}`, { log: true });
    // It ends with the channel.
    this.#channel.onDidChangeLogLevel(() => this.#onDidChangeLevel.fire());
  }

  get level(): LogLevel | 'off' {
    return this.#isDisposed ? 'off' : levels[this.#channel.logLevel];
  }

  get isTracing(): boolean {
    return this.level === 'trace';
  }

  log(level: LogLevel, message: string): void {
    if (this.#isDisposed) {
      return;
    }
    try {
      this.#channel[level](message);
    } catch {
      // While the window closes the editor's side is gone first; there is nobody left to tell.
    }
  }

  show(): void {
    this.#channel.show();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#onDidChangeLevel.dispose();
    this.#channel.dispose();
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
