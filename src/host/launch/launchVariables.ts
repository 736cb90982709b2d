import path from 'node:path';
import { quotedText } from '../../base/text/visibleText.ts';
import type { AnyLaunch } from '../config/serverDefinition.ts';
import { mapTexts } from '../config/variables.ts';
import { filled, filledAsFar, type Meaning, type ResolvedLaunch } from './resolvedLaunch.ts';
import { fixedVariables } from './fixedTexts.ts';
import { textFacts } from './launchTable.ts';
import { isSecretVariable } from './takenSecrets.ts';

/** Where a variable of a launch leads. */
export interface ShownVariable {
  /** As it is written, such as `${workspaceFolder}`. */
  readonly written: string;
  /** What it stands for, as an argument is shown; in words where that is not known yet, or looks like a secret. */
  readonly becomes: string;
}

/** Where each variable leads that decides over a launch. */
export function shownVariables(launch: ResolvedLaunch): readonly ShownVariable[] {
  return fixedVariables(launch).map(({ written, meaning }) => ({ written, becomes: shownMeaning(meaning) }));
}

function shownMeaning(meaning: Meaning): string {
  switch (meaning.kind) {
    case 'place':
    case 'default':
      return quotedText(meaning.value);
    case 'environment':
      return isSecret(meaning)
        ? 'a value of your environment that looks like a secret'
        : quotedText(meaning.value);
    case 'input':
      return 'what you enter when it starts';
    case 'nothing':
      return 'nothing: it has no value now';
  }
}

function isSecret(meaning: Meaning): boolean {
  return meaning.kind === 'environment' && isSecretVariable(meaning.name, meaning.value);
}

/** The launch as messages may name it: variables filled in, except inputs and what looks like a secret. */
export function sayableLaunch(launch: ResolvedLaunch): ResolvedLaunch {
  const sayable = withSayableMeanings(launch);
  const definition = mapTexts(launch.definition, (text, path) =>
    textFacts({ path }).isFilledIn ? filledAsFar(sayable, text) : text,
  );
  return { ...launch, definition };
}

/** The whole path of the `envFile` as messages may name it; as far as it may be shown where it has a secret. */
export function sayableEnvFile(launch: ResolvedLaunch): string {
  const { base } = launch;
  const { envFile: written = '' }: AnyLaunch = launch.definition;
  const sayable = withSayableMeanings(launch);
  const whole = filled(sayable, written);
  return whole === undefined ? filledAsFar(sayable, written) : path.resolve(base, whole);
}

function withSayableMeanings(launch: ResolvedLaunch): ResolvedLaunch {
  const meanings = Object.entries(launch.meanings).filter(
    ([, meaning]) => meaning.kind !== 'input' && !isSecret(meaning),
  );
  return { ...launch, meanings: Object.fromEntries(meanings) };
}
