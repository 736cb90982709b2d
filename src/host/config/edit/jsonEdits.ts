import { createScanner, parseTree, type Edit, type Node, type ParseError } from 'jsonc-parser';
import { HostError } from '../../errors/hostError.ts';
import { jsonProblem } from '../readMcpJson.ts';

// Instead of jsonc-parser's `modify`, which puts a new member directly behind the last one, so that a comment on that
// line moves to the new member, and which removes the comment beside the member before.

const byteOrderMark = '\uFEFF';

const parseOptions = { allowTrailingComma: true, disallowComments: false, allowEmptyContent: true };

/** Changes a text without its byte order mark, which stays. */
export function editJson(text: string, change: (bare: string) => string): string {
  const bare = withoutMark(text);
  return text.slice(0, text.length - bare.length) + change(bare);
}

export function withoutMark(text: string): string {
  return text.startsWith(byteOrderMark) ? text.slice(1) : text;
}

/** @throws HostError when the text is not valid JSON with comments. */
export function rootOf(text: string): Node | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, parseOptions);
  const problem = jsonProblem(text, errors);
  if (problem !== undefined) {
    throw new HostError('invalidDefinition', `${problem} Fix it, then try again.`);
  }
  return root;
}

/** The value at a path. Of duplicate members the last one counts, as in the editor. */
export function findLast(node: Node | undefined, path: readonly (string | number)[]): Node | undefined {
  return path.reduce<Node | undefined>(
    (parent, step) =>
      typeof step === 'number'
        ? parent?.type === 'array'
          ? parent.children?.[step]
          : undefined
        : membersOf(parent, step).at(-1)?.children?.[1],
    node,
  );
}

/** The members of an object with this name. */
export function membersOf(node: Node | undefined, name: string): readonly Node[] {
  return node?.type === 'object' ? (node.children ?? []).filter((member) => memberName(member) === name) : [];
}

export function memberName(member: Node): string {
  return String(member.children?.[0]?.value);
}

/** The layout of a text. */
export interface TextStyle {
  /** One step of indentation. */
  readonly unit: string;
  readonly lineEnd: '\n' | '\r\n';
}

/** The layout of a text, by its first indented line and its first line end; `unit` if no line is indented. */
export function styleOf(text: string, unit: string): TextStyle {
  const [, indented] = /\n([ \t]+)"/.exec(text) ?? [];
  return {
    unit: indented === undefined ? unit : indented.startsWith('\t') ? '\t' : indented.slice(0, 8),
    lineEnd: /\r?\n/.exec(text)?.[0] === '\r\n' ? '\r\n' : '\n',
  };
}

/**
 * The text with one more item at the end of an object or a list, on its own lines. `item` is JSON, indented by
 * `style.unit` and with plain line feeds.
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

/** True if there is a comma between the last item and the bracket, outside comments. */
function endsWithComma(text: string): boolean {
  const scanner = createScanner(text, true);
  scanner.scan();
  return text[scanner.getTokenOffset()] === ',';
}

/** The indentation of the line at an offset. */
function indentationAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/**
 * Removes a property from its object, or an item from its list, and leaves the comments around it. Lines that become
 * empty are removed. The edits are in the order of the text.
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

/** The offset of the next token if it is a comma; spaces and comments don't count. */
export function commaIn(text: string, from: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(from);
  scanner.scan();
  const offset = scanner.getTokenOffset();
  return text[offset] === ',' ? offset : undefined;
}

/** Includes the line if nothing else is on it, otherwise the spaces before. */
function wholeLine(text: string, start: number, end: number): Edit {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = text.indexOf('\n', end);
  const before = text.slice(lineStart, start);
  const isAlone = lineEnd >= 0 && before.trim() === '' && text.slice(end, lineEnd).trim() === '';
  const [from, to] = isAlone
    ? [lineStart, lineEnd + 1]
    : [before.trim() === '' ? start : lineStart + before.trimEnd().length, end];
  return { offset: from, length: to - from, content: '' };
}
