import { findNodeAtLocation, parseTree, type Node, type ParseError } from 'jsonc-parser';
import { isRecord } from '../../base/values/record.ts';
import { jsonErrorText } from '../errors/jsonError.ts';
import type { JsonStep } from './argumentSteps.ts';
import type { ArgumentCheck, ArgumentProblem } from './checkArguments.ts';
import { readTyped } from './typedValue.ts';

/** A problem in a text that is being written, and where it is. */
export interface TextProblem {
  /** In UTF-16 code units from the beginning. */
  readonly offset: number;
  readonly length: number;
  /** A sentence. */
  readonly message: string;
}

/** The problems of the JSON that was written for one argument, or for all of them, with their places. */
export async function problemsInJson(
  step: JsonStep,
  text: string,
  check: ArgumentCheck,
): Promise<readonly TextProblem[]> {
  const read = readTyped(step, text);
  if (read.kind !== 'value') {
    return placedProblems(step, text, []);
  }
  const whole = isRecord(read.value) ? read.value : {};
  const { argument } = step;
  const args = argument === undefined ? whole : Object.fromEntries([[argument, read.value]]);
  return placedProblems(step, text, await check(args));
}

/** The places of problems that were found in what was written, or the problems that prevent reading it. */
export function placedProblems(
  step: JsonStep,
  text: string,
  found: readonly ArgumentProblem[],
): readonly TextProblem[] {
  const read = readTyped(step, text);
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  if (errors.length > 0 && text.trim() !== '') {
    return errors.map((error) => ({
      offset: error.offset,
      length: error.length,
      message: `This is not JSON: ${jsonErrorText(error)}.`,
    }));
  }
  if (read.kind === 'problem') {
    return [{ offset: tree?.offset ?? 0, length: tree?.length ?? text.length, message: read.message }];
  }
  if (!tree || read.kind === 'omitted') {
    return [];
  }
  const { argument: whole } = step;
  return found
    .filter(({ argument }) => whole === undefined || argument === whole)
    .map(({ argument, path, message }) =>
      problemAt(tree, whole === undefined && argument !== undefined ? [argument, ...path] : path, message),
    );
}

/** At the value that a path leads to, or at what should contain it. */
function problemAt(tree: Node, path: readonly string[], message: string): TextProblem {
  let node = tree;
  for (const part of path) {
    const next = findNodeAtLocation(node, [node.type === 'array' ? Number(part) : part]);
    if (!next) {
      break;
    }
    node = next;
  }
  const isContainer = node.type === 'object' || node.type === 'array';
  // The whole of an object would be underlined: its beginning is enough.
  return { offset: node.offset, length: isContainer ? 1 : node.length, message };
}
