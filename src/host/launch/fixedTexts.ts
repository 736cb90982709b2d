import type { ServerDefinition } from '../config/serverDefinition.ts';
import {
  expandableTexts,
  textParts,
  variablesIn,
  variableText,
  type PlacedText,
  type TextPart,
} from '../config/variables.ts';
import { meaningOf, type Meaning, type ResolvedLaunch } from './resolvedLaunch.ts';
import { isInherited } from '../processes/environment.ts';
import { textFacts } from './launchTable.ts';

/** A variable whose meaning an approval fixes. */
export interface FixedVariable {
  /** Its text, with `${` and `}`. */
  readonly written: string;
  readonly meaning: Meaning;
}

/** A stretch of a fixed text: what is known of it, or the variable that stands there. */
export type FixedPart = string | VariablePart;

export interface VariablePart extends FixedVariable {
  /** See `handsOn`. */
  readonly isHandedOn: boolean;
}

/**
 * The texts that an approval fixes as they are filled in: the command, the arguments, the working directory, the
 * address, the path of the `envFile`, how you sign in, and variables that decide which code is loaded. What other
 * variables, headers and secrets hand over is yours to change.
 */
function fixedTexts(definition: ServerDefinition): readonly PlacedText[] {
  return expandableTexts(definition).filter((placed) => textFacts(placed).isFixed);
}

/** The fixed texts with variables in them, filled in. An input always stands as its variable. */
export function filledTexts(
  launch: ResolvedLaunch,
): readonly { readonly path: PlacedText['path']; readonly parts: readonly FixedPart[] }[] {
  const { format } = launch.definition.origin;
  return fixedTexts(launch.definition)
    .filter(({ text }) => variablesIn(text, format).length > 0)
    .map(({ path, text }) => ({
      path,
      parts: textParts(text, format).map((part) => fixedPart(launch, path, part)),
    }));
}

/** Every variable whose meaning is fixed, once: those of fixed texts, and places wherever they stand. */
export function fixedVariables(launch: ResolvedLaunch): readonly FixedVariable[] {
  const { definition } = launch;
  const { format } = definition.origin;
  const fixed = fixedTexts(definition).flatMap(({ path, text }) =>
    textParts(text, format).filter((part) => typeof part !== 'string' && !handsOn(path, part)),
  );
  const all = expandableTexts(definition).flatMap(({ text }) => textParts(text, format));
  const written = [...all.filter(isPlace), ...fixed].flatMap((part) =>
    typeof part === 'string' || part.kind === 'pathSeparator' ? [] : [variableText(part, format)],
  );
  return [...new Set(written)].map((one) => ({ written: one, meaning: meaningOf(launch, one) }));
}

/** The places that any text of the launch names, with what each stands for. */
export function fixedPlaces(launch: ResolvedLaunch): readonly FixedVariable[] {
  const { definition } = launch;
  const { format } = definition.origin;
  const written = expandableTexts(definition)
    .flatMap(({ text }) => variablesIn(text, format))
    .filter(isPlace)
    .map((variable) => variableText(variable, format));
  return [...new Set(written)].sort().map((one) => ({ written: one, meaning: meaningOf(launch, one) }));
}

function fixedPart(launch: ResolvedLaunch, path: PlacedText['path'], part: TextPart): FixedPart {
  if (typeof part === 'string') {
    return part;
  }
  const written = variableText(part, launch.definition.origin.format);
  const meaning = meaningOf(launch, written);
  const isHandedOn = handsOn(path, part);
  return meaning.kind === 'input' || meaning.kind === 'nothing' || isHandedOn
    ? { written, meaning, isHandedOn }
    : meaning.value;
}

/**
 * Whether an environment variable is handed on under its own name that every server gets anyway: another entry in
 * `PATH` asks nobody, in `"PATH": "${env:PATH}:/opt/tools"` as little as without an entry for it.
 */
function handsOn([field, name]: PlacedText['path'], part: TextPart): boolean {
  return (
    field === 'env' &&
    typeof part !== 'string' &&
    part.kind === 'environment' &&
    part.name.toUpperCase() === String(name).toUpperCase() &&
    isInherited(part.name)
  );
}

function isPlace(part: TextPart): boolean {
  return typeof part !== 'string' && (part.kind === 'workspaceFolder' || part.kind === 'userHome');
}
