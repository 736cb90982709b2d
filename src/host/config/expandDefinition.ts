import path from 'node:path';
import { CancellationError } from '../../base/cancellation.ts';
import { HostError } from '../hostError.ts';
import { isInherited, mergeEnvironments } from '../transport/environment.ts';
import { readEnvFile } from './envFile.ts';
import type {
  DefinitionOrigin,
  HttpServerDefinition,
  InputDeclaration,
  ServerDefinition,
  StdioServerDefinition,
} from './serverDefinition.ts';
import { expandableTexts, textParts, variablesIn, type UnknownVariable, type Variable } from './variables.ts';
import { baseDirectory, workspaceFolderPath, type Places } from './workingDirectory.ts';

/** What the variables of a definition stand for. */
export interface ExpansionContext extends Places {
  readonly env: NodeJS.ProcessEnv;
  input(declaration: InputDeclaration): Promise<string>;
  /** Hears of each value that must appear in no log. */
  readonly onSecret?: (value: string) => void;
}

/**
 * The definition with plain values, for a server that is about to start: variables are filled in and
 * `envFile` is read. Each text is gone through once: what a variable's value contains is never expanded.
 *
 * @throws HostError `invalidDefinition` that says what is missing; what `context.input` throws;
 * CancellationError when the signal aborts.
 */
export async function expandDefinition(
  definition: ServerDefinition,
  context: ExpansionContext,
  signal?: AbortSignal,
): Promise<ServerDefinition> {
  const inputs = await askedFor(definition, context, signal);
  const expand = (text: string): string =>
    textParts(text, definition.origin.format)
      .map((part) => (typeof part === 'string' ? part : valueOf(part, definition.origin, inputs, context)))
      .join('');
  const expanded =
    definition.type === 'stdio' ? expandStdio(definition, expand, context) : expandHttp(definition, expand);
  if (signal?.aborted) {
    throw new CancellationError();
  }
  const given = expanded.type === 'stdio' ? expanded.env : expanded.headers;
  Object.entries(given)
    .filter(([name]) => expanded.type !== 'stdio' || !isInherited(name))
    .forEach(([, value]) => context.onSecret?.(value));
  return expanded;
}

/** The values of the inputs that the definition refers to, one question after the other. */
async function askedFor(
  definition: ServerDefinition,
  context: ExpansionContext,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, string>> {
  const values = new Map<string, string>();
  const used = new Set(
    expandableTexts(definition)
      .flatMap(({ text }) => variablesIn(text, definition.origin.format))
      .map((variable) => (variable.kind === 'input' ? variable.id : undefined)),
  );
  for (const declaration of definition.inputs) {
    if (used.has(declaration.id)) {
      const value = await context.input(declaration);
      if (signal?.aborted) {
        throw new CancellationError();
      }
      context.onSecret?.(value);
      values.set(declaration.id, value);
    }
  }
  return values;
}

function expandStdio(
  definition: StdioServerDefinition,
  expand: (text: string) => string,
  context: ExpansionContext,
): StdioServerDefinition {
  const { envFile, cwd, ...rest } = definition;
  const command = plain('command', expand(definition.command));
  if (command === '') {
    throw invalid('its "command" is empty once its variables are filled in');
  }
  const args = definition.args.map((text) => plain('args', expand(text)));
  const env = mapValues(definition.env, (name, text) => plain(`env.${name}`, expand(text)));
  const file =
    envFile === undefined
      ? {}
      : readEnvFile({
          path: plain('envFile', expand(envFile)),
          base: baseDirectory(definition.origin, context),
          scope: definition.origin.scope,
        });
  return {
    ...rest,
    command,
    args,
    env: mergeEnvironments([file, env]),
    ...(cwd !== undefined && { cwd: plain('cwd', expand(cwd)) }),
    inputs: [],
  };
}

function expandHttp(
  definition: HttpServerDefinition,
  expand: (text: string) => string,
): HttpServerDefinition {
  const url = expand(definition.url);
  const { protocol } = URL.parse(url) ?? {};
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw invalid('its "url" is no http: or https: address once its variables are filled in');
  }
  const headers = mapValues(definition.headers, (name, text) => {
    const value = expand(text);
    if (/[\r\n\0]/.test(value)) {
      throw invalid(`its header "${name}" has a line break in it once its variables are filled in`);
    }
    return value;
  });
  return { ...definition, url, headers, inputs: [] };
}

function valueOf(
  variable: Variable | UnknownVariable,
  origin: DefinitionOrigin,
  inputs: ReadonlyMap<string, string>,
  context: ExpansionContext,
): string {
  switch (variable.kind) {
    case 'workspaceFolder': {
      const { name } = variable;
      const folder = workspaceFolderPath(origin, context, name);
      if (folder === undefined) {
        throw invalid(
          name === undefined
            ? 'no folder is open that ${workspaceFolder} could stand for: open one, or write the path itself'
            : `no folder named "${name}" is open: \${workspaceFolder:${name}} stands for nothing`,
        );
      }
      return folder;
    }
    case 'userHome':
      return context.home;
    case 'pathSeparator':
      return path.sep;
    case 'environment': {
      const value = context.env[variable.name];
      if (value !== undefined && !isInherited(variable.name)) {
        context.onSecret?.(value);
      }
      const given = value ?? variable.default;
      if (given === undefined) {
        throw invalid(`the environment variable ${variable.name}, which it uses, is not set`);
      }
      return given;
    }
    case 'input': {
      const value = inputs.get(variable.id);
      if (value === undefined) {
        throw invalid(`the input "${variable.id}" is not declared beside it`);
      }
      return value;
    }
    case 'unknown':
      throw invalid(`\${${variable.text}} is no variable: ${variable.advice}`);
  }
}

/** The system ends a text at the first NUL, so that something else would run than what is written. */
function plain(field: string, value: string): string {
  if (value.includes('\0')) {
    throw invalid(`its "${field}" contains a NUL character once its variables are filled in`);
  }
  return value;
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
