import { isRecord } from '../../../base/record.ts';
import { mapTexts, textsOf, type DraftLaunch, type ServerDraft } from '../edit/serverDraft.ts';
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
const ownFields = new Set([
  'type',
  'transport',
  'transportType',
  'disabled',
  'enabled',
  'timeout',
  'autoStart',
]);
const stdioFields = new Set(['command', 'args', 'env', 'envFile', 'cwd']);
const httpFields = new Set(['url', 'serverUrl', 'httpUrl', 'headers']);
const types = new Map<unknown, DraftLaunch['type']>([
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
  const inputs = inputsFor(textsOf(mapped), declaredInputs, notes);
  const isDisabled = value['disabled'] === true || value['enabled'] === false;
  const { timeout, autoStart } = value;
  return {
    name,
    draft: {
      name,
      launch: mapped,
      inputs,
      values: new Map(),
      ...(isDisabled && { disabled: true }),
      ...(typeof autoStart === 'boolean' && { autoStart }),
      ...(typeof timeout === 'number' && timeout > 0 && { timeout }),
    },
    notes: [...new Set(notes)],
  };
}

function launchIn(value: Record<string, unknown>, notes: string[]): DraftLaunch | string {
  const { command } = value;
  const url = value['url'] ?? value['serverUrl'] ?? value['httpUrl'];
  const said = value['type'] ?? value['transport'] ?? value['transportType'];
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
      return '"args" is not a list of texts.';
    }
    const { envFile, cwd } = value;
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

function record(value: unknown, field: string, notes: string[]): Record<string, string> {
  if (value === undefined || value === null) {
    return {};
  }
  if (!isRecord(value)) {
    notes.push(`"${field}" is not an object, and is left out.`);
    return {};
  }
  const texts: [string, string][] = [];
  for (const [name, text] of Object.entries(value)) {
    if (typeof text === 'string' || typeof text === 'number' || typeof text === 'boolean') {
      texts.push([name, String(text)]);
    } else {
      notes.push(`"${field}.${name}" is not a text, and is left out.`);
    }
  }
  return Object.fromEntries(texts);
}

function fieldNotes(value: Record<string, unknown>, type: DraftLaunch['type']): readonly string[] {
  const mine = type === 'stdio' ? stdioFields : httpFields;
  return Object.entries(value).flatMap(([field, held]) => {
    if (mine.has(field) || ownFields.has(field) || withoutMeaning.has(field) || isNothing(field, held)) {
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
        return [`"${field}" is not taken over: the server may ask to sign in anew.`];
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
