import path from 'node:path';
import { pathOf, visibleFolders, type WorkspaceFolder } from '../folders/sharedRoot.ts';
import type { DefinitionOrigin } from './serverDefinition.ts';
import { textParts, type TextPart } from './variables.ts';

/** What the places of this machine and this window are. */
export interface Places {
  readonly folders: readonly WorkspaceFolder[];
  /** Your home directory. */
  readonly home: string;
}

/**
 * The directory that a definition's relative paths are taken from: the folder that defines it, for the
 * workspace's own file its first folder, and for a user's server, and this extension's own, the home directory.
 */
export function baseDirectory(origin: DefinitionOrigin, { folders, home }: Places): string {
  const [first] = isOfNoWorkspace(origin) ? [] : visibleFolders(origin, folders).onDisk;
  return first ? pathOf(first) : home;
}

/** The folder that `${workspaceFolder}` means in a definition; undefined when there is none on a disk. */
function workspaceFolderPath(
  origin: DefinitionOrigin,
  { folders }: Places,
  name?: string,
): string | undefined {
  const wanted = name === undefined ? folders : folders.filter((folder) => folder.name === name);
  const own =
    name === undefined ? origin : { scope: origin.scope, format: origin.format, place: origin.place };
  const [first] = visibleFolders(own, wanted).onDisk;
  return first && pathOf(first);
}

/** A text with the variables filled in that stand for places; undefined when it has others. */
export function withPlaces(text: string, origin: DefinitionOrigin, places: Places): string | undefined {
  let filled = '';
  for (const part of textParts(text, origin.format)) {
    const known = typeof part === 'string' ? part : placeValue(part, origin, places);
    if (known === undefined) {
      return undefined;
    }
    filled += known;
  }
  return filled;
}

/** The value of a variable that stands for a place; undefined for any other. */
export function placeValue(
  variable: Exclude<TextPart, string>,
  origin: DefinitionOrigin,
  places: Places,
): string | undefined {
  switch (variable.kind) {
    case 'workspaceFolder':
      return workspaceFolderPath(origin, places, variable.name);
    case 'userHome':
      return places.home;
    case 'pathSeparator':
      return path.sep;
    case 'environment':
    case 'input':
    case 'unknown':
      return undefined;
  }
}

function isOfNoWorkspace({ scope }: DefinitionOrigin): boolean {
  return scope === 'user' || scope === 'extension';
}
