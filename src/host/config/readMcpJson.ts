import { parseTree, type Node, type ParseError } from 'jsonc-parser';
import { isRecord } from '../../base/values/record.ts';
import { jsonErrorText } from '../errors/jsonError.ts';
import { definitionsIn, isDefinition, noEffect, notedFields, serversMember } from './dialects.ts';
import { nearestName } from './nearestName.ts';
import type { ProblemList } from './problemList.ts';

/** The two parts of a `.mcp.json`, as they are written. */
export interface McpJsonParts {
  readonly servers: unknown;
  readonly inputs: unknown;
}

/** Reads the text of a `.mcp.json`, in any dialect; comments and trailing commas are allowed. */
export function readMcpJson(written: string, problems: ProblemList): McpJsonParts | undefined {
  const errors: ParseError[] = [];
  const text = written.replace(/^\uFEFF/, '');
  if (text !== written) {
    problems.note(
      'This file begins with a byte order mark, which some programs refuse: save it without one.',
      [],
    );
  }
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
  const { inputs, ...others } = value;
  if (serversMember(value) !== undefined) {
    checkMembers(value, problems);
  } else {
    const rest = Object.entries(isDefinition(inputs) ? value : others).filter(
      ([, held]) => !isDefinition(held),
    );
    for (const [name] of rest.filter(([name]) => name !== '$schema')) {
      problems.note(`"${name}" is no server: it has neither "command" nor "url".`, [name]);
    }
  }
  return { servers: definitionsIn(value), inputs: isDefinition(inputs) ? undefined : inputs };
}

/** Where there are `mcpServers`, other programs read no `servers`; beside either they read no servers. */
function checkMembers(file: Readonly<Record<string, unknown>>, problems: ProblemList): void {
  const { mcpServers, servers, ...others } = file;
  const member = serversMember(file);
  for (const [name, held] of Object.entries(others)) {
    if (isDefinition(held)) {
      problems.note(notRead(name, member), [name]);
    } else if (Object.hasOwn(notedFields, name)) {
      problems.note(noEffect([name], notedFields[name] ?? ''), [name]);
    }
  }
  if (member === 'servers') {
    return;
  }
  if (!Object.hasOwn(file, 'mcpServers')) {
    const meant = Object.keys(file).find(
      (field) => field === 'servers' || nearestName(field, ['mcpServers']),
    );
    if (meant === undefined) {
      const fix = { kind: 'insert', field: 'mcpServers', value: {} } as const;
      problems.note('There are no servers in this file: add them to "mcpServers".', [], fix);
    } else {
      problems.error(`There is no "mcpServers" object in this file: rename "${meant}".`, [meant], {
        kind: 'rename',
        to: 'mcpServers',
      });
    }
  }
  for (const name of mcpServers !== undefined && isRecord(servers) ? Object.keys(servers) : []) {
    const where = ['servers', name];
    if (isRecord(mcpServers) && Object.hasOwn(mcpServers, name)) {
      const message = `"${name}" is in "mcpServers", too, and that one is used: remove one of them.`;
      problems.error(message, where, undefined, name);
    } else {
      problems.note(notRead(name, member), where);
    }
  }
}

function notRead(name: string, member = 'mcpServers'): string {
  return `"${name}" is not read because the file has "${member}": move it there.`;
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
