import path from 'node:path';
import { MAX_HASHED_BYTES, type FileState } from '../../../base/files/fileHash.ts';
import { realPathOf } from '../../../base/files/realPathOf.ts';
import { sha256 } from '../../../base/text/sha256.ts';
import { inQuotes, visibleText } from '../../../base/text/visibleText.ts';
import { counted } from '../../../base/text/words.ts';
import { isOnOtherMachine } from '../../folders/otherMachine.ts';
import { definitionBounds } from '../../json/bounds.ts';
import type { ResolvedLaunch } from '../resolvedLaunch.ts';
import { besideTable, type BesideRow } from './besideTable.ts';
import { calledPrograms, type CalledProgram } from './calledPrograms.ts';
import { decidingSettings } from './decidingSettings.ts';
import { isInsideWorkspace } from './insideWorkspace.ts';

/** A file beside a command that what runs there follows. */
interface BesideFile {
  /** Absolute. */
  readonly path: string;
  /** Of its content, or of the part that counts. */
  readonly sha256: string;
  /** What it does, as a sentence; undefined if it changes nothing about what runs. */
  readonly warning: string | undefined;
}

/** What was found, by path, and the paths at which nothing was. */
export interface CodeBeside {
  readonly looked: ReadonlySet<string>;
  readonly files: readonly BesideFile[];
  /** There were more places than are looked at. */
  readonly isCut: boolean;
}

/** A launch with the paths of the folders of its workspace. */
type PlacedLaunch = Pick<ResolvedLaunch, 'definition' | 'workingDirectory' | 'workspace'>;

/** A place where a program looks. */
interface Place {
  readonly file: string;
  readonly program: string;
  readonly row: BesideRow;
  /** The value of `{bin}`. */
  readonly bin: string | undefined;
}

/** More than any honest command has; each costs a look at the disk before each start. */
const MAX_PLACES = 1_000;

/**
 * What lies beside a command in the workspace and changes what it runs: configuration, and copies that run instead. For
 * a launch that starts elsewhere, nothing is looked at.
 *
 * @param stateOf Reads a file of at most so many bytes; its text is wanted unless only its presence counts.
 */
export function codeBeside(
  launch: PlacedLaunch,
  stateOf: (file: string, wanted: { readonly maxBytes: number; readonly isTextWanted: boolean }) => FileState,
): CodeBeside {
  const places = new Map<string, Place>();
  let isCut = false;
  for (const place of placesOf(launch)) {
    if (places.size >= MAX_PLACES) {
      isCut = true;
      break;
    }
    // Where disks ignore case, two names of a row are one file.
    const key = process.platform === 'linux' ? place.file : place.file.toLowerCase();
    if (!places.has(key)) {
      places.set(key, place);
    }
  }
  // All together: a repository can have a large file at each place.
  const left = { text: definitionBounds.settingsBytes, hash: MAX_HASHED_BYTES };
  const files = [...places.values()].flatMap((place) => {
    const use = place.row.decides.kind === 'all' ? 'hash' : 'text';
    const state = stateOf(place.file, { maxBytes: left[use], isTextWanted: use === 'text' });
    left[use] -= state.kind === 'read' ? state.bytes : 0;
    const found = foundAt(place, state);
    const name = inQuotes(path.relative(launch.workingDirectory, place.file));
    return found ? [{ path: place.file, sha256: found.sha256, warning: warningOf(name, place, found) }] : [];
  });
  return { looked: new Set([...places.values()].map(({ file }) => file)), files, isCut };
}

/** For the question about a launch. */
export function besideWarnings({ files, isCut }: CodeBeside): readonly string[] {
  return [
    ...files.flatMap(({ warning }) => warning ?? []),
    ...(isCut
      ? [`It could follow more than ${counted(MAX_PLACES, 'file')} of the workspace: not all are compared.`]
      : []),
  ];
}

/** `deciding` is undefined for what changes nothing, and empty if the file does as a whole. */
interface Found {
  readonly sha256: string;
  readonly deciding: readonly string[] | undefined;
  readonly isUnreadable?: true;
}

function foundAt({ row: { decides }, bin }: Place, state: FileState): Found | undefined {
  switch (state.kind) {
    case 'absent':
      return undefined;
    case 'unreadable':
      return { sha256: `unreadable ${state.mark}`, deciding: [], isUnreadable: true };
    case 'read': {
      if (decides.kind === 'all') {
        return { sha256: state.sha256, deciding: [] };
      }
      const { names, part } = decidingSettings(state.text, decides, bin);
      // Of what is for something else, such as the secrets in a file of variables, no change is asked about.
      if (part !== undefined) {
        return names.length === 0 ? undefined : { sha256: sha256(part), deciding: names };
      }
      return { sha256: state.sha256, deciding: names.length === 0 ? undefined : names };
    }
  }
}

function warningOf(name: string, { program }: Place, { deciding, isUnreadable }: Found): string | undefined {
  if (deciding === undefined) {
    return undefined;
  }
  if (isUnreadable) {
    return `${name} in the workspace can't be read, and may change what ${program} runs.`;
  }
  const unique = [...new Set(deciding)].map(visibleText);
  const shown = unique.length > 3 ? [...unique.slice(0, 3), 'more'] : unique;
  const sets = shown.length === 0 ? '' : `sets ${shown.join(', ')}, which `;
  return `${name} in the workspace ${sets}changes what ${program} runs.`;
}

