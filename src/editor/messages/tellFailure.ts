import * as vscode from 'vscode';
import { CancellationError } from '../../base/lifetime/cancellation.ts';
import type { Parts } from '../../base/lifetime/parts.ts';
import type { ServerId } from '../../host/config/serverDefinition.ts';
import { messageOf } from '../../host/errors/hostError.ts';
import { runCommand } from '../commands/commands.ts';
import { inNotification, oneLine } from './plainText.ts';

const SHOW_LOG = 'Show Log';

/**
 * Shows what failed, with the way to the log of a server that is configured. True when you press `again`, a button for
 * another try.
 */
export async function tellFailure(
  id: ServerId | undefined,
  message: string,
  again?: string,
): Promise<boolean> {
  const buttons = [...(again === undefined ? [] : [again]), ...(id === undefined ? [] : [SHOW_LOG])];
  const pressed = await vscode.window.showErrorMessage(inNotification(message), ...buttons);
  if (pressed === SHOW_LOG) {
    await runCommand('showLog', id);
  }
  return pressed !== undefined && pressed === again;
}

/** Runs something; a failure other than a cancellation is shown, with the way to the log of its server. */
export async function tellingFailure(
  run: () => Promise<void>,
  failed: (error: unknown) => { readonly id: ServerId | undefined; readonly text: string },
): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof CancellationError)) {
      const { id, text } = failed(error);
      await tellFailure(id, text);
    }
  }
}

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

/** Shows which parts of the extension are missing, in a window without the tree that would show it. */
export async function tellMissingParts(parts: Parts): Promise<void> {
  const sentences = parts.missing.map(({ name, reason }) => `${name} isn't available: ${reason}`);
  const message = `MCP Host: ${inNotification(sentences.join('. '))}`;
  if ((await vscode.window.showErrorMessage(message, SHOW_LOG)) === SHOW_LOG) {
    parts.showLog();
  }
}

/** Milliseconds for which a confirmation stays in the status bar. */
const CONFIRMATION_MS = 5_000;

/** Confirms in the status bar what you did; nothing to read or close. */
export function confirmDone(text: string): void {
  const shown = oneLine(text, 120).replaceAll('$(', '$ (');
  vscode.window.setStatusBarMessage(`$(check) ${shown}`, CONFIRMATION_MS);
}
