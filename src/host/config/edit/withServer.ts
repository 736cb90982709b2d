import { getNodeValue, type Node } from 'jsonc-parser';
import { canonicalJson } from '../../../base/values/canonicalJson.ts';
import { isRecord } from '../../../base/values/record.ts';
import { HostError } from '../../errors/hostError.ts';
import type { InputDeclaration } from '../serverDefinition.ts';
import {
  editJson,
  findLast,
  insertInto,
  memberName,
  rootOf,
  styleOf,
  withoutMark,
  type TextStyle,
} from './jsonEdits.ts';
import { writtenDefinition, writtenInput, type ServerDraft } from './serverDraft.ts';
import { pathInFile, type ServersFile } from './serversFile.ts';

/** The names and ids that a file already has. */
export interface TakenNames {
  readonly servers: ReadonlySet<string>;
  readonly inputs: ReadonlySet<string>;
  /** It writes environment variables as settings do: `${env:NAME}`. */
  readonly hasEnv?: boolean;
}

/** @throws HostError when the text is not valid JSON with comments. */
export function takenNames(text: string, where: ServersFile): TakenNames {
  const { servers, inputs } = settingNodes(text, where);
  return {
    servers: new Set(servers?.type === 'object' ? servers.children?.map(memberName) : []),
    inputs: new Set(inputs?.type === 'array' ? inputs.children?.map(inputIdOf) : []),
    ...(text.includes('${env:') && { hasEnv: true }),
  };
}

/** The values of the two settings in a text; undefined for one that is missing. */
export function settingsIn(
  text: string,
  where: ServersFile,
): { readonly servers: unknown; readonly inputs: unknown } {
  const { servers, inputs } = settingNodes(text, where);
  return { servers: servers && getNodeValue(servers), inputs: inputs && getNodeValue(inputs) };
}

/** The nodes of the two settings in a text. */
export function settingNodes(
  text: string,
  where: ServersFile,
): { readonly servers: Node | undefined; readonly inputs: Node | undefined } {
  const root = rootOf(withoutMark(text));
  return {
    servers: findLast(root, pathInFile(where, 'servers', root)),
    inputs: findLast(root, pathInFile(where, 'inputs')),
  };
}

/** The id of an input that is declared in a file. */
export function inputIdOf(declaration: Node): string {
  return String(findLast(declaration, ['id'])?.value);
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
 * The text of a file with one more server, and the inputs it refers to. Everything else stays as it was, including
 * comments, indentation and line ends.
 *
 * @param others fields that the draft does not have.
 * @throws HostError that says why the file cannot take the server.
 */
export function withServer(
  text: string,
  where: ServersFile,
  draft: ServerDraft,
  others: Readonly<Record<string, unknown>> = {},
): string {
  return editJson(text, (bare) => {
    const problem = problemOfName(draft.name, takenNames(bare, where).servers);
    if (problem !== undefined) {
      throw new HostError('invalidDefinition', problem);
    }
    const { servers } = settingsIn(bare, where);
    const written = writtenDefinition(draft, where);
    const definition = { ...(where === 'mcpJson' ? inDialectOf(servers, written) : written), ...others };
    const path = pathInFile(where, 'servers', rootOf(bare));
    return withInputsDeclared(
      withMember(bare, path, draft.name, definition, styleIn(bare, where)),
      where,
      draft.inputs,
    );
  });
}

/** A definition like those that are in the file already. */
function inDialectOf(servers: unknown, { oauth, ...written }: Record<string, unknown>): object {
  const others = Object.values(isRecord(servers) ? servers : {}).filter(isRecord);
  const hasTools = others.some(({ tools }) => Array.isArray(tools));
  const isLocal = written['type'] === 'stdio' && others.some(({ type }) => type === 'local');
  const { clientId, scopes, redirectUri, ...rest }: Readonly<Record<string, unknown>> = isRecord(oauth)
    ? oauth
    : {};
  const [, port] = /^http:\/\/localhost:(\d+)\/callback$/.exec(String(redirectUri)) ?? [];
  const isBeside =
    clientId !== undefined && (hasTools || others.some((one) => Object.hasOwn(one, 'oauthClientId')));
  const signIn = {
    ...(!isBeside && {
      ...(clientId !== undefined && { clientId }),
      ...(scopes !== undefined && { scopes }),
    }),
    // Claude Code knows only the port.
    ...(port !== undefined ? { callbackPort: Number(port) } : redirectUri !== undefined && { redirectUri }),
    ...rest,
  };
  return {
    ...written,
    ...(isLocal && { type: 'local' }),
    ...(isBeside && { oauthClientId: clientId }),
    ...(isBeside && typeof scopes === 'string' && { oauthScopes: scopes.split(' ') }),
    ...(Object.keys(signIn).length > 0 && { oauth: signIn }),
    ...(hasTools && !Object.hasOwn(written, 'tools') && { tools: ['*'] }),
  };
}

/**
 * The text with these inputs declared; one that is already declared stays as it is.
 *
 * @throws HostError when the file declares a different one with the same id.
 */
export function withInputsDeclared(
  text: string,
  where: ServersFile,
  inputs: readonly InputDeclaration[],
): string {
  return inputs.reduce((result, input) => withInput(result, where, input), text);
}

function withInput(text: string, where: ServersFile, input: InputDeclaration): string {
  const { inputs } = settingNodes(text, where);
  const style = styleIn(text, where);
  const written = writtenInput(input);
  if (!inputs) {
    const path = pathInFile(where, 'inputs');
    return withMember(text, path.slice(0, -1), path.at(-1) ?? '', [written], style);
  }
  if (inputs.type !== 'array') {
    const name = pathInFile(where, 'inputs').at(-1) ?? '';
    throw new HostError('invalidDefinition', `"${name}" is not a list in this file: fix it first.`);
  }
  const same = inputs.children?.findLast((one) => inputIdOf(one) === input.id);
  if (!same) {
    return insertInto(text, inputs, JSON.stringify(written, undefined, style.unit), style);
  }
  if (canonicalJson(getNodeValue(same)) !== canonicalJson(written)) {
    throw new HostError(
      'invalidDefinition',
      `This file already has another input '${input.id}': rename one of them.`,
    );
  }
  return text;
}

export function styleIn(text: string, where: ServersFile): TextStyle {
  return styleOf(text, where === 'mcpJson' ? '  ' : '    ');
}

/** The text with a member at the end of the object at `path`, which is created if it does not exist. */
export function withMember(
  text: string,
  path: readonly (string | number)[],
  name: string,
  value: unknown,
  style: TextStyle,
): string {
  const start = rootOf(text) ? text : withEmptyObject(text, style);
  const root = rootOf(start);
  let depth = path.length;
  while (depth > 0 && !findLast(root, path.slice(0, depth))) {
    depth -= 1;
  }
  const node = findLast(root, path.slice(0, depth));
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

/** An empty object behind the comments of a file that has only comments. */
function withEmptyObject(text: string, { lineEnd }: TextStyle): string {
  const comments = text.trimEnd();
  return `${comments}${comments === '' ? '' : lineEnd}{}${lineEnd}`;
}
