import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import type { Logger, LogLevel } from '../base/logger.ts';

/** One server's `LogOutputChannel`; it lives as long as the server's definition. */
export class ServerLog implements Logger, Disposable {
  readonly #channel: vscode.LogOutputChannel;
  #isDisposed = false;

  constructor(label: string) {
    this.#channel = vscode.window.createOutputChannel(`MCP: ${label}`, { log: true });
  }

  get isTracing(): boolean {
    return !this.#isDisposed && this.#channel.logLevel === vscode.LogLevel.Trace;
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
    this.#channel.dispose();
  }
}
