import { applyEdits, type Edit, type Node } from 'jsonc-parser';
import { HostError } from '../../errors/hostError.ts';
import type { DefinitionOrigin } from '../serverDefinition.ts';
import { insertInto, styleOf } from './insertInto.ts';
import { commaIn, removalOf } from './removalOf.ts';
import { inputsPath, serversPath, type ServersFile } from './serversFile.ts';
import {
  byteOrderMark,
  findLast,
  keyOf,
  problemOfName,
  rootOf,
  takenNames,
  withoutMark,
} from './withServer.ts';

const writtenFormats: ReadonlySet<string> = new Set<DefinitionOrigin['format']>(['settings', 'mcpJson']);

/** True for a definition that stands in a file that can be changed. */
export function isEditable({ format }: DefinitionOrigin): boolean {
  return writtenFormats.has(format);
}

/**
 * The text with a field of a server's definition set, or taken out where `value` is undefined. As with the other
 * changes of this file, everything else stays as it was, comments included.
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
  return changed(text, (bare) => {
    const definition = definitionIn(bare, where, name);
    const members = membersOf(definition, field);
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

/** What a text is without a server. */
export interface WithoutServer {
  readonly text: string;
  /** The ids of the inputs that went with it, because nothing else in the file refers to them. */
  readonly inputs: readonly string[];
}

/** The text without a server, and without the declarations of inputs that only its definition refers to. */
export function withoutServer(text: string, where: ServersFile, name: string): WithoutServer {
  const inputs: string[] = [];
  const after = changed(text, (bare) => {
    const without = withoutAll(bare, membersIn(bare, where, name));
    const root = rootOf(without);
    const declared = root && findLast(root, inputsPath(where));
    const others = root && findLast(root, serversPath(where));
    const own = membersIn(bare, where, name)
      .map((member) => textOf(bare, member))
      .join('\n');
    const unused = (declared?.type === 'array' ? (declared.children ?? []) : []).filter((item) => {
      const reference = `\${input:${String(findLast(item, ['id'])?.value)}}`;
      return own.includes(reference) && !(others && textOf(without, others).includes(reference));
    });
    inputs.push(...unused.map((item) => String(findLast(item, ['id'])?.value)));
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
  return changed(text, (bare) => {
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

function changed(text: string, change: (bare: string) => string): string {
  return (text.startsWith(byteOrderMark) ? byteOrderMark : '') + change(withoutMark(text));
}

/** The last counts, as it does for the editor. */
function definitionIn(text: string, where: ServersFile, name: string): Node {
  const definition = membersIn(text, where, name).at(-1)?.children?.[1];
  if (definition?.type !== 'object') {
    throw new HostError('invalidDefinition', `The definition of '${name}' is not an object { … }.`);
  }
  return definition;
}

/** A name may stand twice; the one that does not count would count if the other one were gone. */
function membersIn(text: string, where: ServersFile, name: string): readonly Node[] {
  const root = rootOf(text);
  const members = membersOf(root && findLast(root, serversPath(where)), name);
  if (members.length === 0) {
    throw new HostError('invalidDefinition', `There is no server '${name}' in this file any longer.`);
  }
  return members;
}

function membersOf(node: Node | undefined, name: string): readonly Node[] {
  return node?.type === 'object' ? (node.children ?? []).filter((member) => keyOf(member) === name) : [];
}

/** From the last to the first, so that each stands where it was found, with the siblings before it. */
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
