import { proseParts, visibleParts, writtenOutIn, type VisiblePart } from '../../base/text/visibleText.ts';

/** Text for the panel: nothing in it is invisible. */
export type PanelText = readonly VisiblePart[];

/** A text that may have many lines, whole: the panel folds it when it is long, and never cuts it. */
export interface LongText {
  readonly text: PanelText;
  readonly lines: number;
  readonly characters: number;
  readonly isLong: boolean;
  /** How long the text is of which this is the beginning. */
  readonly whole?: { readonly lines: number; readonly characters: number };
}

/** From here on a text is folded at first. */
const FOLDED_LINES = 12;
const FOLDED_CHARACTERS = 1_000;

/** Columns for which spaces are taken for an indentation or a table; more of them are padding. */
const INDENTATION = 40;

const padding = new RegExp(` {${INDENTATION + 1},}`, 'g');

export function plain(text: PanelText): string {
  return text.map((part) => part.text).join('');
}

/** Lines for a list of texts under its title; none for none. */
export function bulletLines(title: string, texts: readonly PanelText[]): string[] {
  return texts.length === 0 ? [] : [title, ...texts.map((text) => `- ${plain(text)}`), ''];
}

/** A text with its line breaks and indentations as they are, and with all else visible. */
export function longText(text: string): LongText {
  const lines = text.split('\n');
  const parts = lines.flatMap((line, index) => {
    const shown = linePart(line);
    return index === 0 ? shown : [{ text: '\n', isWrittenOut: false }, ...shown];
  });
  return measured(text, lines.length, parts);
}

/**
 * As `longText`, for prose: emoji, tabs and spaces of any width stay as they are, too, and so do the line ends of a
 * text that has only one kind of them.
 */
export function proseText(text: string): LongText {
  const isCrLf = text.includes('\r\n') && !/(?<!\r)\n|\r(?!\n)/.test(text);
  const lines = (isCrLf ? text.replaceAll('\r\n', '\n') : text).split('\n');
  const parts: VisiblePart[] = [];
  let shown = '';
  const add = (part: VisiblePart): void => {
    if (part.isWrittenOut) {
      parts.push({ text: shown, isWrittenOut: false }, part);
      shown = '';
    } else {
      shown += part.text;
    }
  };
  lines.forEach((line, index) => {
    shown += index === 0 ? '' : '\n';
    prosePart(line).forEach(add);
  });
  parts.push({ text: shown, isWrittenOut: false });
  return measured(
    text,
    lines.length,
    parts.filter((part) => part.text !== ''),
  );
}

/** Of a text that is longer than `most` characters, the beginning: whole lines, if the first one fits. */
export function beginningOf(text: string, most: number, shown: (text: string) => LongText): LongText {
  if (text.length <= most) {
    return shown(text);
  }
  const end = text.lastIndexOf('\n', most);
  const whole = { lines: text.split('\n').length, characters: text.length };
  return { ...shown(text.slice(0, end > 0 ? end : most)), whole };
}

/** How many characters of a text cannot be seen, as prose is read. */
export function unseenIn({ text }: LongText): number {
  return text.reduce((sum, part) => sum + writtenOutIn(part), 0);
}

function measured(text: string, lines: number, parts: PanelText): LongText {
  const isLong = lines > FOLDED_LINES || text.length > FOLDED_CHARACTERS;
  return { text: parts, lines, characters: text.length, isLong };
}

function linePart(line: string): PanelText {
  const [indentation = ''] = /^[ \t]*(?=\S)/.exec(line) ?? [];
  return indentation === '' || indentation.length > INDENTATION
    ? visibleParts(line)
    : [{ text: indentation, isWrittenOut: false }, ...visibleParts(line.slice(indentation.length))];
}

function prosePart(line: string): PanelText {
  const parts: VisiblePart[] = [];
  let end = 0;
  // Pushed one by one: a text may consist of more parts than a call may have arguments.
  const add = (text: string): void => proseParts(text).forEach((part) => parts.push(part));
  for (const { 0: spaces, index } of line.matchAll(padding)) {
    const before = line.slice(end, index);
    add(before);
    parts.push({ text: `[${spaces.length} spaces]`, isWrittenOut: true });
    end = index + spaces.length;
  }
  add(line.slice(end));
  return parts;
}
