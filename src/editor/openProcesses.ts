import * as vscode from 'vscode';
import type { Disposable, DisposableStore } from '../base/disposable.ts';
import type { Logger, LogLevel } from '../base/logger.ts';
import { GuardedProcesses } from '../host/processes/guardedProcesses.ts';
import { sweepGroups } from '../host/processes/sweepGroups.ts';
import { ServerLog } from './serverLog.ts';

/** Opens the books on the processes of this window, and ends in the background what other windows have left behind. */
export function openProcesses(
  context: Pick<vscode.ExtensionContext, 'extensionUri' | 'globalStorageUri'>,
  store: DisposableStore,
): GuardedProcesses {
  const folder = vscode.Uri.joinPath(context.globalStorageUri, 'processes').fsPath;
  const guard = vscode.Uri.joinPath(context.extensionUri, 'dist', 'guard.cjs').fsPath;
  const logger = store.add(new RareLog('Processes'));
  setImmediate(() => void sweepGroups(folder, logger));
  return new GuardedProcesses({ guard, folder }, logger);
}

/** A log that is there from its first line on: most windows never have one. */
class RareLog implements Logger, Disposable {
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

  dispose(): void {
    this.#isDisposed = true;
    this.#log?.dispose();
  }
}
