import { visibleText } from '../../base/text/visibleText.ts';
import { capitalized } from '../../base/text/words.ts';
import type { ServerDefinition } from '../config/serverDefinition.ts';
import { expandableTexts, variablesIn } from '../config/variables.ts';
import { isSecretVariableName, looksLikeSecret, secretIn } from '../../base/text/secretShapes.ts';
import { textFacts } from './launchTable.ts';
import { isInherited } from '../processes/environment.ts';

/**
 * The secrets of your environment that a definition of a workspace takes, a sentence for each text that takes one: the
 * name of the variable, and never its value. Definitions of your own take what you gave them.
 */
export function takenSecrets(definition: ServerDefinition, environment: NodeJS.ProcessEnv): string[] {
  const { scope, format } = definition.origin;
  if (scope !== 'workspace' && scope !== 'folder') {
    return [];
  }
  return expandableTexts(definition).flatMap((placed) => {
    const names = variablesIn(placed.text, format).flatMap((variable) =>
      variable.kind === 'environment' ? [variable.name] : [],
    );
    return [...new Set(names)]
      .filter((name) => isSecretVariable(name, environment[name] ?? ''))
      .map(
        (name) =>
          `${capitalized(textFacts(placed).called)} takes ${visibleText(name)} from your environment, which looks like a secret.`,
      );
  });
}

/**
 * Whether a variable of your environment looks like a secret: by its name, also while it is not set, or by what is in
 * it. What every server gets is no secret.
 */
export function isSecretVariable(name: string, value: string): boolean {
  return (
    isSecretVariableName(name) ??
    (!isInherited(name) && (secretIn(value, name) !== undefined || looksLikeSecret(name, value)))
  );
}
