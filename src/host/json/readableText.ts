import { indentJson } from './indentJson.ts';

/** Characters of one piece of content that are shown; more would slow the editor down. */
export const MAX_CHARACTERS = 10_000_000;

/** Text that the editor can show: with a zero byte it would take the document for a binary one. */
export function readable(text: string): string {
  return withSeparators(cut(text).replaceAll('\0', '\\u{0}'), '\\u{2028}', '\\u{2029}');
}

/** Replaces the separators of lines and paragraphs, about which the editor would ask. */
export function withSeparators(text: string, line: string, paragraph: string): string {
  return text.replaceAll('\u2028', line).replaceAll('\u2029', paragraph);
}

function cut(text: string): string {
  return text.length <= MAX_CHARACTERS
    ? text
    : `${text.slice(0, MAX_CHARACTERS)}\n(${text.length - MAX_CHARACTERS} more characters are not shown)`;
}

/** The value as indented JSON, or a sentence if it can't be printed. */
export function printJson(value: unknown): string {
  return indentJson(compactJson(value) ?? '"This could not be printed as JSON."');
}

/** The value as JSON on one line; undefined if it can't be printed. */
export function compactJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    // Nested too deeply for the engine.
    return undefined;
  }
}
