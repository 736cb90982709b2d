import type { MarkdownString } from 'vscode';
import { visibleText } from '../../base/text/visibleText.ts';

/**
 * A server's text on one line, with invisible characters written out. Line breaks and runs of spaces become one
 * space; text longer than `limit` is cut.
 */
export function oneLine(text: string, limit = Infinity): string {
  const line = visibleText(text.replace(/[ \t\r\n]+/g, ' ').trim());
  return line.length > limit ? `${line.slice(0, limit - 1)}…` : line;
}

/** Text for a notification, as text only. The editor would turn `[label](command:…)` into links, and follow them. */
export function inNotification(text: string): string {
  return oneLine(text, 900).replaceAll('](', '] (');
}

/**
 * Text for a row, prompt or problem of a quick input, as text only: the editor would make links there as in
 * notifications, and icons of `$(name)`.
 */
export function inQuickInput(text: string, limit = 400): string {
  return oneLine(text, limit).replaceAll('](', '] (').replaceAll('$(', '$ (');
}

/** Text for a tooltip, line by line: a string, which the editor shows letter by letter, never as Markdown. */
export function inTooltip(text: string, limit = 4_000): string {
  const cut = text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
  return cut.split('\n').map(visibleText).join('\n');
}

/**
 * Adds a text of one line to Markdown, as text only. In one go, `appendText` would write each space as one at which no line
 * breaks, so that lines break within words.
 */
export function appendWords(
  markdown: Pick<MarkdownString, 'appendText' | 'appendMarkdown'>,
  text: string,
): void {
  text.split(' ').forEach((word, index) => {
    markdown.appendMarkdown(index === 0 ? '' : ' ');
    markdown.appendText(word);
  });
}
