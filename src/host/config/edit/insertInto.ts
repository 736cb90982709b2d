import { createScanner, type Node } from 'jsonc-parser';

/** How a text is laid out. */
export interface TextStyle {
  /** One step of indentation. */
  readonly unit: string;
  readonly lineEnd: '\n' | '\r\n';
}

/** The layout of a text, by its first indented line and its first line end; `unit` where nothing is indented. */
export function styleOf(text: string, unit: string): TextStyle {
  const [, indented] = /\n([ \t]+)"/.exec(text) ?? [];
  return {
    unit: indented === undefined ? unit : indented.startsWith('\t') ? '\t' : indented.slice(0, 8),
    lineEnd: /\r?\n/.exec(text)?.[0] === '\r\n' ? '\r\n' : '\n',
  };
}

/**
 * The text with one more item at the end of an object or a list, on lines of its own. `item` is JSON laid
 * out with `style.unit` and plain line feeds.
 */
export function insertInto(text: string, node: Node, item: string, style: TextStyle): string {
  const { lineEnd } = style;
  const close = node.offset + node.length - 1;
  const last = node.children?.at(-1);
  const contentEnd = text.slice(0, close).trimEnd().length;
  const gap = text.slice(contentEnd, close);
  const outer = indentationAt(text, node.offset);
  const [first] = node.children ?? [];
  const ownLine = first && /\n([ \t]*)$/.exec(text.slice(0, first.offset));
  const indentation = ownLine?.[1] ?? outer + style.unit;
  const lines = item.split('\n').join(lineEnd + indentation);
  const hasComma = last !== undefined && endsWithComma(text.slice(last.offset + last.length, close));
  const isOnOwnLine = gap.includes('\n');
  const added = [lineEnd, indentation, lines, hasComma ? ',' : '', isOnOwnLine ? gap : lineEnd + outer].join(
    '',
  );
  const before =
    last === undefined || hasComma
      ? text.slice(0, contentEnd)
      : `${text.slice(0, last.offset + last.length)},${text.slice(last.offset + last.length, contentEnd)}`;
  return before + added + text.slice(close);
}

/** True when what stands between the last item and the bracket has a comma outside of comments. */
function endsWithComma(text: string): boolean {
  const scanner = createScanner(text, true);
  scanner.scan();
  return text[scanner.getTokenOffset()] === ',';
}

/** The white space with which the line of an offset begins. */
function indentationAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}
