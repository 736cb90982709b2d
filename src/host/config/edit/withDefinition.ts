import { createScanner, findNodeAtLocation, getNodeValue, parseTree } from 'jsonc-parser';
import { isRecord } from '../../../base/record.ts';
import { HostError } from '../../errors/hostError.ts';
import { insertInto, styleOf, type TextStyle } from './insertInto.ts';
import { isSameJson } from './sameJson.ts';
import { writtenDefinition, type ServerDraft } from './serverDraft.ts';
import { serversPath, type ServersFile } from './serversFile.ts';
import { settingsIn, takenNames, withInputs } from './withServer.ts';

/** The fields that say how a server is started or reached. */
const launchFields = new Set(['type', 'command', 'args', 'env', 'envFile', 'cwd', 'url', 'headers']);

/** The definition of a name as a text has it; undefined when it has none. */
export function definitionIn(
  text: string,
  where: ServersFile,
  name: string,
): Readonly<Record<string, unknown>> | undefined {
  const { servers } = settingsIn(text, where);
  const definition = isRecord(servers) && Object.hasOwn(servers, name) ? servers[name] : undefined;
  return isRecord(definition) ? definition : undefined;
}

/** The fields of a definition that say nothing of its launch. */
export function otherFields(definition: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(definition).filter(([field]) => !launchFields.has(field)));
}

/**
 * The text with the launch of a definition changed in its place. What does not change stays as it is written, and
 * so does every other field of it.
 *
 * @throws HostError when the file has no such definition, or cannot take the inputs.
 */
export function withDefinition(text: string, where: ServersFile, draft: ServerDraft): string {
  const before = definitionIn(text, where, draft.name);
  if (!before) {
    throw new HostError('invalidDefinition', `There is no server '${draft.name}' in this file any more.`);
  }
  const wanted = { ...otherFields(before), ...withoutImplied(writtenLaunch(draft), before) };
  const style = styleOf(text, where === 'mcpJson' ? '  ' : '    ');
  const changed = withValue(text, [...serversPath(where), draft.name], wanted, style);
  const declared = takenNames(changed, where).inputs;
  return withInputs(
    changed,
    where,
    draft.inputs.filter(({ id }) => !declared.has(id)),
  );
}

function writtenLaunch(draft: ServerDraft): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(writtenDefinition(draft)).filter(([field]) => launchFields.has(field)),
  );
}

/** A type that nobody has written is not written now. */
function withoutImplied(
  launch: Record<string, unknown>,
  before: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { type, ...rest } = launch;
  return before['type'] === undefined && type !== 'sse' ? rest : launch;
}

function withValue(
  text: string,
  path: readonly (string | number)[],
  value: unknown,
  style: TextStyle,
): string {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const node = root && findNodeAtLocation(root, [...path]);
  if (!root || !node) {
    throw new HostError('invalidDefinition', 'The definition cannot be found in this file.');
  }
  const held: unknown = getNodeValue(node);
  if (isSameJson(held, value)) {
    return text;
  }
  if (isRecord(held) && isRecord(value)) {
    let result = text;
    for (const key of Object.keys(held).filter((one) => !Object.hasOwn(value, one))) {
      result = withoutMember(result, [...path, key]);
    }
    for (const [key, inner] of Object.entries(value)) {
      result = Object.hasOwn(held, key)
        ? withValue(result, [...path, key], inner, style)
        : withMember(result, path, key, inner, style);
    }
    return result;
  }
  if (Array.isArray(held) && Array.isArray(value) && held.length === value.length) {
    return value.reduce<string>(
      (result, one, index) => withValue(result, [...path, index], one, style),
      text,
    );
  }
  const line = text.slice(text.lastIndexOf('\n', node.offset - 1) + 1, node.offset);
  const [indentation = ''] = /^[ \t]*/.exec(line) ?? [];
  const written = JSON.stringify(value, undefined, style.unit)
    .split('\n')
    .join(style.lineEnd + indentation);
  return text.slice(0, node.offset) + written + text.slice(node.offset + node.length);
}

function withMember(
  text: string,
  path: readonly (string | number)[],
  key: string,
  value: unknown,
  style: TextStyle,
): string {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const node = root && findNodeAtLocation(root, [...path]);
  const member = `${JSON.stringify(key)}: ${JSON.stringify(value, undefined, style.unit)}`;
  return node ? insertInto(text, node, member, style) : text;
}

/** The text without a member of an object. Unlike `modify` of jsonc-parser it leaves the comments of the others. */
function withoutMember(text: string, path: readonly (string | number)[]): string {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const member = root && findNodeAtLocation(root, [...path])?.parent;
  const siblings = member?.parent?.children ?? [];
  const index = member ? siblings.indexOf(member) : -1;
  if (!member || index < 0) {
    return text;
  }
  const next = siblings[index + 1];
  if (next) {
    return text.slice(0, member.offset) + text.slice(next.offset);
  }
  const previous = siblings[index - 1];
  const start = text.slice(0, member.offset).trimEnd().length;
  const end = member.offset + member.length;
  if (!previous) {
    return text.slice(0, start) + text.slice(end);
  }
  // The comma behind the one before goes, and not the comment behind that comma.
  const comma = commaAfter(text, previous.offset + previous.length);
  return text.slice(0, comma) + text.slice(comma + 1, start) + text.slice(end);
}

function commaAfter(text: string, offset: number): number {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  return scanner.getTokenOffset();
}
