import { applyEdits, getNodeValue } from 'jsonc-parser';
import { canonicalJson } from '../../../base/values/canonicalJson.ts';
import { isRecord } from '../../../base/values/record.ts';
import { HostError } from '../../errors/hostError.ts';
import { translated } from '../dialects.ts';
import { launchFields } from '../fields.ts';
import { ownValue, type Field, type Fields } from '../fieldTypes.ts';
import { callbackPort, signInFields } from '../signInFields.ts';
import { editJson, findLast, removalOf, rootOf, type TextStyle } from './jsonEdits.ts';
import { writtenLaunch, type ServerDraft } from './serverDraft.ts';
import { pathInFile, type ServersFile } from './serversFile.ts';
import { settingsIn, styleIn, takenNames, withInputsDeclared, withMember } from './withServer.ts';

/** The fields that say how a server is started or reached, by their paths. */
const fieldsOfLaunch: readonly (readonly [path: readonly string[], field: Field])[] = [
  ...Object.values<Fields>(launchFields)
    .flatMap((fields) => Object.entries(fields))
    .filter(([name]) => name !== 'oauth')
    .map(([name, field]) => [[name], field] as const),
  ...Object.entries<Field>(signInFields).map(([name, field]) => [['oauth', name], field] as const),
];

/** The definition of a name in a text; undefined if there is none. */
export function definitionIn(
  text: string,
  where: ServersFile,
  name: string,
): Readonly<Record<string, unknown>> | undefined {
  const { servers } = settingsIn(text, where);
  const definition = isRecord(servers) && Object.hasOwn(servers, name) ? servers[name] : undefined;
  return isRecord(definition) ? definition : undefined;
}

/** The fields of a definition that don't belong to its launch, in any dialect. */
export function withoutLaunch(definition: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { places } = translated(definition);
  const ofLaunch = fieldsOfLaunch.flatMap(([path]) => [path[0], places.get(path.join('.'))?.[0]]);
  const gone = new Set(['type', 'transport', ...ofLaunch]);
  return Object.fromEntries(Object.entries(definition).filter(([field]) => !gone.has(field)));
}

/**
 * The text with the launch of a definition changed in place. What does not change, and every other field, stays as it
 * is written.
 *
 * @throws HostError when the file has no such definition, or cannot take the inputs.
 */
export function withDefinition(text: string, where: ServersFile, draft: ServerDraft): string {
  const before = definitionIn(text, where, draft.name);
  if (!before) {
    throw new HostError('invalidDefinition', `There is no server '${draft.name}' in this file anymore.`);
  }
  const wanted = asWritten(before, writtenLaunch(draft.launch, where), where);
  return editJson(text, (bare) => {
    const path = [...pathInFile(where, 'servers', rootOf(bare)), draft.name];
    const changed = withValue(bare, path, wanted, styleIn(bare, where));
    const declared = takenNames(changed, where).inputs;
    return withInputsDeclared(
      changed,
      where,
      draft.inputs.filter(({ id }) => !declared.has(id)),
    );
  });
}

/** A definition with another launch, in the dialect that it has: what means the same stays as it is written. */
function asWritten(before: Named, launch: Named, where: ServersFile): Named {
  const { value, places } = where === 'mcpJson' ? translated(before) : { value: before, places: undefined };
  // Without a type, if the definition had none and does not need one.
  const isSame = (value['type'] ?? (launch['type'] === 'sse' ? 'http' : launch['type'])) === launch['type'];
  let result = isSame ? before : withAt(withAt(before, ['transport'], undefined), ['type'], launch['type']);
  for (const [path, { type, default: preset }] of fieldsOfLaunch) {
    const [was, is] = [value, launch].map((one) => {
      const held = valueAt(one, path);
      return canonicalJson(held === undefined ? preset : type.read(held, '', () => undefined));
    });
    const place = places?.get(path.join('.')) ?? path;
    const now = valueAt(launch, path);
    if (was !== is) {
      // A port of Claude Code holds no address: that stands beside it.
      result = withAt(result, place.at(-1) === callbackPort && now !== undefined ? path : place, now);
    }
  }
  return result;
}

type Named = Readonly<Record<string, unknown>>;

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((held, name) => (isRecord(held) ? ownValue(held, name) : undefined), value);
}

/** With another value at a path, or without one. An object that becomes empty goes, too. */
function withAt(value: Named, [first = '', ...rest]: readonly string[], wanted: unknown): Named {
  const { [first]: held, ...others } = value;
  const inner = rest.length === 0 ? wanted : withAt(isRecord(held) ? held : {}, rest, wanted);
  const isGone = inner === undefined || (rest.length > 0 && Object.keys(inner as Named).length === 0);
  return isGone ? others : { ...value, [first]: inner };
}

function withValue(
  text: string,
  path: readonly (string | number)[],
  value: unknown,
  style: TextStyle,
): string {
  const node = findLast(rootOf(text), path);
  if (!node) {
    throw new HostError('invalidDefinition', 'This file no longer has the definition.');
  }
  const held: unknown = getNodeValue(node);
  if (canonicalJson(held) === canonicalJson(value)) {
    return text;
  }
  if (isRecord(held) && isRecord(value)) {
    const gone = Object.keys(held).filter((key) => !Object.hasOwn(value, key));
    const kept = gone.reduce((result, key) => withoutMember(result, [...path, key]), text);
    return Object.entries(value).reduce(
      (result, [key, inner]) =>
        Object.hasOwn(held, key)
          ? withValue(result, [...path, key], inner, style)
          : withMember(result, path, key, inner, style),
      kept,
    );
  }
  if (Array.isArray(held) && Array.isArray(value) && held.length === value.length) {
    return value.reduce<string>(
      (result, one, index) => withValue(result, [...path, index], one, style),
      text,
    );
  }
  const line = text.slice(text.lastIndexOf('\n', node.offset - 1) + 1, node.offset);
  const [indentation = ''] = /^[ \t]*/.exec(line) ?? [];
  const content = JSON.stringify(value, undefined, style.unit)
    .split('\n')
    .join(style.lineEnd + indentation);
  return applyEdits(text, [{ offset: node.offset, length: node.length, content }]);
}

function withoutMember(text: string, path: readonly (string | number)[]): string {
  const member = findLast(rootOf(text), path)?.parent;
  return member ? applyEdits(text, removalOf(text, member)) : text;
}
