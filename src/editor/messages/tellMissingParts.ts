import * as vscode from 'vscode';
import type { Parts } from '../../base/parts.ts';
import { inNotification } from './plainText.ts';

/** Says which parts are missing, for a window without the tree that would say it. */
export async function tellMissingParts(parts: Parts): Promise<void> {
  const showLog = 'Show Log';
  const sentences = parts.missing.map(({ name, reason }) => `${name} isn't available: ${reason}`);
  const message = `MCP Host: ${inNotification(sentences.join('. '))}`;
  if ((await vscode.window.showErrorMessage(message, showLog)) === showLog) {
    parts.showLog();
  }
}