function* placesOf({ definition, workingDirectory, workspace }: PlacedLaunch): Iterable<Place> {
  if (definition.type !== 'stdio' || definition.program !== undefined || !path.isAbsolute(workingDirectory)) {
    return;
  }
  const folders = foldersUp(workingDirectory, workspace);
  if (folders.length === 0) {
    return;
  }
  const words = [definition.command, ...definition.args];
  for (const called of calledPrograms(words)) {
    const named = namesIn(words, called);
    const name = isCompose(words, called) ? 'docker-compose' : called.name;
    for (const row of besideTable.filter(({ of }) => of.includes(name))) {
      for (const folder of row.isAboveToo ? folders : folders.filter(({ isOwn }) => isOwn)) {
        for (const pattern of row.files) {
          for (const { file, bin } of filled(pattern, named, row.decides.kind === 'bin')) {
            yield { file: path.join(folder.path, file), program: called.name, row, bin };
          }
        }
      }
    }
  }
}

interface Folder {
  readonly path: string;
  /** It is where the command starts. */
  readonly isOwn: boolean;
}

/**
 * Where a command starts and the folders above, as far as they are in the workspace, by the path as it is written and by
 * the one that the process sees.
 */
function* upwards(start: string, workspace: readonly string[]): Iterable<Folder> {
  let folder = start;
  while (isInsideWorkspace('.', folder, workspace)) {
    yield { path: folder, isOwn: folder === start };
    const parent = path.dirname(folder);
    if (parent === folder) {
      return;
    }
    folder = parent;
  }
}

function foldersUp(workingDirectory: string, workspace: readonly string[]): readonly Folder[] {
  const start = path.resolve(workingDirectory);
  if (workspace.every((folder) => isOnOtherMachine(start, folder))) {
    return [];
  }
  const real = realPathOf(start);
  const known = new Map<string, Folder>();
  for (const folder of [
    ...upwards(start, workspace),
    ...(real === start && workspace.includes(start) ? [] : upwards(real, workspace.map(realPathOf))),
  ]) {
    known.set(folder.path, known.get(folder.path) ?? folder);
  }
  return [...known.values()];
}

interface Names {
  readonly bins: readonly string[];
  readonly packages: readonly string[];
  readonly module: string | undefined;
}

/** The names that a command gives its program to look for. */
function namesIn(words: readonly string[], { at, end }: CalledProgram): Names {
  const own = words.slice(at + 1, end);
  const packages: string[] = [];
  own.forEach((word, index) => {
    const equals = word.startsWith('--') ? word.indexOf('=') : -1;
    const option = equals < 0 ? word : word.slice(0, equals);
    if (namingOptions.has(option)) {
      packages.push(equals < 0 ? (own[index + 1] ?? '') : word.slice(equals + 1));
    }
  });
  // Without a package that is fetched, as in `pnpm exec server`, the program and its task are among the first words.
  const first =
    end < words.length ? [words[end] ?? ''] : own.filter((word) => !word.startsWith('-')).slice(0, 2);
  const isModule = words[end] === '-m';
  return {
    bins: first.map((word) => path.posix.basename(packageName(word))).filter(isPlainName),
    packages: [...packages, ...first].map(packageName).filter(isPackageName),
    module: isModule ? words[end + 1] : undefined,
  };
}

/** Options that name a package or a module to load. */
const namingOptions = new Set(
  '-p --package -r --require --import --loader --experimental-loader --preload'.split(' '),
);

function filled(
  pattern: string,
  { bins, packages, module }: Names,
  isOfBin: boolean,
): readonly { readonly file: string; readonly bin?: string }[] {
  if (pattern.includes('{bin}') || isOfBin) {
    return bins.map((bin) => ({ file: pattern.replace('{bin}', () => bin), bin }));
  }
  if (pattern.includes('{package}')) {
    return packages.map((name) => ({ file: pattern.replace('{package}', () => name) }));
  }
  if (pattern.includes('{module}')) {
    return modulePaths(module).map((name) => ({ file: pattern.replace('{module}', () => name) }));
  }
  return [{ file: pattern }];
}

/** `a.b` is found in `a/b`, after `a` has been loaded. */
function modulePaths(module = ''): readonly string[] {
  const parts = module.split('.').slice(0, 10);
  return parts.every((part) => isPlainName(part))
    ? parts.map((_, index) => parts.slice(0, index + 1).join('/'))
    : [];
}

function packageName(spec: string): string {
  const version = spec.indexOf('@', 1);
  return version < 0 ? spec : spec.slice(0, version);
}

function isPackageName(name: string): boolean {
  const parts = name.split('/');
  return name.startsWith('@') ? parts.length === 2 && parts.every(isPlainName) : isPlainName(name);
}

function isPlainName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[/\\\0:\s$]/.test(name);
}

function isCompose(words: readonly string[], { name, at }: CalledProgram): boolean {
  return /^(?:docker|podman|nerdctl)$/.test(name) && words.slice(at + 1).includes('compose');
}
