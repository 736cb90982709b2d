import { visibleText } from '../../base/visibleText.ts';
import type { ServerDefinition } from '../config/serverDefinition.ts';
import { expandableTexts, textParts, type PlacedText } from '../config/variables.ts';
import {
  withPlaces,
  workingDirectory,
  workspaceFolderPath,
  type Places,
} from '../config/workingDirectory.ts';
import { isInside } from '../roots/rootUri.ts';
import { pathOf, visibleFolders } from '../roots/sharedRoot.ts';

/** A path of the workspace that a server learns from its launch, whatever is shared with it as a root. */
export interface LaunchPath {
  readonly path: string;
  /** Where it stands, such as `in argument 2`. */
  readonly where: readonly string[];
}

/**
 * What a launch tells its server of the workspace: by `${workspaceFolder}`, by the path of a folder as it is
 * written, and by where it starts. What inputs and the environment fill in is not known before the start.
 */
export function launchPaths(definition: ServerDefinition, places: Places): readonly LaunchPath[] {
  const folders = visibleFolders({}, places.folders).onDisk.map(pathOf);
  const found = new Map<string, Set<string>>();
  const add = (path: string, where: string): void => {
    found.set(path, (found.get(path) ?? new Set()).add(where));
  };
  for (const placed of expandableTexts(definition)) {
    const where = whereOf(placed);
    if (where !== undefined) {
      pathsIn(placed.text, definition, { places, folders }).forEach((path) => add(path, where));
    }
  }
  if (definition.type === 'stdio') {
    const directory = workingDirectory(definition, places);
    if (folders.some((folder) => directory === folder || isInside(directory, folder))) {
      add(directory, 'as its working directory');
    }
  }
  return [...found].map(([path, where]) => ({ path, where: [...where] }));
}

/** On one line, such as `/projects/api (in argument 2)`. */
export function launchPathText({ path, where }: LaunchPath): string {
  return `${path} (${where.join(', ')})`;
}

function pathsIn(
  text: string,
  { origin }: ServerDefinition,
  { places, folders }: { readonly places: Places; readonly folders: readonly string[] },
): readonly string[] {
  const parts = textParts(text, origin.format);
  const meant = parts.map((part) =>
    typeof part === 'object' && part.kind === 'workspaceFolder'
      ? workspaceFolderPath(origin, places, part.name)
      : undefined,
  );
  // What is not known yet stands between the rest, as something that is in no path.
  const filled =
    withPlaces(text, origin, places) ??
    parts.map((part) => (typeof part === 'string' ? part : '\0')).join('');
  const named = folders.filter((folder) => isNamed(folder, filled));
  const all = [...meant.filter((path) => path !== undefined), ...named];
  // `/projects/api` names `/projects`, too, which says nothing more.
  return [...new Set(all)].filter((path) => !all.some((other) => isInside(other, path)));
}

/** Whether a text has the path in it as a whole: `/projects/api` is not in `/projects/api-secret`. */
function isNamed(path: string, text: string): boolean {
  for (let at = text.indexOf(path); at >= 0; at = text.indexOf(path, at + 1)) {
    if (
      !/[\p{L}\p{N}_.-]$/u.test(text.slice(0, at)) &&
      !/^[\p{L}\p{N}_.-]/u.test(text.slice(at + path.length))
    ) {
      return true;
    }
  }
  return false;
}

/** Undefined for what the server is not told: this host itself reads the `envFile`. */
function whereOf({ path: [field, part] }: PlacedText): string | undefined {
  switch (field) {
    case 'command':
      return 'in the command';
    case 'args':
      return `in argument ${Number(part) + 1}`;
    case 'env':
      return `in the environment variable ${visibleText(String(part))}`;
    case 'url':
      return 'in the address';
    case 'headers':
      return `in the header ${visibleText(String(part))}`;
    default:
      return undefined;
  }
}
