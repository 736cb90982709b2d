import * as vscode from 'vscode';
import type { DisposableStore } from '../../base/disposable.ts';
import { GuardedProcesses } from '../../host/processes/guardedProcesses.ts';
import { sweepGroups } from '../../host/processes/sweepGroups.ts';
import { ServerLog } from './serverLog.ts';

/** Opens the books on the processes of this window, and ends in the background what other windows have left behind. */
export function openProcesses(
  context: Pick<vscode.ExtensionContext, 'extensionUri' | 'globalStorageUri'>,
  store: DisposableStore,
): GuardedProcesses {
  const folder = vscode.Uri.joinPath(context.globalStorageUri, 'processes').fsPath;
  const guard = vscode.Uri.joinPath(context.extensionUri, 'dist', 'guard.cjs').fsPath;
  const logger = store.add(new ServerLog('Processes'));
  setImmediate(() => void sweepGroups(folder, logger));
  return new GuardedProcesses({ guard, folder }, logger);
}
