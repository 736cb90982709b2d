import * as vscode from 'vscode';

/** A code lens above a line, which counts from 0. */
export function lensAt(line: number, command: vscode.Command): vscode.CodeLens {
  return new vscode.CodeLens(new vscode.Range(line, 0, line, 0), command);
}
