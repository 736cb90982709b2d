import * as vscode from 'vscode';
import { messageOf } from '../../host/errors/hostError.ts';
import { inNotification, oneLine } from './plainText.ts';

/** Runs something; if it throws, shows `what` failed and why. True when it was done. */
export async function reportingError(what: string, run: () => Promise<unknown>): Promise<boolean> {
  try {
    await run();
    return true;
  } catch (error) {
    void vscode.window.showErrorMessage(inNotification(`${what}: ${messageOf(error)}`));
    return false;
  }
}

/** Shows that a page did not open, with the usual cause and what helps. */
export async function tellNoPage(page: string): Promise<void> {
  const reload = 'Reload Window';
  const message = `${page} did not open. The usual cause: this window is not on https or localhost, so the editor shows no pages.`;
  if ((await vscode.window.showErrorMessage(inNotification(message), reload)) === reload) {
    await vscode.commands.executeCommand('workbench.action.reloadWindow');
  }
}

/** Milliseconds for which a confirmation stays in the status bar. */
const CONFIRMATION_MS = 5_000;

/** Confirms in the status bar what you did; nothing to read or close. */
export function confirmDone(text: string): void {
  const shown = oneLine(text, 120).replaceAll('$(', '$ (');
  vscode.window.setStatusBarMessage(`$(check) ${shown}`, CONFIRMATION_MS);
}
