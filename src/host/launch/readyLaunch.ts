import type {
  HttpServerDefinition,
  ServerDefinition,
  StdioServerDefinition,
} from '../config/serverDefinition.ts';
import { filledSignIn } from '../config/signInFields.ts';
import { mapTexts } from '../config/variables.ts';
import { isServerAddress } from '../addresses/serverAddress.ts';
import { HostError } from '../errors/hostError.ts';
import { isInherited, mergeEnvironments } from '../processes/environment.ts';
import { filledParts, type Meaning, type ResolvedLaunch } from './resolvedLaunch.ts';

/** What is started: the launch with plain values only. */
export interface ReadyLaunch {
  /** Its `env` is the whole environment of the process. */
  readonly definition: ServerDefinition;
  /** The absolute path in which a process starts. */
  readonly cwd: string;
  /** What it hands over that must appear in no log and no failure; see `secretsOf` as well. */
  readonly secrets: readonly string[];
}

/**
 * The launch as it starts. It reads nothing: whatever it needs is in the launch.
 *
 * @throws HostError `invalidDefinition` that says what is missing.
 */
export function readyLaunch(launch: ResolvedLaunch): ReadyLaunch {
  const { definition, workingDirectory: cwd } = launch;
  if (definition.type !== 'stdio') {
    const ready = readyAddress(definition, launch);
    const { clientSecret = [], privateKey = [] } = ready.oauth ?? {};
    return {
      definition: ready,
      cwd,
      secrets: [...Object.values(ready.headers), clientSecret, privateKey].flat(),
    };
  }
  const { ready, defined } = readyProcess(definition, launch);
  const given = Object.entries(defined)
    .filter(([name]) => !isInherited(name))
    .map(([, value]) => value);
  return { definition: ready, cwd, secrets: given };
}

function readyProcess(
  definition: StdioServerDefinition,
  launch: ResolvedLaunch,
): { readonly ready: StdioServerDefinition; readonly defined: Readonly<Record<string, string>> } {
  const { envFile, cwd, ...rest } = definition;
  const command = plain('command', definition.command, launch);
  if (command === '') {
    throw invalid('its "command" is empty once its variables are filled in');
  }
  const args = definition.args.map((text) => plain('args', text, launch));
  const env = mapValues(definition.env, (name, text) => plain(`env.${name}`, text, launch));
  if (envFile !== undefined) {
    plain('envFile', envFile, launch);
  }
  if (launch.envFileProblem) {
    throw launch.envFileProblem;
  }
  const defined = mergeEnvironments([launch.envFile ?? {}, env]);
  const directory = cwd === undefined ? {} : { cwd: plain('cwd', cwd, launch) };
  return {
    ready: {
      ...rest,
      command,
      args,
      env: mergeEnvironments([launch.inherited, defined]),
      ...directory,
      inputs: [],
    },
    defined,
  };
}

function readyAddress(definition: HttpServerDefinition, launch: ResolvedLaunch): HttpServerDefinition {
  const url = known(definition.url, launch);
  if (!isServerAddress(url)) {
    throw invalid('its "url" is no http: or https: address, nor a socket, once its variables are filled in');
  }
  const headers = mapValues(definition.headers, (name, text) => {
    const value = known(text, launch);
    if (/[\r\n\0]/.test(value)) {
      throw invalid(`its header "${name}" has a line break in it once its variables are filled in`);
    }
    return value;
  });
  const { oauth } = mapTexts(definition, (text) => known(text, launch));
  return {
    ...definition,
    url,
    headers,
    ...(oauth && {
      oauth: filledSignIn(oauth, definition.origin.scope === 'user', (problem) => {
        throw invalid(`${problem}, once its variables are filled in`);
      }),
    }),
    inputs: [],
  };
}

/** What inputs and the environment have given: what every server gets is no secret, anything else may be. */
export function secretsOf({ meanings }: ResolvedLaunch): readonly string[] {
  return Object.values(meanings).flatMap((meaning) => {
    const isSecret =
      meaning.kind === 'input' || (meaning.kind === 'environment' && !isInherited(meaning.name));
    return isSecret && meaning.value !== undefined ? [meaning.value] : [];
  });
}

/** The system ends a text at the first NUL, so that something else would run than what is written. */
function plain(field: string, text: string, launch: ResolvedLaunch): string {
  const value = known(text, launch);
  if (value.includes('\0')) {
    throw invalid(`its "${field}" contains a NUL character once its variables are filled in`);
  }
  return value;
}

function known(text: string, launch: ResolvedLaunch): string {
  const parts = filledParts(launch, text).map((part) => {
    if (typeof part === 'string') {
      return part;
    }
    throw invalid(problemOf(part.meaning));
  });
  return parts.join('');
}

function problemOf(meaning: Meaning): string {
  switch (meaning.kind) {
    case 'nothing':
      return meaning.problem;
    case 'input':
      return `the input "${meaning.id}" is not declared beside it`;
    default:
      return 'a variable that it uses is not known';
  }
}

function mapValues(
  record: Readonly<Record<string, string>>,
  change: (name: string, text: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([name, text]) => [name, change(name, text)]));
}

function invalid(message: string): HostError {
  return new HostError('invalidDefinition', message);
}

export function notAllowed(): HostError {
  return new HostError('notAllowed', 'what would be launched is not what was allowed');
}
