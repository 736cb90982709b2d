import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { findProgram } from '../processes/findProgram.ts';

/** A folder in which an installer keeps programs. */
export interface KnownFolder {
  readonly installer: string;
  readonly folder: string;
}

export interface KnownPlaces {
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
  readonly platform?: NodeJS.Platform;
}

/** Where an installer keeps a command that is not on PATH; of several versions, the newest one comes first. */
export async function foundInKnownFolders(
  command: string,
  { env, home, platform = process.platform }: KnownPlaces,
): Promise<readonly (KnownFolder & { readonly file: string })[]> {
  const found: (KnownFolder & { readonly file: string })[] = [];
  for (const known of placesIn(env, home)) {
    for (const folder of await expanded(known.folder)) {
      const program = await findProgram(command, { env: { PATH: folder }, cwd: folder }, platform);
      if (program?.isExecutable) {
        found.push({ installer: known.installer, folder, file: program.file });
      }
    }
  }
  return found;
}

/** The last part of a path, or one in between, may be `*`. */
function placesIn(env: NodeJS.ProcessEnv, home: string): readonly KnownFolder[] {
  const inHome = (...parts: string[]): string => path.join(home, ...parts);
  const at = (variable: string, ...parts: string[]): string => {
    const given = env[variable];
    return given !== undefined && path.isAbsolute(given) ? given : inHome(...parts);
  };
  const places: readonly (readonly [installer: string, folder: string])[] = [
    ['nvm', path.join(at('NVM_DIR', '.nvm'), 'versions', 'node', '*', 'bin')],
    ['nvm', at('NVM_SYMLINK', '.nvm', 'current')],
    ['fnm', path.join(at('FNM_DIR', '.local', 'share', 'fnm'), 'node-versions', '*', 'installation', 'bin')],
    ['fnm', inHome('Library', 'Application Support', 'fnm', 'node-versions', '*', 'installation', 'bin')],
    ['Volta', path.join(at('VOLTA_HOME', '.volta'), 'bin')],
    ['asdf', path.join(at('ASDF_DATA_DIR', '.asdf'), 'shims')],
    ['mise', path.join(at('MISE_DATA_DIR', '.local', 'share', 'mise'), 'shims')],
    ['Homebrew', '/opt/homebrew/bin'],
    ['Homebrew', '/usr/local/bin'],
    ['Homebrew', '/home/linuxbrew/.linuxbrew/bin'],
    ['Scoop', path.join(at('SCOOP', 'scoop'), 'shims')],
    ['uv or pipx', inHome('.local', 'bin')],
    ['Cargo', path.join(at('CARGO_HOME', '.cargo'), 'bin')],
    ['Bun', path.join(at('BUN_INSTALL', '.bun'), 'bin')],
    ['Deno', path.join(at('DENO_INSTALL', '.deno'), 'bin')],
  ];
  return places.map(([installer, folder]) => ({ installer, folder }));
}

async function expanded(folder: string): Promise<readonly string[]> {
  const [before = '', after] = folder.split('*');
  if (after === undefined) {
    return [folder];
  }
  const names = await readdir(before).catch(() => []);
  return names
    .toSorted((one, other) => other.localeCompare(one, 'en', { numeric: true }))
    .map((name) => path.join(before, name, after));
}
