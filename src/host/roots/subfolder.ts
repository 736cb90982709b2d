import path from 'node:path';
import { URI } from 'vscode-uri';
import { pathOf, type SharedRoot } from './sharedRoot.ts';

/** A folder inside one of the workspace's. */
export interface Subfolder {
  readonly root: SharedRoot;
  readonly within: SharedRoot;
}

/** The folder at an absolute path as a sub-folder of the deepest of these that it lies in, by its text. */
export function subfolderAt(named: string, folders: readonly SharedRoot[]): Subfolder | undefined {
  const [within] = folders
    .filter((folder) => isInside(named, pathOf(folder)))
    .sort((a, b) => b.uri.length - a.uri.length);
  return within && subfolderIn(within, URI.file(named).toString());
}

/** The sub-folder with this URI, called by its way down from the workspace's folder. */
export function subfolderIn(within: SharedRoot, uri: string): Subfolder {
  const below = path.relative(pathOf(within), URI.parse(uri, true).fsPath).split(path.sep).join('/');
  return { root: { uri, name: `${within.name}/${below}` }, within };
}

/** True when one absolute path lies below the other; `/app-secret` does not lie below `/app`. */
export function isInside(inner: string, outer: string): boolean {
  const relative = path.relative(outer, inner);
  return (
    relative !== '' &&
    relative !== '..' &&
    !relative.startsWith(`..${path.sep}`) &&
    !path.isAbsolute(relative)
  );
}
