import { findNodeAtLocation, parseTree, type Node, type ParseError } from 'jsonc-parser';
import { visibleParts } from '../../base/text/visibleText.ts';
import { isRecord, type UnknownRecord } from '../../base/values/record.ts';
import { jsonErrorText, parseJsonc } from '../errors/jsonError.ts';
import type { ArgumentProblem } from '../schemas/checkArguments.ts';
import type { TextProblemView } from './requestFormProtocol.ts';

/** Arguments that are written as JSON, or why the text isn't an object. */
export type WrittenArguments =
  | {
      readonly kind: 'args';
      readonly args: UnknownRecord;
      /** Where a problem of the arguments is in the text. */
      readonly placed: (problem: ArgumentProblem) => TextProblemView;
    }
  | { readonly kind: 'textProblems'; readonly problems: readonly TextProblemView[] };

/** In UTF-16 code units from the beginning. */
type Place = Pick<TextProblemView, 'offset' | 'length'>;

/** Reads what you write: comments and trailing commas are allowed. */
export function readWritten(text: string): WrittenArguments {
  const errors: ParseError[] = [];
  const parsed = parseJsonc(text, errors);
  if (errors.length > 0) {
    const problems = errors.map((error) =>
      textProblem(text, `This is not JSON: ${jsonErrorText(error)}.`, error),
    );
    return { kind: 'textProblems', problems };
  }
  const tree = parseTree(text, [], { allowTrailingComma: true });
  if (!tree || !isRecord(parsed)) {
    return {
      kind: 'textProblems',
      problems: [textProblem(text, 'This must be a JSON object.', placeOf(tree))],
    };
  }
  return {
    kind: 'args',
    args: exactly(text) ?? parsed,
    placed: ({ argument, path, message }) =>
      textProblem(text, message, placeOf(nodeAt(tree, argument === undefined ? [] : [argument, ...path]))),
  };
}

/** A problem at a place of a text; at its beginning if the place isn't known. */
export function textProblem(
  text: string,
  message: string,
  { offset, length }: Place = { offset: 0, length: 0 },
): TextProblemView {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  const column = (before.at(-1)?.length ?? 0) + 1;
  return { line: before.length, column, offset, length, message: visibleParts(message) };
}

/** With any name of a member, such as `__proto__`; undefined for a text with comments. */
function exactly(text: string): UnknownRecord | undefined {
  try {
    return JSON.parse(text) as UnknownRecord;
  } catch {
    return undefined;
  }
}

/** The value to which a path leads, or what should contain it. */
function nodeAt(tree: Node, path: readonly string[]): Node {
  let node = tree;
  for (const part of path) {
    const next = findNodeAtLocation(node, [node.type === 'array' ? Number(part) : part]);
    if (!next) {
      break;
    }
    node = next;
  }
  return node;
}

/** Of an object or a list its beginning is enough. */
function placeOf(node: Node | undefined): Place | undefined {
  const isContainer = node?.type === 'object' || node?.type === 'array';
  return node && { offset: node.offset, length: isContainer ? 1 : node.length };
}
