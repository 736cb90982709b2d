import { expandableTexts, variablesIn, variableText } from '../../config/variables.ts';
import { textFacts } from '../launchTable.ts';
import { filledAsFar, meaningOf, type ResolvedLaunch } from '../resolvedLaunch.ts';
import { isInside, isSamePath, ownStyle, type PathStyle } from '../../folders/rootUri.ts';

/** A path of the workspace that a server learns from its launch, whatever is shared with it as a root. */
export interface LaunchPath {
  readonly path: string;
  /** Where it stands, such as `in argument 2`. */
  readonly where: readonly string[];
}

/**
 * What a launch tells its server of the workspace: by `${workspaceFolder}`, by the path of a folder as it is written or
 * as the environment has it, and by where it starts. What inputs fill in is not known before the start.
 *
 * @param folders The paths of the workspace's folders.
 */
export function launchPaths(
  launch: ResolvedLaunch,
  folders: readonly string[],
  style: PathStyle = ownStyle,
): readonly LaunchPath[] {
  const { definition, workingDirectory: directory } = launch;
  const found = new Map<string, Set<string>>();
  const add = (path: string, where: string): void => {
    found.set(path, (found.get(path) ?? new Set()).add(where));
  };
  for (const placed of expandableTexts(definition)) {
    const { learned: where } = textFacts(placed);
    if (where !== undefined) {
      pathsIn(placed.text, launch, folders, style).forEach((path) => add(path, where));
    }
  }
  if (definition.type === 'stdio') {
    const isIn = (folder: string): boolean =>
      isSamePath(directory, folder, style) || isInside(directory, folder, style);
    if (folders.some(isIn)) {
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
  launch: ResolvedLaunch,
  folders: readonly string[],
  style: PathStyle,
): readonly string[] {
  const { format } = launch.definition.origin;
  const meant = variablesIn(text, format).flatMap((variable) => {
    const meaning = meaningOf(launch, variableText(variable, format));
    return variable.kind === 'workspaceFolder' && meaning.kind === 'place' ? [meaning.value] : [];
  });
  // What is not known yet stands between the rest, as something that is in no path.
  const known = filledAsFar(launch, text, () => '\0');
  const named = folders.filter((folder) => isNamed(comparable(folder, style), comparable(known, style)));
  const all = [...meant, ...named];
  // `/projects/api` names `/projects`, too, which says nothing more.
  return [...new Set(all)].filter((path) => !all.some((other) => isInside(other, path, style)));
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

/** On Windows, a path may be written with either slash and in upper or lower case, and its drive in a URI as `c%3A`. */
function comparable(text: string, style: PathStyle): string {
  return style === 'windows' ? text.replaceAll('\\', '/').toLowerCase().replaceAll('%3a', ':') : text;
}
