import { isRecord } from '../../../base/values/record.ts';
import type { ServerDraft } from '../edit/serverDraft.ts';
import { definitionFault } from '../definitionFault.ts';
import { launchFields, otherFields, typeFields } from '../fields.ts';
import { readFields, type Field } from '../fieldTypes.ts';
import type { WrittenLaunch } from '../serverDefinition.ts';
import { isSecretSignInField } from '../signInFields.ts';
import { mapTexts } from '../variables.ts';
import { inputsFor } from './mapInputs.ts';
import { mapSignIn, signInSources } from './mapSignIn.ts';
import { mapVariables, type SnippetDialect } from './mapVariables.ts';

/** A server of another program as MCP Host would run it. */
export interface ImportedServer {
  readonly name: string;
  /** Missing when the server cannot be imported. */
  readonly draft?: ServerDraft;
  /** What was left out, or why the server cannot be imported, a sentence each. */
  readonly notes: readonly string[];
}

/** Fields that say nothing about how a server is started. */
const withoutMeaning = new Set(['name', 'description', 'gallery', 'version', 'id', 'icon', 'source']);
const imported = Object.entries<Field>(otherFields.all).flatMap(([name, { isImported }]) =>
  isImported ? [name] : [],
);
const typeNames = ['type', ...typeFields.http.aliases];
export const urlNames: readonly string[] = ['url', ...launchFields.http.url.aliases];
const types = new Map<unknown, WrittenLaunch['type']>([
  ['stdio', 'stdio'],
  ['local', 'stdio'],
  ['http', 'http'],
  ['streamable-http', 'http'],
  ['streamableHttp', 'http'],
  ['streamable_http', 'http'],
  ['sse', 'sse'],
]);

/** Reads one definition of another program; notes what it says that does not exist here. */
export function mapServer(
  name: string,
  definition: unknown,
  declaredInputs: readonly unknown[],
  dialect: SnippetDialect,
): ImportedServer {
  const { message } = definitionFault(definition, name) ?? {};
  if (message !== undefined || !isRecord(definition)) {
    return { name, notes: [message ?? 'The definition is not an object.'] };
  }
  const value = Object.fromEntries(Object.entries(definition).filter(([, held]) => held !== null));
  const notes: string[] = [];
  const launch = launchIn(name, value, notes);
  if (typeof launch === 'string') {
    return { name, notes: [launch] };
  }
  const mapped = mapTexts(launch, (text, [field, inner]) =>
    // A secret is one of its own, or already an input.
    field === 'oauth' && isSecretSignInField(String(inner)) ? text : mapVariables(text, dialect, notes),
  );
  notes.push(...fieldNotes(value, launch.type));
  const inputs = inputsFor(mapped, declaredInputs, notes);
  const disabled = value['disabled'] === true || value['enabled'] === false;
  const kept = Object.entries({ ...value, disabled }).filter(([field]) => imported.includes(field));
  const others = readFields(otherFields.all, Object.fromEntries(kept), () => undefined);
  return {
    name,
    draft: { ...others, name, launch: mapped, inputs, values: new Map() },
    notes: [...new Set(notes)],
  };
}

function launchIn(
  name: string,
  value: Readonly<Record<string, unknown>>,
  notes: string[],
): WrittenLaunch | string {
  const url = firstOf(value, urlNames);
  const written = firstOf(value, typeNames);
  const type = written === undefined ? (typeof url === 'string' ? 'http' : 'stdio') : types.get(written);
  if (type === undefined) {
    return `Servers of the type ${JSON.stringify(written)} are not supported.`;
  }
  const leaveOut = (message: string): undefined => {
    notes.push(`${message.slice(0, -1)}: it is left out.`);
  };
  if (type === 'stdio') {
    const { command, args = [] } = value;
    if (typeof command !== 'string' || command === '') {
      return 'There is no "command" to start.';
    }
    if (!Array.isArray(args) || !args.every((arg) => typeof arg === 'string' || typeof arg === 'number')) {
      return '"args" is not a list of strings.';
    }
    return { type, ...readFields(launchFields.stdio, { ...value, args: args.map(String) }, leaveOut) };
  }
  if (typeof url !== 'string' || url === '') {
    return 'There is no "url" to connect to.';
  }
  if (!/^https?:\/\/|^\$\{/.test(url)) {
    return `The address "${url}" is neither http: nor https:, and is not supported.`;
  }
  const { oauth: _, ...held } = value;
  const oauth = mapSignIn(name, value, notes);
  return {
    type,
    ...readFields(launchFields.http, { ...held, url }, leaveOut),
    url,
    ...(oauth && { oauth }),
  };
}

function firstOf(value: Readonly<Record<string, unknown>>, names: readonly string[]): unknown {
  return names.map((name) => value[name]).find((one) => one !== undefined);
}

function fieldNotes(
  value: Readonly<Record<string, unknown>>,
  type: WrittenLaunch['type'],
): readonly string[] {
  const launch =
    type === 'stdio'
      ? Object.keys(launchFields.stdio)
      : [...Object.keys(launchFields.http), ...urlNames, ...signInSources];
  const known = new Set([...launch, ...typeNames, ...imported, ...withoutMeaning, 'enabled']);
  return Object.entries(value).flatMap(([field, held]) => {
    if (known.has(field) || isNothing(field, held)) {
      return [];
    }
    switch (field) {
      case 'tools':
        return ['"tools" is not imported: all tools are exposed.'];
      case 'sandbox':
      case 'sandboxEnabled':
        return [`"${field}" is not imported: the server runs without a sandbox.`];
      case 'oidc':
        return [`"${field}" is not imported: the server may ask you to sign in again.`];
      default:
        return [`"${field}" is not imported.`];
    }
  });
}

/** True for a field that changes nothing. */
function isNothing(field: string, value: unknown): boolean {
  if (field === 'tools') {
    return value === '*' || (Array.isArray(value) && value.includes('*'));
  }
  return (
    value === false ||
    (Array.isArray(value) && value.length === 0) ||
    (isRecord(value) && Object.keys(value).length === 0)
  );
}
