import { createScanner, type Edit, type Node } from 'jsonc-parser';

/**
 * Takes a property out of its object, or an item out of its list, and only it: the comments around it stay, unlike
 * with `modify` of jsonc-parser. Its lines go when nothing else stands in them. The edits are in the order of the text.
 */
export function removalOf(text: string, item: Node): Edit[] {
  const end = item.offset + item.length;
  const next = commaIn(text, end);
  if (next !== undefined) {
    return [wholeLine(text, item.offset, next + 1)];
  }
  const siblings = item.parent?.children ?? [];
  const before = siblings[siblings.indexOf(item) - 1];
  const last = before && commaIn(text, before.offset + before.length);
  const edits = [wholeLine(text, item.offset, end)];
  return last === undefined ? edits : [{ offset: last, length: 1, content: '' }, ...edits];
}

/** Where the next token is a comma, comments and spaces aside. */
export function commaIn(text: string, from: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(from);
  scanner.scan();
  const offset = scanner.getTokenOffset();
  return text[offset] === ',' ? offset : undefined;
}

function wholeLine(text: string, start: number, end: number): Edit {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = text.indexOf('\n', end);
  const isAlone =
    lineEnd >= 0 && text.slice(lineStart, start).trim() === '' && text.slice(end, lineEnd).trim() === '';
  const [from, to] = isAlone ? [lineStart, lineEnd + 1] : [start, end];
  return { offset: from, length: to - from, content: '' };
}
