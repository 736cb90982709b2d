import { homedir } from 'node:os';
import * as vscode from 'vscode';

/** Asks where to save a file, by default in the first folder of the workspace; undefined if you cancel. */
export async function askWhereToSave(
  name: string,
  options: Omit<vscode.SaveDialogOptions, 'defaultUri'>,
): Promise<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homedir());
  return vscode.window.showSaveDialog({ ...options, defaultUri: vscode.Uri.joinPath(folder, name) });
}
