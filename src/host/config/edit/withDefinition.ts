import { applyEdits, getNodeValue } from 'jsonc-parser';
import { canonicalJson } from '../../../base/values/canonicalJson.ts';
import { isRecord } from '../../../base/values/record.ts';
import { HostError } from '../../errors/hostError.ts';
import { launchFields } from '../fields.ts';
import type { Fields } from '../fieldTypes.ts';
import { callbackPort, redirectOf, signInFields } from '../signInFields.ts';
import { editJson, findLast, removalOf, rootOf, type TextStyle } from './jsonEdits.ts';
import { writtenLaunch, type ServerDraft } from './serverDraft.ts';
import { pathInFile, type ServersFile } from './serversFile.ts';
import { settingsIn, styleIn, takenNames, withInputsDeclared, withMember } from './withServer.ts';

/** The fields that say how a server is started or reached. */
const fieldsOfLaunch = new Set(['type', ...Object.values(launchFields).flatMap(Object.keys)]);

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

/** The fields of a definition that don't belong to its launch. */
export function withoutLaunch(definition: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(definition).filter(([field]) => !fieldsOfLaunch.has(field)));
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
  const launch = withoutImplied(writtenLaunch(draft.launch), before);
  const oauth = keptSignIn(before['oauth'], launch['oauth'], where);
  const wanted = { ...withoutLaunch(before), ...launch, ...(oauth && { oauth }) };
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

/** Without a type, if the definition had none and does not need one. */
function withoutImplied(
  launch: Record<string, unknown>,
  before: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { type, ...rest } = launch;
  return before['type'] === undefined && type !== 'sse' ? rest : launch;
}

/** With the fields that only other programs read, and values that mean the same as they are written. */
function keptSignIn(
  before: unknown,
  wanted: unknown,
  where: ServersFile,
): Record<string, unknown> | undefined {
  if (!isRecord(before)) {
    return undefined;
  }
  const fields: Fields = signInFields;
  const next: Readonly<Record<string, unknown>> = isRecord(wanted) ? wanted : {};
  const kept = Object.entries(before).flatMap(([field, held]): [string, unknown][] => {
    const type = Object.hasOwn(fields, field) ? fields[field]?.type : undefined;
    if (!type) {
      return [[field, held]];
    }
    const [was, is] = [held, next[field]].map((one) => canonicalJson(type.read(one, field, () => undefined)));
    const isSame = Object.hasOwn(next, field) && was === is;
    return isSame ? [[field, held]] : [];
  });
  const { redirectUri, ...others } = next;
  const isImplied = where === 'mcpJson' && redirectUri === redirectOf(before[callbackPort]);
  const merged = {
    ...others,
    ...(redirectUri !== undefined && !isImplied && { redirectUri }),
    ...Object.fromEntries(kept),
  };
  return Object.keys(merged).length === 0 ? undefined : merged;
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
