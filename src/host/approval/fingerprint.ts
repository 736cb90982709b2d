import { createHash } from 'node:crypto';
import { launchOf, type InputDeclaration, type ServerDefinition } from '../config/serverDefinition.ts';
import { isLoaderVariable } from './loaderVariables.ts';

/**
 * Gives the variables in a definition's `envFile` as they are at this moment; undefined without such a
 * file, and when it cannot be read or its path is not known yet.
 */
export type ReadEnvFile = (definition: ServerDefinition) => Readonly<Record<string, string>> | undefined;

/** A launch with what decides over it besides its definition, as it was at one moment. */
export interface Launch {
  readonly definition: ServerDefinition;
  /** Counts for a process only, which may find other programs and files in another directory. */
  readonly workingDirectory: string;
  /** What stands in the `envFile`. */
  readonly envFile: Readonly<Record<string, string>> | undefined;
}

/** Equal exactly when the launches are: what runs, where, with which inputs, and what is loaded into it. */
export function fingerprintOf({ definition, workingDirectory, envFile }: Launch): string {
  const isProcess = definition.type === 'stdio';
  return sha256(
    JSON.stringify([
      definedLaunchOf(definition),
      isProcess ? workingDirectory : null,
      isProcess && definition.envFile !== undefined && envFile ? envFileFacts(envFile) : null,
    ]),
  );
}

/** What a definition alone says of its launch, with the inputs that it refers to. */
export function definedLaunchOf(definition: ServerDefinition): string {
  return JSON.stringify([
    launchOf(definition),
    definition.inputs.map(inputText).sort(),
    definition.type === 'stdio' ? (definition.envFile ?? null) : null,
  ]);
}

/** An input's declaration in a canonical form. */
export function inputText(input: InputDeclaration): string {
  const { type, id, description, default: preset } = input;
  return JSON.stringify([
    id,
    type,
    description ?? null,
    preset ?? null,
    input.type === 'promptString' ? input.password : input.options.map(({ label, value }) => [label, value]),
  ]);
}

/** All names, and the values of what decides which code is loaded: other values are the person's to change. */
function envFileFacts(envFile: Readonly<Record<string, string>>): unknown {
  return Object.keys(envFile)
    .sort()
    .map((name) => [name, isLoaderVariable(name) ? envFile[name] : null]);
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
