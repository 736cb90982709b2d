import * as vscode from 'vscode';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import { runCommand } from '../commands/commands.ts';
import { inNotification } from './plainText.ts';

/**
 * Tells what failed, with the way to the log of a server that is configured; true when the person presses
 * `again`, a button for another try.
 */
export async function tellFailure(
  id: ServerId | undefined,
  message: string,
  again?: string,
): Promise<boolean> {
  const showLog = 'Show Log';
  const buttons = [...(again === undefined ? [] : [again]), ...(id === undefined ? [] : [showLog])];
  const pressed = await vscode.window.showErrorMessage(inNotification(message), ...buttons);
  if (pressed === showLog) {
    await runCommand('showLog', id);
  }
  return pressed !== undefined && pressed === again;
}
