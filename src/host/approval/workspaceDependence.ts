import type { ServerDefinition } from '../config/serverDefinition.ts';
import { expandableTexts, variablesIn } from '../config/variables.ts';
import { isLoaderVariable } from './loaderVariables.ts';

/**
 * Whether the same text of a definition may be another launch in another workspace: by where it starts, or by a
 * variable that decides what runs. Where it cannot be told, it may.
 */
export function mayDependOnWorkspace(definition: ServerDefinition): boolean {
  const { origin } = definition;
  // What the workspace's own file defines starts in the workspace's first folder.
  return (
    origin.scope === 'workspace' ||
    expandableTexts(definition).some(({ path: [field, name], text }) =>
      variablesIn(text, origin.format).some(({ kind }) => {
        switch (kind) {
          case 'workspaceFolder':
          case 'unknown':
            return true;
          case 'environment':
            // A value is the person's to change, unless it decides which code is loaded.
            return !(field === 'headers' || (field === 'env' && !isLoaderVariable(String(name))));
          case 'userHome':
          case 'pathSeparator':
          case 'input':
            return false;
        }
      }),
    )
  );
}
