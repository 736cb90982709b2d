import { parseTree, type Node, type ParseError } from 'jsonc-parser';
import { isRecord } from '../../base/values/record.ts';
import { jsonErrorText } from '../errors/jsonError.ts';
import { nearestName } from './nearestName.ts';
import type { ProblemList } from './problemList.ts';

/** The two parts of a `.mcp.json`, as they are written. */
export interface McpJsonParts {
  readonly servers: unknown;
  readonly inputs: unknown;
}

/** Reads the text of a `.mcp.json`; comments and trailing commas are allowed. */
export function readMcpJson(text: string, problems: ProblemList): McpJsonParts | undefined {
  const errors: ParseError[] = [];
  let value: unknown;
  try {
    const tree = parseTree(text, errors, { allowTrailingComma: true, disallowComments: false });
    value = tree && valueOf(tree);
  } catch (error) {
    if (error instanceof RangeError) {
      return problems.error('This file is nested too deeply.');
    }
    throw error;
  }
  const problem = jsonProblem(text, errors);
  if (problem !== undefined) {
    return problems.error(problem);
  }
  if (!isRecord(value)) {
    return problems.error('This file must be an object of the form { "mcpServers": { … } }.');
  }
  if (!Object.hasOwn(value, 'mcpServers')) {
    const fields = Object.keys(value);
    const meant = fields.find((field) => field === 'servers' || nearestName(field, ['mcpServers']));
    return meant === undefined
      ? problems.error('There is no "mcpServers" object in this file.', [], {
          kind: 'insert',
          field: 'mcpServers',
          value: {},
        })
      : problems.error(`There is no "mcpServers" object in this file: rename "${meant}".`, [meant], {
          kind: 'rename',
          to: 'mcpServers',
        });
  }
  return { servers: value['mcpServers'], inputs: value['inputs'] };
}

/** What is wrong with a text in JSON, as a sentence; undefined without errors. */
export function jsonProblem(text: string, [first]: readonly ParseError[]): string | undefined {
  return (
    first &&
    `Line ${text.slice(0, first.offset).split('\n').length} is not valid JSON: ${jsonErrorText(first)}.`
  );
}

/** Only own properties; in the parser's own value, `__proto__` would set the prototype. */
function valueOf(node: Node): unknown {
  switch (node.type) {
    case 'object':
      return Object.fromEntries(
        (node.children ?? []).flatMap(({ children: [key, value] = [] }): [string, unknown][] =>
          key && value ? [[String(key.value), valueOf(value)]] : [],
        ),
      );
    case 'array':
      return (node.children ?? []).map(valueOf);
    default:
      return node.value as unknown;
  }
}
