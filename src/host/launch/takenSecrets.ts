import { visibleText } from '../../base/text/visibleText.ts';
import type { ServerDefinition } from '../config/serverDefinition.ts';
import { signInNames, type SignInField } from '../config/signInFields.ts';
import { expandableTexts, variablesIn, type PlacedText } from '../config/variables.ts';
import { isSecretVariableName, looksLikeSecret, secretIn } from '../../base/text/secretShapes.ts';
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
          `${whereOf(placed)} takes ${visibleText(name)} from your environment, which looks like a secret.`,
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

function whereOf({ path: [field, detail = ''] }: PlacedText): string {
  switch (field) {
    case 'command':
      return 'The command';
    case 'args':
      return `Argument ${Number(detail) + 1}`;
    case 'env':
      return `The environment variable ${visibleText(String(detail))}`;
    case 'envFile':
      return 'The path of the envFile';
    case 'cwd':
      return 'The working directory';
    case 'headers':
      return `The header ${visibleText(String(detail))}`;
    case 'oauth':
      return `The ${signInNames[detail as SignInField]} for the sign-in`;
    default:
      return 'The address';
  }
}
