import { isRecord } from '../../../base/values/record.ts';
import type { ServerDraft } from '../edit/serverDraft.ts';
import { definitionFault } from '../definitionFault.ts';
import { isNothing, translated } from '../dialects.ts';
import { launchFields, otherFields } from '../fields.ts';
import { readFields, type Complain, type Field } from '../fieldTypes.ts';
import type { WrittenLaunch } from '../serverDefinition.ts';
import { isSecretSignInField } from '../signInFields.ts';
import { transports } from '../transports.ts';
import { mapTexts } from '../variables.ts';
import { inputsFor } from './mapInputs.ts';
import { mapSignIn } from './mapSignIn.ts';
import { mapVariables, type SnippetDialect } from './mapVariables.ts';

/** A server of another program as MCP Host would run it. */
export interface ImportedServer {
  readonly name: string;
  /** Missing when the server cannot be imported. */
  readonly draft?: ServerDraft;
  /** What was left out, or why the server cannot be imported, a sentence each. */
  readonly notes: readonly string[];
}

const imported = Object.entries<Field>(otherFields.all).flatMap(([name, { isImported }]) =>
  isImported ? [name] : [],
);

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
  const { value, notes: found } = translated(definition);
  const notes: string[] = [];
  const leaveOut = (message: string): undefined => {
    notes.push(`${message.slice(0, -1)}: it is left out.`);
  };
  const launch = launchIn(name, value, notes, leaveOut);
  if (typeof launch === 'string') {
    return { name, notes: [launch] };
  }
  const mapped = mapTexts(launch, (text, [field, inner]) =>
    // A secret is one of its own, or already an input.
    field === 'oauth' && isSecretSignInField(String(inner)) ? text : mapVariables(text, dialect, notes),
  );
  notes.push(...found.filter(({ isQuiet }) => !isQuiet).map(({ message }) => message));
  notes.push(...unknownNotes(value, launch.type));
  const inputs = inputsFor(mapped, declaredInputs, notes);
  const kept = Object.entries(value).filter(([field]) => imported.includes(field));
  const others = readFields(otherFields.all, Object.fromEntries(kept), leaveOut);
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
  leaveOut: Complain,
): WrittenLaunch | string {
  const { url, command, args = [], type = typeof url === 'string' ? 'http' : 'stdio' } = value;
  if (type === 'stdio') {
    if (typeof command !== 'string' || command === '') {
      return 'There is no "command" to start.';
    }
    if (!Array.isArray(args) || !args.every((arg) => typeof arg === 'string' || typeof arg === 'number')) {
      return '"args" is not a list of strings.';
    }
    return { type, ...readFields(launchFields.stdio, { ...value, args: args.map(String) }, leaveOut) };
  }
  if (type !== 'http' && type !== 'sse') {
    return `Servers of the type ${JSON.stringify(type)} are not supported.`;
  }
  if (typeof url !== 'string' || url === '') {
    return 'There is no "url" to connect to.';
  }
  if (!/^(?:https?|unix|pipe):\/\/|^\$\{/.test(url)) {
    return `The address "${url}" is neither http: nor https: nor a socket, and is not supported.`;
  }
  const { oauth: written, ...held } = value;
  const oauth = mapSignIn(name, written, notes);
  return {
    type,
    ...readFields(launchFields.http, { ...held, url }, leaveOut),
    url,
    ...(oauth && { oauth }),
  };
}

function unknownNotes(
  value: Readonly<Record<string, unknown>>,
  type: WrittenLaunch['type'],
): readonly string[] {
  const known = new Set(['type', ...Object.keys(transports[type].fields), ...imported]);
  return Object.entries(value)
    .filter(([field, held]) => !known.has(field) && !isNothing(held))
    .map(([field]) => `"${field}" is not imported.`);
}
