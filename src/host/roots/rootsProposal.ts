import path from 'node:path';
import { withPlaces, type Places } from '../config/workingDirectory.ts';
import type { ServerDefinition } from '../config/serverDefinition.ts';
import { pathOf, type SharedRoot } from './sharedRoot.ts';
import { subfolderAt, type Subfolder } from './subfolder.ts';

/** The folders that a definition names, as far as they lie in the workspace. */
export interface ProposedRoots {
  /** The URIs of whole folders of the workspace. */
  readonly folders: 'all' | readonly string[];
  readonly subfolders: readonly Subfolder[];
}

/**
 * What the `roots` of a definition mean in this workspace; without them all folders. A relative path is
 * taken from the first folder that the server could see; paths outside of the workspace mean nothing here.
 */
export function proposedRoots(
  { roots = 'all', origin }: Pick<ServerDefinition, 'roots' | 'origin'>,
  offered: readonly SharedRoot[],
  places: Places,
): ProposedRoots {
  if (roots === 'all') {
    return { folders: 'all', subfolders: [] };
  }
  const folders: string[] = [];
  const subfolders: Subfolder[] = [];
  const [first] = offered;
  for (const text of roots === 'none' ? [] : roots) {
    // Whatever the file, `${NAME}` is filled in from no environment: the proposal must mean what it shows.
    const filled = withPlaces(text, { ...origin, format: 'settings' }, places);
    if (filled === undefined || !first) {
      continue;
    }
    const named = path.resolve(pathOf(first), filled);
    const same = offered.find((folder) => path.resolve(pathOf(folder)) === named);
    if (same) {
      folders.push(same.uri);
      continue;
    }
    const subfolder = subfolderAt(named, offered);
    if (subfolder && !subfolders.some(({ root }) => root.uri === subfolder.root.uri)) {
      subfolders.push(subfolder);
    }
  }
  return { folders, subfolders };
}
