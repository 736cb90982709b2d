import path from 'node:path';
import { frozenDeep } from '../../base/values/frozenDeep.ts';
import { isInFolders, type EnvFile, type EnvFileContent } from './envFile.ts';
import type { AnyLaunch, DefinitionOrigin, ServerDefinition } from '../config/serverDefinition.ts';
import {
  expandableTexts,
  variablesIn,
  variableText,
  type UnknownVariable,
  type Variable,
} from '../config/variables.ts';
import { baseDirectory, placeValue, type Places } from '../config/workingDirectory.ts';
import { pathOf, visibleFolders } from '../folders/sharedRoot.ts';
import { HostError, messageOf } from '../errors/hostError.ts';
import { environmentFor } from '../processes/environment.ts';
import { filled, filledAsFar, type Meaning, type ResolvedLaunch } from './resolvedLaunch.ts';

/** What the variables of a definition are looked up in. */
export interface Surroundings extends Places {
  readonly env: NodeJS.ProcessEnv;
  readonly readEnvFile: ReadEnvFile;
}

/** @throws HostError that says what is wrong with the file. */
export type ReadEnvFile = (file: EnvFile) => EnvFileContent;

/**
 * What would run as things stand at this moment. The environment is read, and the `envFile` once, if its path is known.
 * Nobody is asked for anything: inputs stay without a value (`withInputs`), and the start reports what is missing.
 */
export function resolveLaunch(definition: ServerDefinition, surroundings: Surroundings): ResolvedLaunch {
  const { origin } = definition;
  const meanings = expandableTexts(definition)
    .flatMap(({ text }) => variablesIn(text, origin.format))
    .map((variable) => [variableText(variable, origin.format), meaningIn(variable, origin, surroundings)]);
  return settled(
    {
      definition,
      meanings: frozenDeep(Object.fromEntries(meanings) as Record<string, Meaning>),
      base: baseDirectory(origin, surroundings),
      workspace: Object.freeze(visibleFolders({}, surroundings.folders).onDisk.map(pathOf)),
      inherited: Object.freeze(environmentFor({}, surroundings.env)),
    },
    surroundings.readEnvFile,
  );
}

/** The same launch with the values of inputs, by their ids; an `envFile` whose path takes one is read now. */
export function withInputs(
  launch: ResolvedLaunch,
  inputs: ReadonlyMap<string, string>,
  readEnvFile: ReadEnvFile,
): ResolvedLaunch {
  const meanings = Object.entries(launch.meanings).map(([written, meaning]): [string, Meaning] => {
    const value = meaning.kind === 'input' ? inputs.get(meaning.id) : undefined;
    return [written, value === undefined ? meaning : Object.freeze({ ...meaning, value })];
  });
  return settled({ ...launch, meanings: Object.freeze(Object.fromEntries(meanings)) }, readEnvFile);
}

type FileFacts = Pick<ResolvedLaunch, 'envFilePath' | 'envFile' | 'envFileProblem' | 'isEnvFileInWorkspace'>;
type Unsettled = Pick<ResolvedLaunch, 'definition' | 'meanings' | 'base' | 'workspace' | 'inherited'> &
  Partial<FileFacts>;

const noFile: FileFacts = {
  envFilePath: undefined,
  envFile: undefined,
  envFileProblem: undefined,
  isEnvFileInWorkspace: false,
};

/** What follows from the meanings: the paths, and what is in the file if it has not been read yet. */
function settled(launch: Unsettled, readEnvFile: ReadEnvFile): ResolvedLaunch {
  return Object.freeze({
    ...noFile,
    ...launch,
    workingDirectory: workingDirectoryOf(launch),
    ...(launch.envFilePath === undefined && readFileOf(launch, readEnvFile)),
  });
}

function workingDirectoryOf({ definition, meanings, base }: Unsettled): string {
  const { cwd: written = '' }: AnyLaunch = definition;
  const cwd = filled({ definition, meanings }, written);
  if (cwd === undefined) {
    return filledAsFar({ definition, meanings }, written);
  }
  return cwd === '' ? base : path.resolve(base, cwd);
}

function readFileOf(
  { definition, meanings, base, workspace }: Unsettled,
  readEnvFile: ReadEnvFile,
): FileFacts {
  const { envFile: written }: AnyLaunch = definition;
  const file = written === undefined ? undefined : filled({ definition, meanings }, written);
  if (file === undefined) {
    return noFile;
  }
  const envFilePath = path.resolve(base, file);
  try {
    if (file.includes('\0')) {
      throw invalid('its "envFile" contains a NUL character once its variables are filled in');
    }
    const content = readEnvFile({ path: file, base, scope: definition.origin.scope });
    return {
      envFilePath,
      envFile: Object.freeze({ ...content.variables }),
      envFileProblem: undefined,
      isEnvFileInWorkspace: isInFolders(envFilePath, content, workspace),
    };
  } catch (error) {
    const problem = error instanceof HostError ? error : invalid(messageOf(error));
    return { ...noFile, envFilePath, envFileProblem: problem };
  }
}

function meaningIn(
  variable: Variable | UnknownVariable,
  origin: DefinitionOrigin,
  surroundings: Surroundings,
): Meaning {
  switch (variable.kind) {
    case 'workspaceFolder':
    case 'userHome':
    case 'pathSeparator': {
      const value = placeValue(variable, origin, surroundings);
      return value === undefined
        ? { kind: 'nothing', problem: noFolder(variable) }
        : { kind: 'place', value };
    }
    case 'environment': {
      const { name, default: preset } = variable;
      const value: unknown = surroundings.env[name];
      if (typeof value === 'string') {
        return { kind: 'environment', name, value };
      }
      return preset === undefined
        ? { kind: 'nothing', problem: `the environment variable ${name}, which it uses, is not set` }
        : { kind: 'default', value: preset };
    }
    case 'input':
      return { kind: 'input', id: variable.id };
    case 'unknown':
      return { kind: 'nothing', problem: `\${${variable.text}} is no variable: ${variable.advice}` };
  }
}

function noFolder(variable: Variable): string {
  const name = variable.kind === 'workspaceFolder' ? variable.name : undefined;
  return name === undefined
    ? 'no folder is open that ${workspaceFolder} could stand for: open one, or write the path itself'
    : `no folder named "${name}" is open: \${workspaceFolder:${name}} stands for nothing`;
}

function invalid(message: string): HostError {
  return new HostError('invalidDefinition', message);
}
