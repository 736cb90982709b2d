import { applyEdits, type Edit, type Node } from 'jsonc-parser';
import { HostError } from '../../errors/hostError.ts';
import type { DefinitionOrigin } from '../serverDefinition.ts';
import { variableText } from '../variables.ts';
import { commaIn, editJson, insertInto, membersOf, removalOf, styleOf } from './jsonEdits.ts';
import type { ServersFile } from './serversFile.ts';
import { inputIdOf, settingNodes, problemOfName, takenNames } from './withServer.ts';

/** True for a definition in a file that MCP Host can change. */
export function isEditable({ format }: DefinitionOrigin): boolean {
  return format === 'settings' || format === 'mcpJson';
}

/**
 * The text with a field of a server's definition set, or removed if `value` is undefined. Everything else stays as it
 * was, including comments, as in the other functions here.
 *
 * @throws HostError when the text is not valid JSON, or has no such server.
 */
export function withField(
  text: string,
  where: ServersFile,
  name: string,
  field: string,
  value: string | number | boolean | undefined,
): string {
  return editJson(text, (bare) => {
    const definition = definitionIn(bare, where, name);
    const members = membersOf(definition, field);
    const isEnabled = where === 'mcpJson' && membersOf(definition, 'enabled').length > 0;
    if (field === 'disabled' && members.length === 0 && isEnabled) {
      return withField(bare, where, name, 'enabled', value !== true);
    }
    if (value === undefined) {
      return withoutAll(bare, members);
    }
    const written = JSON.stringify(value);
    const held = members.at(-1)?.children?.[1];
    return held
      ? applyEdits(bare, [{ offset: held.offset, length: held.length, content: written }])
      : withNewMember(bare, definition, `${JSON.stringify(field)}: ${written}`);
  });
}

/**
 * The text with a folder first in the PATH of a server's `env`.
 *
 * @throws as `withField`.
 */
export function withFolderInPath(
  text: string,
  where: ServersFile,
  name: string,
  folder: string,
  platform: NodeJS.Platform = process.platform,
): string {
  return editJson(text, (bare) => {
    const definition = definitionIn(bare, where, name);
    const env = membersOf(definition, 'env').at(-1)?.children?.[1];
    const held = membersOf(env, 'PATH').at(-1)?.children?.[1];
    const value: unknown = held?.value;
    const rest = typeof value === 'string' ? value : undefined;
    const format = where === 'mcpJson' ? 'mcpJson' : 'settings';
    const written = JSON.stringify(pathWith(folder, rest, format, platform));
    if (held) {
      return applyEdits(bare, [{ offset: held.offset, length: held.length, content: written }]);
    }
    return env?.type === 'object'
      ? withNewMember(bare, env, `"PATH": ${written}`)
      : withNewMember(bare, definition, `"env": { "PATH": ${written} }`);
  });
}

/** A value of PATH with a folder first: before what it has, or else before that of the environment. */
export function pathWith(
  folder: string,
  rest: string | undefined,
  format: DefinitionOrigin['format'],
  platform: NodeJS.Platform = process.platform,
): string {
  const inherited = variableText({ kind: 'environment', name: 'PATH' }, format);
  return `${folder}${platform === 'win32' ? ';' : ':'}${rest ?? inherited}`;
}

/** A text without a server. */
export interface WithoutServer {
  readonly text: string;
  /** The ids of the inputs that were removed, too, because nothing else in the file refers to them. */
  readonly inputs: readonly string[];
}

/** The text without a server, and without inputs that only its definition refers to. */
export function withoutServer(text: string, where: ServersFile, name: string): WithoutServer {
  const inputs: string[] = [];
  const after = editJson(text, (bare) => {
    const without = withoutAll(bare, membersIn(bare, where, name));
    const { servers: others, inputs: declared } = settingNodes(without, where);
    const own = membersIn(bare, where, name)
      .map((member) => textOf(bare, member))
      .join('\n');
    const unused = (declared?.type === 'array' ? (declared.children ?? []) : []).filter((item) => {
      const reference = `\${input:${inputIdOf(item)}}`;
      return own.includes(reference) && !(others && textOf(without, others).includes(reference));
    });
    inputs.push(...unused.map(inputIdOf));
    return withoutAll(without, unused);
  });
  return { text: after, inputs };
}

/**
 * The text with a server under another name.
 *
 * @throws HostError also when the name cannot be used, or is taken in this file.
 */
export function withRenamedServer(text: string, where: ServersFile, name: string, to: string): string {
  return editJson(text, (bare) => {
    const problem = problemOfName(to, takenNames(bare, where).servers);
    if (problem !== undefined) {
      throw new HostError('invalidDefinition', problem);
    }
    const keys = membersIn(bare, where, name).flatMap((member) => member.children?.[0] ?? []);
    return applyEdits(
      bare,
      keys.map(({ offset, length }): Edit => ({ offset, length, content: JSON.stringify(to) })),
    );
  });
}

/** Of duplicates the last one counts, as in the editor. */
function definitionIn(text: string, where: ServersFile, name: string): Node {
  const definition = membersIn(text, where, name).at(-1)?.children?.[1];
  if (definition?.type !== 'object') {
    throw new HostError('invalidDefinition', `The definition of '${name}' is not an object { … }.`);
  }
  return definition;
}

/** All members of a name: if only the last duplicate were removed, the one before would count. */
function membersIn(text: string, where: ServersFile, name: string): readonly Node[] {
  const members = membersOf(settingNodes(text, where).servers, name);
  if (members.length === 0) {
    throw new HostError('invalidDefinition', `There is no server '${name}' in this file anymore.`);
  }
  return members;
}

/** Removes from last to first, so that the offsets of the others stay valid. */
function withoutAll(text: string, items: readonly Node[]): string {
  return items.reduceRight((rest, item) => applyEdits(rest, removalOf(rest, item)), text);
}

/** On a line of its own, unless the whole object stands on one line. */
function withNewMember(text: string, node: Node, member: string): string {
  const written = textOf(text, node);
  if (written.includes('\n')) {
    return insertInto(text, node, member, styleOf(text, '  '));
  }
  const last = node.children?.at(-1);
  if (!last) {
    return applyEdits(text, [{ offset: node.offset + 1, length: 0, content: ` ${member} ` }]);
  }
  const end = last.offset + last.length;
  const comma = commaIn(text, end);
  return applyEdits(text, [
    comma === undefined
      ? { offset: end, length: 0, content: `, ${member}` }
      : { offset: comma + 1, length: 0, content: ` ${member},` },
  ]);
}

function textOf(text: string, { offset, length }: Node): string {
  return text.slice(offset, offset + length);
}
