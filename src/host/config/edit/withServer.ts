import { getNodeValue, parse, parseTree, type Node, type ParseError } from 'jsonc-parser';
import { HostError } from '../../errors/hostError.ts';
import { jsonErrorText } from '../../errors/jsonError.ts';
import type { InputDeclaration } from '../serverDefinition.ts';
import { isSameJson } from './sameJson.ts';
import { inputsPath, serversPath, type ServersFile } from './serversFile.ts';
import { insertInto, styleOf, type TextStyle } from './insertInto.ts';
import { writtenDefinition, writtenInput, type ServerDraft } from './serverDraft.ts';

export type { ServersFile } from './serversFile.ts';

export const byteOrderMark = '\uFEFF';
const options = { allowTrailingComma: true, disallowComments: false, allowEmptyContent: true };

/** The names and ids that a file has already. */
export interface TakenNames {
  readonly servers: ReadonlySet<string>;
  readonly inputs: ReadonlySet<string>;
}

/** @throws HostError when the text is not valid JSON with comments. */
export function takenNames(text: string, where: ServersFile): TakenNames {
  const root = rootOf(withoutMark(text));
  const servers = root && findLast(root, serversPath(where));
  const inputs = root && findLast(root, inputsPath(where));
  return {
    servers: new Set(servers?.type === 'object' ? (servers.children ?? []).map(keyOf) : []),
    inputs: new Set(
      inputs?.type === 'array'
        ? (inputs.children ?? []).map((node) => String(findLast(node, ['id'])?.value))
        : [],
    ),
  };
}

/** The two settings as the text of a file has them; undefined where it has none. */
export function settingsIn(
  text: string,
  where: ServersFile,
): { readonly servers: unknown; readonly inputs: unknown } {
  const root = rootOf(withoutMark(text));
  const valueAt = (path: readonly string[]): unknown => {
    const node = root && findLast(root, path);
    return node && (getNodeValue(node) as unknown);
  };
  return { servers: valueAt(serversPath(where)), inputs: valueAt(inputsPath(where)) };
}

/** What is wrong with a name for a new server, or undefined. */
export function problemOfName(name: string, taken: ReadonlySet<string>): string | undefined {
  if (name.trim() === '') {
    return 'A server needs a name.';
  }
  if (name !== name.trim()) {
    return 'The name must not begin or end with a space.';
  }
  if (name === '__proto__') {
    return 'This name cannot be used.';
  }
  return taken.has(name) ? `There is already a server '${name}' in this place.` : undefined;
}

/**
 * The text of a file with one more server, and the inputs it refers to. Everything else stays as it was,
 * comments, indentation and line ends included.
 *
 * Unlike `modify` of jsonc-parser this leaves a comment behind the last property where it is.
 *
 * @param others fields that the draft says nothing of.
 * @throws HostError that says why the file cannot take the server.
 */
export function withServer(
  text: string,
  where: ServersFile,
  draft: ServerDraft,
  others: Readonly<Record<string, unknown>> = {},
): string {
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : '';
  const bare = withoutMark(text);
  const taken = takenNames(bare, where);
  const problem = problemOfName(draft.name, taken.servers);
  if (problem !== undefined) {
    throw new HostError('invalidDefinition', problem);
  }
  const style = styleOf(bare, where === 'mcpJson' ? '  ' : '    ');
  const definition = { ...writtenDefinition(draft), ...others };
  const result = withMember(bare, serversPath(where), draft.name, definition, style);
  return mark + withInputs(result, where, draft.inputs);
}

/**
 * The text with these inputs declared; one that is declared already stays as it is.
 *
 * @throws HostError when another one of the same id is there.
 */
export function withInputs(text: string, where: ServersFile, inputs: readonly InputDeclaration[]): string {
  const style = styleOf(text, where === 'mcpJson' ? '  ' : '    ');
  return inputs.reduce((result, input) => withInput(result, where, input, style), text);
}

function withInput(text: string, where: ServersFile, input: InputDeclaration, style: TextStyle): string {
  const path = inputsPath(where);
  const node = findIn(text, path);
  const written = writtenInput(input);
  if (!node) {
    return withMember(text, path.slice(0, -1), path.at(-1) ?? '', [written], style);
  }
  if (node.type !== 'array') {
    throw new HostError(
      'invalidDefinition',
      `"${path.at(-1) ?? ''}" is not a list in this file: fix it first.`,
    );
  }
  const same = (node.children ?? []).findLast((one) => findLast(one, ['id'])?.value === input.id);
  if (!same) {
    return insertInto(text, node, JSON.stringify(written, undefined, style.unit), style);
  }
  const source = text.slice(same.offset, same.offset + same.length);
  const declared: unknown = parse(source, [], options);
  if (!isSameJson(declared, written)) {
    throw new HostError(
      'invalidDefinition',
      `This file already has another input '${input.id}': rename one of them.`,
    );
  }
  return text;
}

/** The text with a member at the end of the object at `path`; what is missing on the way is added. */
function withMember(
  text: string,
  path: readonly string[],
  name: string,
  value: unknown,
  style: TextStyle,
): string {
  const start = rootOf(text) ? text : withEmptyObject(text, style);
  let node = rootOf(start);
  let depth = 0;
  for (; node && depth < path.length; depth += 1) {
    const next = findLast(node, path.slice(depth, depth + 1));
    if (!next) {
      break;
    }
    node = next;
  }
  if (node?.type !== 'object') {
    const what = depth === 0 ? 'The file' : `"${path[depth - 1] ?? ''}" in this file`;
    throw new HostError('invalidDefinition', `${what} is not an object { … }: fix it first.`);
  }
  const [key, ...inner] = [...path.slice(depth), name];
  const nested = inner.reduceRight<unknown>((held, one) => ({ [one]: held }), value);
  return insertInto(
    start,
    node,
    `${JSON.stringify(key)}: ${JSON.stringify(nested, undefined, style.unit)}`,
    style,
  );
}

/** An empty object behind the comments of a file that has nothing else. */
function withEmptyObject(text: string, { lineEnd }: TextStyle): string {
  const comments = text.trimEnd();
  return `${comments}${comments === '' ? '' : lineEnd}{}${lineEnd}`;
}

function findIn(text: string, path: readonly string[]): Node | undefined {
  const root = rootOf(text);
  return root && findLast(root, path);
}

/** The value at a path. Of members that stand twice the last one counts, as it does for the editor. */
export function findLast(node: Node, path: readonly string[]): Node | undefined {
  return path.reduce<Node | undefined>(
    (parent, name) =>
      parent?.type === 'object'
        ? parent.children?.findLast((member) => keyOf(member) === name)?.children?.[1]
        : undefined,
    node,
  );
}

export function keyOf(member: Node): string {
  return String(member.children?.[0]?.value);
}

export function rootOf(text: string): Node | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, options);
  const [first] = errors;
  if (first) {
    const line = text.slice(0, first.offset).split('\n').length;
    throw new HostError(
      'invalidDefinition',
      `Line ${line} of this file is not valid JSON: ${jsonErrorText(first)}. Fix it, then try again.`,
    );
  }
  return root;
}

export function withoutMark(text: string): string {
  return text.startsWith(byteOrderMark) ? text.slice(1) : text;
}
