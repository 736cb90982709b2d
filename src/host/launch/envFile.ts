import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { HostError, messageOf } from '../errors/hostError.ts';
import { definitionBounds } from '../json/bounds.ts';
import type { DefinitionScope } from '../config/serverDefinition.ts';
import { isOnOtherMachine } from '../folders/otherMachine.ts';
import { isInside } from '../folders/rootUri.ts';

/** An `envFile` whose variables are filled in, and what its path means. */
export interface EnvFile {
  /** As it is written, its variables filled in. */
  readonly path: string;
  /** The directory that a relative path is taken from. */
  readonly base: string;
  readonly scope: DefinitionScope;
}

/** What was read of an `envFile`. */
export interface EnvFileContent {
  readonly variables: Readonly<Record<string, string>>;
  /** Where the file is that was read: its path with symbolic links followed. */
  readonly realPath: string;
}

/**
 * The variables of a dotenv file, as they are in it: nothing in them is expanded. A relative path of
 * what a workspace defines stays within its folder, symbolic links followed: a path that leads elsewhere
 * has to say so, because it is what you are shown. Read at once rather than in the background: the
 * gate before a launch asks what the file holds at that very moment.
 *
 * @throws HostError `invalidDefinition` that says which file, and what is wrong with it.
 */
export function readEnvFile(file: EnvFile): EnvFileContent {
  const full = path.resolve(file.base, file.path);
  if (file.scope !== 'user' && isOnOtherMachine(full, file.base)) {
    throw refusal(full, 'is on another machine: copy it to this one');
  }
  const real = realPath(full);
  if (file.scope !== 'user' && !path.isAbsolute(file.path)) {
    refuseOutside(full, real, file.base);
  }
  // The very file that was looked at: its path may lead to another one by now.
  const text = readText(full, real);
  if (text.includes('\0')) {
    // Node would print the whole value in its error.
    throw refusal(full, 'has a NUL character in it');
  }
  const variables = variablesIn(text, full);
  const lines = Object.values(variables).reduce((sum, value) => sum + value.split('\n').length, 0);
  if (lines > definitionBounds.envFileLines) {
    throw refusal(
      full,
      `has more than ${definitionBounds.envFileLines.toLocaleString('en-US')} lines of values`,
    );
  }
  return { variables, realPath: real };
}

function variablesIn(text: string, full: string): Readonly<Record<string, string>> {
  try {
    const variables: [string, string][] = [];
    for (const [name, value] of Object.entries(parseEnv(text))) {
      if (value !== undefined) {
        variables.push([name, value]);
      }
    }
    return Object.fromEntries(variables);
  } catch (error) {
    throw refusal(full, 'is not in the dotenv form', error);
  }
}

/** Whether a file is in one of the folders, by its path or by its real path: what writes there can change it. */
export function isInFolders(
  file: string,
  { realPath: real }: Pick<EnvFileContent, 'realPath'>,
  folders: readonly string[],
): boolean {
  return folders.some((folder) => isInside(file, folder) || isInside(real, realPathIfThere(folder)));
}

function realPathIfThere(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return folder;
  }
}

function refuseOutside(full: string, real: string, base: string): void {
  const inside = path.relative(realPath(base), real);
  if (inside === '..' || inside.startsWith(`..${path.sep}`) || path.isAbsolute(inside)) {
    throw refusal(full, `lies outside of ${base}: use an absolute path`);
  }
}

function realPath(file: string): string {
  try {
    // As the system itself spells it, where upper and lower case do not matter.
    return realpathSync.native(file);
  } catch (error) {
    throw unreadable(file, error);
  }
}

function readText(full: string, real: string): string {
  let file: number;
  try {
    // A FIFO would otherwise hold the start until a process writes into it.
    file = openSync(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    throw unreadable(full, error);
  }
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) {
      throw refusal(full, stat.isDirectory() ? 'is a directory' : "isn't a regular file");
    }
    // One byte more than allowed, because the file may grow meanwhile.
    const buffer = Buffer.alloc(definitionBounds.envFileBytes + 1);
    const bytesRead = readSync(file, buffer, 0, buffer.length, 0);
    if (bytesRead > definitionBounds.envFileBytes) {
      throw refusal(full, 'is larger than 1 MB');
    }
    return buffer.toString('utf8', 0, bytesRead).replace(/^\uFEFF/, '');
  } finally {
    closeSync(file);
  }
}

function unreadable(full: string, error: unknown): HostError {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT'
    ? refusal(full, 'does not exist', error)
    : refusal(full, `cannot be read (${code ?? messageOf(error)})`, error);
}

function refusal(full: string, what: string, cause?: unknown): HostError {
  return new HostError('invalidDefinition', `its envFile ${full} ${what}`, { cause });
}
