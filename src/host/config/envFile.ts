import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { HostError, messageOf } from '../hostError.ts';
import type { DefinitionScope } from './serverDefinition.ts';

/** A file of variables has no reason to be larger. */
const MAX_BYTES = 1024 * 1024;

/** An `envFile` whose variables are filled in, and what its path means. */
export interface EnvFile {
  /** As it is written, its variables filled in. */
  readonly path: string;
  /** The directory that a relative path is taken from. */
  readonly base: string;
  readonly scope: DefinitionScope;
}

/**
 * The variables of a dotenv file, as they stand in it: nothing in them is expanded. A relative path of
 * what a workspace defines stays within its folder, symbolic links followed: a path that leads elsewhere
 * has to say so, because it is what the person is shown.
 *
 * @throws HostError `invalidDefinition` that says which file, and what is wrong with it.
 */
export async function readEnvFile(file: EnvFile): Promise<Record<string, string>> {
  const full = path.resolve(file.base, file.path);
  if (file.scope !== 'user' && !path.isAbsolute(file.path)) {
    await refuseOutside(full, file.base);
  }
  const text = await readText(full);
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

async function refuseOutside(full: string, base: string): Promise<void> {
  const [real, realBase] = await Promise.all([realPath(full), realPath(base)]);
  const inside = path.relative(realBase, real);
  if (inside === '..' || inside.startsWith(`..${path.sep}`) || path.isAbsolute(inside)) {
    throw refusal(full, `lies outside of ${base}: write its whole path`);
  }
}

async function realPath(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    throw unreadable(file, error);
  }
}

async function readText(full: string): Promise<string> {
  let handle;
  try {
    // A FIFO would otherwise hold the start until somebody writes into it.
    handle = await open(full, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    throw unreadable(full, error);
  }
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) {
      throw refusal(full, stat.isDirectory() ? 'is a directory' : 'is no regular file');
    }
    // One byte more than allowed, because the file may grow meanwhile.
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_BYTES + 1), 0, MAX_BYTES + 1, 0);
    if (bytesRead > MAX_BYTES) {
      throw refusal(full, 'is larger than 1 MB');
    }
    return buffer.toString('utf8', 0, bytesRead).replace(/^\uFEFF/, '');
  } finally {
    await handle.close();
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
