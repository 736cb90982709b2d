import { sha256 } from '../../base/text/sha256.ts';
import { launchOf, launchOfInput } from '../config/serverDefinition.ts';
import type { ResolvedLaunch } from './resolvedLaunch.ts';
import { filledTexts, fixedPlaces, type FixedPart, type VariablePart } from './fixedTexts.ts';
import { isLoaderVariable } from './loaderVariables.ts';

/** What the question about a launch looks at: the definition, where it starts, and what is in its `envFile`. */
export type Launch = Pick<ResolvedLaunch, 'definition' | 'workingDirectory' | 'envFile'>;

/** Of inputs in what is fixed by an approval: keyed hashes of what was given, by their ids. */
export type GivenInputs = Readonly<Record<string, string>>;

/**
 * Equal exactly when the launches are: the definition as it is written; where a process starts; what the variables
 * that decide over it have become; the names in the `envFile`, and the values of what is loaded. Values of other
 * variables are yours to change. `given` counts once inputs were given, just before the start.
 */
export function fingerprintOf(launch: ResolvedLaunch, given: GivenInputs = {}): string {
  const { definition, workingDirectory, envFile } = launch;
  const isProcess = definition.type === 'stdio';
  const became = variableFacts(launch, given);
  return sha256(
    JSON.stringify([
      JSON.stringify([
        launchOf(definition),
        definition.inputs.map(launchOfInput).sort(),
        isProcess ? (definition.envFile ?? null) : null,
      ]),
      isProcess ? workingDirectory : null,
      envFile ? envFileFacts(envFile) : null,
      ...(became ? [became] : []),
    ]),
  );
}

/** What variables became where that is fixed, and the places that any text names; undefined without any of them. */
function variableFacts(launch: ResolvedLaunch, given: GivenInputs): unknown {
  const texts = filledTexts(launch).map(({ path, parts }) => [path, partFacts(parts, given)]);
  const places = fixedPlaces(launch).map(({ written, meaning }) => [
    written,
    meaning.kind === 'place' ? meaning.value : null,
  ]);
  // Without a path, a file that is written has a variable in it, which is among the texts.
  const { envFilePath } = launch;
  return texts.length === 0 && places.length === 0 && envFilePath === undefined
    ? undefined
    : [texts, places, envFilePath ?? null];
}

/** Stretches that are known are one text, whichever of them a variable has filled in. */
function partFacts(parts: readonly FixedPart[], given: GivenInputs): readonly unknown[] {
  const facts: unknown[] = [];
  for (const part of parts) {
    const last = facts.at(-1);
    if (typeof part !== 'string') {
      facts.push(variableFact(part, given));
    } else if (typeof last === 'string') {
      facts[facts.length - 1] = last + part;
    } else {
      facts.push(part);
    }
  }
  return facts.filter((fact) => fact !== '');
}

function variableFact(
  { written, meaning, isHandedOn }: VariablePart,
  given: GivenInputs,
): readonly unknown[] {
  if (isHandedOn) {
    return ['handed on', written];
  }
  return meaning.kind === 'input'
    ? ['input', meaning.id, Object.hasOwn(given, meaning.id) ? given[meaning.id] : null]
    : ['nothing', written];
}

/** All names, and the values of what decides which code is loaded: other values are yours to change. */
function envFileFacts(envFile: Readonly<Record<string, string>>): unknown {
  return Object.keys(envFile)
    .sort()
    .map((name) => [name, isLoaderVariable(name) ? envFile[name] : null]);
}
