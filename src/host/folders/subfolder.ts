import path from 'node:path';
import { isInside, isSamePath, placeOfPath, placeOfUri } from './rootUri.ts';
import { pathOf, type FolderProblem, type SharedRoot } from './sharedRoot.ts';

/** A folder inside one of the workspace's. */
export interface Subfolder {
  readonly root: SharedRoot;
  readonly within: SharedRoot;
}

/**
 * The folder at an absolute path as a subfolder of the deepest of these folders that contains it, by its text alone; a
 * problem if it can't be one.
 */
export function subfolderAt(named: string, folders: readonly SharedRoot[]): Subfolder | FolderProblem {
  const place = placeOfPath(named);
  if (place.kind === 'refused') {
    return { kind: 'refused', message: place.message };
  }
  if (folders.some((folder) => isSamePath(place.path, pathOf(folder)))) {
    return { kind: 'refused', message: 'It is a folder of the workspace itself.' };
  }
  const [within] = folders
    .filter((folder) => isInside(place.path, pathOf(folder)))
    .sort((a, b) => b.uri.length - a.uri.length);
  return within
    ? { root: { uri: place.uri, name: nameOf(place.path, within) }, within }
    : { kind: 'outside', message: "It isn't inside a folder of the workspace." };
}

/** The sub-folder with this URI; undefined when it does not lie in the folder, going by the text. */
export function subfolderIn(within: SharedRoot, uri: string): Subfolder | undefined {
  const place = placeOfUri(uri);
  return place.kind === 'place' && isInside(place.path, pathOf(within))
    ? { root: { uri: place.uri, name: nameOf(place.path, within) }, within }
    : undefined;
}

/** The way down from the workspace's folder. */
function nameOf(inner: string, within: SharedRoot): string {
  return [within.name, ...path.relative(pathOf(within), inner).split(path.sep)].join('/');
}
