import path from 'node:path';
import { withPlaces, type Places } from '../config/workingDirectory.ts';
import type { ServerDefinition } from '../config/serverDefinition.ts';
import type { RootCandidate } from './rootsView.ts';
import { pathOf, type FolderProblem, type RefusedRoot, type SharedRoot } from '../folders/sharedRoot.ts';
import { subfolderAt, type Subfolder } from '../folders/subfolder.ts';

/** The folders that a definition names, as far as they lie in the workspace. */
export interface ProposedRoots {
  /** The URIs of whole folders of the workspace. */
  readonly folders: 'all' | readonly string[];
  readonly subfolders: readonly Subfolder[];
  /** What would lead out of the workspace. */
  readonly refused: readonly RefusedRoot[];
}

/**
 * What the `roots` of a definition mean in this workspace; without them all folders. A relative path is
 * taken from the first folder that the server could see. An absolute one that lies in no folder means
 * nothing here: it may be about another workspace.
 */
export function proposedRoots(
  { roots = 'all', origin }: Pick<ServerDefinition, 'roots' | 'origin'>,
  offered: readonly SharedRoot[],
  places: Places,
): ProposedRoots {
  if (roots === 'all') {
    return { folders: 'all', subfolders: [], refused: [] };
  }
  const folders: string[] = [];
  const subfolders: Subfolder[] = [];
  const refused: RefusedRoot[] = [];
  const [first] = offered;
  for (const text of new Set(roots === 'none' ? [] : roots)) {
    // Whatever the file, nothing is filled in from the environment: the proposal must mean what it shows.
    const filled = withPlaces(text, { ...origin, format: 'settings' }, places);
    if (filled === undefined || !first) {
      continue;
    }
    const named = filled.startsWith('~') ? filled : path.resolve(pathOf(first), filled);
    const same = offered.find((folder) => pathOf(folder) === named);
    const subfolder = same ? undefined : subfolderAt(named, offered);
    if (same) {
      folders.push(same.uri);
    } else if (subfolder && 'root' in subfolder) {
      subfolders.push(subfolder);
    } else if (subfolder && isAboutThis(text, filled)) {
      refused.push(refusedAs(text, subfolder));
    }
  }
  return { folders, subfolders, refused };
}

/** Whether a definition proposes a folder, or a subfolder alone. */
export function isProposed(
  { folders, subfolders }: ProposedRoots,
  { root, within }: Pick<RootCandidate, 'root' | 'within'>,
): boolean {
  return within
    ? subfolders.some((one) => one.root.uri === root.uri)
    : folders === 'all' || folders.includes(root.uri);
}

function isAboutThis(text: string, filled: string): boolean {
  return text.startsWith('${workspaceFolder') || !path.isAbsolute(filled);
}

function refusedAs(text: string, problem: FolderProblem): RefusedRoot {
  return {
    root: { uri: `refused:${encodeURIComponent(text.toWellFormed())}`, name: text },
    problem,
  };
}
