import { baseName } from '../../launch/warnings/packageRunners.ts';
import { namesSecret } from '../../../base/text/secretShapes.ts';
import type { InputDeclaration, ServerDefinition } from '../../config/serverDefinition.ts';
import { hasHeader } from '../../config/tokenText.ts';
import type { HostError } from '../../errors/hostError.ts';
import { isPackageMissing, suggestsMissingKey } from './failureWord.ts';
import { programOf, type Program } from './knownPrograms.ts';

/** Where the token of a server is: one of its inputs, a value in its definition, or kept for its requests. */
export type TokenPlace = 'input' | 'definition' | 'account';

/** Where you set the token of a server. */
export function tokenPlaceOf(definition: ServerDefinition): TokenPlace {
  const { type, inputs } = definition;
  const isWritten = type === 'stdio' || hasHeader(definition.headers, 'Authorization');
  const isInput = (input: InputDeclaration): boolean =>
    isWritten || (input.type === 'promptString' && input.password);
  return inputs.some(isInput) ? 'input' : isWritten ? 'definition' : 'account';
}

/** What may help when a server has failed, besides its log. */
export type Remedy =
  /** Install the program whose command was not found. */
  | { readonly kind: 'install'; readonly program: Program }
  /** Set its token. */
  | { readonly kind: 'setKey'; readonly place: TokenPlace }
  /** Change its definition. */
  | { readonly kind: 'edit' }
  /** Change the setting of the editor that doesn't let it run. */
  | { readonly kind: 'setting'; readonly setting: string };

/** What to try first; undefined if only the log says more. */
export function remedyFor(failure: HostError, definition: ServerDefinition): Remedy | undefined {
  const place = tokenPlaceOf(definition);
  switch (failure.code) {
    case 'commandNotFound': {
      const program = definition.type === 'stdio' ? programOf(baseName(definition.command)) : undefined;
      return program ? { kind: 'install', program } : { kind: 'edit' };
    }
    case 'exited':
      if (isPackageMissing(failure)) {
        return { kind: 'edit' };
      }
      if (!suggestsMissingKey(failure)) {
        return undefined;
      }
      return place === 'input' || hasKeyVariable(definition) ? { kind: 'setKey', place } : { kind: 'edit' };
    case 'refused':
      if (suggestsMissingKey(failure)) {
        return { kind: 'setKey', place };
      }
      return [400, 404, 405, 410].includes(failure.status ?? 0) ? { kind: 'edit' } : undefined;
    case 'forbidden':
      return failure.setting === undefined ? undefined : { kind: 'setting', setting: failure.setting };
    case 'workingDirectoryMissing':
    case 'spawnFailed':
    case 'unreachable':
    case 'protocol':
    case 'invalidDefinition':
      return { kind: 'edit' };
    default:
      return undefined;
  }
}

function hasKeyVariable(definition: ServerDefinition): boolean {
  return (
    definition.type === 'stdio' &&
    (definition.envFile !== undefined || Object.keys(definition.env).some(namesSecret))
  );
}
