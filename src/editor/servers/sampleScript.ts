import * as vscode from 'vscode';

/** The program of the sample server in an installation of this extension. */
export function sampleScript(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'sampleServer.cjs');
}
