import { isRecord } from '../../../base/record.ts';
import type { ServerDraft } from '../edit/serverDraft.ts';
import { launchFields, otherFields, typeFields } from '../fields.ts';
import { namedTexts, readFields, type Field } from '../fieldTypes.ts';
import type { WrittenLaunch } from '../serverDefinition.ts';
import { mapTexts } from '../variables.ts';
import { inputsFor } from './mapInputs.ts';
import { mapVariables, type SnippetDialect } from './mapVariables.ts';

/** A server of another program in our terms. */
export interface ImportedServer {
  readonly name: string;
  /** Absent when the server cannot be taken over. */
  readonly draft?: ServerDraft;
  /** What was not taken over, or why nothing was, a sentence each. */
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

/** Maps one definition of another program; what it says that has no equal here is noted. */
export function mapServer(
  name: string,
  value: unknown,
  declaredInputs: readonly unknown[],
  dialect: SnippetDialect,
): ImportedServer {
  if (!isRecord(value)) {
    return { name, notes: ['The definition is not an object.'] };
  }
  const notes: string[] = [];
  const launch = launchIn(value, notes);
  if (typeof launch === 'string') {
    return { name, notes: [launch] };
  }
  const mapped = mapTexts(launch, (text) => mapVariables(text, dialect, notes));
  notes.push(...fieldNotes(value, launch.type));
  const inputs = inputsFor(mapped, declaredInputs, notes);
  const disabled = value['disabled'] === true || value['enabled'] === false;
  const kept = Object.entries({ ...value, disabled }).filter(([field]) => imported.includes(field));
  return {
    name,
    draft: {
      ...readFields(otherFields.all, Object.fromEntries(kept), () => undefined),
      name,
      launch: mapped,
      inputs,
      values: new Map(),
    },
    notes: [...new Set(notes)],
  };
}

function launchIn(value: Readonly<Record<string, unknown>>, notes: string[]): WrittenLaunch | string {
  const { command, envFile, cwd } = value;
  const url = firstOf(value, urlNames);
  const said = firstOf(value, typeNames);
  const type = said === undefined ? (typeof url === 'string' ? 'http' : 'stdio') : types.get(said);
  if (type === undefined) {
    return `Servers of the type ${JSON.stringify(said)} are not supported.`;
  }
  if (type === 'stdio') {
    const args = value['args'] ?? [];
    if (typeof command !== 'string' || command === '') {
      return 'There is no "command" to start.';
    }
    if (!Array.isArray(args) || !args.every((arg) => typeof arg === 'string' || typeof arg === 'number')) {
      return '"args" is not a list of strings.';
    }
    return {
      type,
      command,
      args: args.map(String),
      env: record(value['env'], 'env', notes),
      ...(typeof envFile === 'string' && { envFile }),
      ...(typeof cwd === 'string' && { cwd }),
    };
  }
  if (typeof url !== 'string' || url === '') {
    return 'There is no "url" to reach.';
  }
  if (!/^https?:\/\/|^\$\{/.test(url)) {
    return `The address "${url}" is neither http: nor https:, and is not supported.`;
  }
  return { type, url, headers: record(value['headers'], 'headers', notes) };
}

function firstOf(value: Readonly<Record<string, unknown>>, names: readonly string[]): unknown {
  return names.map((name) => value[name]).find((one) => one !== undefined && one !== null);
}

/** Strings by name; what has no string is noted and left out. */
function record(value: unknown, field: string, notes: string[]): Readonly<Record<string, string>> {
  const read =
    (value ?? undefined) === undefined
      ? {}
      : namedTexts.read(value, field, (message) => {
          notes.push(`${message.slice(0, -1)}: it is left out.`);
        });
  return read ?? {};
}

function fieldNotes(
  value: Readonly<Record<string, unknown>>,
  type: WrittenLaunch['type'],
): readonly string[] {
  const launch =
    type === 'stdio' ? Object.keys(launchFields.stdio) : [...Object.keys(launchFields.http), ...urlNames];
  const known = new Set([...launch, ...typeNames, ...imported, ...withoutMeaning, 'enabled']);
  return Object.entries(value).flatMap(([field, held]) => {
    if (known.has(field) || isNothing(field, held)) {
      return [];
    }
    switch (field) {
      case 'tools':
        return ['The choice of tools ("tools") is not taken over: all tools will be offered.'];
      case 'sandbox':
      case 'sandboxEnabled':
        return [`"${field}" is not taken over: the server will run without a sandbox.`];
      case 'auth':
      case 'oauth':
      case 'oidc':
        return [`"${field}" is not taken over: the server may ask you to sign in again.`];
      default:
        return [`"${field}" is not taken over.`];
    }
  });
}

/** True for a field that says what holds without it. */
function isNothing(field: string, value: unknown): boolean {
  if (field === 'tools') {
    return value === '*' || (Array.isArray(value) && value.includes('*'));
  }
  return (
    value === null ||
    value === false ||
    (Array.isArray(value) && value.length === 0) ||
    (isRecord(value) && Object.keys(value).length === 0)
  );
}
