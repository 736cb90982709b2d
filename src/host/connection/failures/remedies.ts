import { baseName } from '../../launch/warnings/packageRunners.ts';
import { namesSecret } from '../../../base/text/secretShapes.ts';
import type { ServerDefinition } from '../../config/serverDefinition.ts';
import type { HostError } from '../../errors/hostError.ts';
import { isPackageMissing, suggestsMissingKey } from './failureWord.ts';
import { programOf, type Program } from './knownPrograms.ts';

/** What may help when a server has failed, besides its log. */
export type Remedy =
  /** Install the program whose command was not found. */
  | { readonly kind: 'install'; readonly program: Program }
  /** Set a key: one of its inputs, or a value in its definition. */
  | { readonly kind: 'setKey'; readonly hasInputs: boolean }
  /** Change its definition. */
  | { readonly kind: 'edit' };

/** What to try first; undefined if only the log says more. */
export function remedyFor(failure: HostError, definition: ServerDefinition): Remedy | undefined {
  const hasInputs = definition.inputs.length > 0;
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
      return hasInputs || hasKeyVariable(definition) ? { kind: 'setKey', hasInputs } : { kind: 'edit' };
    case 'refused':
      if (suggestsMissingKey(failure)) {
        return { kind: 'setKey', hasInputs };
      }
      return [400, 404, 405, 410].includes(failure.status ?? 0) ? { kind: 'edit' } : undefined;
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
