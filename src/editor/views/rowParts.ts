import * as vscode from 'vscode';
import { visibleText } from '../../base/visibleText.ts';

export function icon(name: string, color?: string): vscode.ThemeIcon {
  return new vscode.ThemeIcon(name, color ? new vscode.ThemeColor(color) : undefined);
}

/** Text as a tooltip: a string, which the editor shows letter by letter, never as Markdown. */
export function plain(text: string): string {
  return text.split('\n').map(visibleText).join('\n');
}
