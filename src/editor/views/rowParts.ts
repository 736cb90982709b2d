import * as vscode from 'vscode';
import { visibleText } from '../../base/visibleText.ts';

export function icon(name: string, color?: string): vscode.ThemeIcon {
  return new vscode.ThemeIcon(name, color ? new vscode.ThemeColor(color) : undefined);
}

/** Text as a tooltip: a string, which the editor shows letter by letter, never as Markdown. */
export function plain(text: string): string {
  return text.split('\n').map(visibleText).join('\n');
}

/** The name where the label is a title, and the first line of the description. */
export function nameAndFirstLine(
  name: string,
  label: vscode.TreeItem['label'],
  description: string | undefined,
): string {
  const first = visibleText(description?.trim().split('\n', 1)[0] ?? '');
  return [...(label === name ? [] : [visibleText(name)]), ...(first ? [first] : [])].join(' · ');
}
