import { opendir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { isJson, type Json } from './peer.ts';

/** How many folders, and entries of each, are listed; how many entries are counted. */
const MAX_FOLDERS = 20;
const MAX_LISTED = 20;
const MAX_COUNTED = 1_000;

/** A folder that is shared with this server, with the first of its entries. */
export interface SharedFolder {
  readonly name: string;
  readonly path: string;
  /** Names in alphabetical order: those of folders end with `/`, those of links with `@`. */
  readonly entries: readonly string[];
  /** How many more there are; `isMore` where there are too many to count. */
  readonly unlisted: number;
  readonly isMore: boolean;
  /** Why it could not be read. */
  readonly problem?: string;
}

/** The folders in an answer to `roots/list`, read one level deep. No link is followed. */
export async function sharedFolders({ roots }: Json): Promise<readonly SharedFolder[]> {
  const found: SharedFolder[] = [];
  for (const root of Array.isArray(roots) ? roots.slice(0, MAX_FOLDERS) : []) {
    const path = isJson(root) ? pathOf(root['uri']) : undefined;
    if (isJson(root) && path !== undefined) {
      const name = typeof root['name'] === 'string' ? root['name'] : path;
      found.push({ name: printable(name), path: printable(path), ...(await contentOf(path)) });
    }
  }
  return found;
}

/** In plain words, for the user. */
export function foldersText(folders: readonly SharedFolder[]): string {
  if (folders.length === 0) {
    return [
      'You share no folder with this server.',
      'To share one, open a folder and select it under "Roots" in the Servers view. Then run this tool again.',
    ].join('\n');
  }
  const count = folders.length === 1 ? 'one folder' : `${folders.length} folders`;
  const shown = folders.map((folder) =>
    [`${folder.name} (${folder.path})`, ...contentLines(folder)].join('\n'),
  );
  return [`You share ${count} with this server:`, ...shown].join('\n\n');
}

/** The names alone, for a language model. */
export function namesText(folders: readonly SharedFolder[]): string {
  return folders.flatMap((folder) => [`${folder.name}/`, ...contentLines(folder)]).join('\n');
}

function contentLines({ entries, unlisted, isMore, problem }: SharedFolder): readonly string[] {
  const more = unlisted === 0 ? [] : [`…and ${isMore ? 'more than ' : ''}${unlisted} more`];
  const lines = problem === undefined ? [...entries, ...more] : [`It cannot be read: ${problem}`];
  return (lines.length === 0 ? ['It is empty.'] : lines).map((line) => `  ${line}`);
}

async function contentOf(path: string): Promise<Omit<SharedFolder, 'name' | 'path'>> {
  const names: string[] = [];
  try {
    for await (const entry of await opendir(path)) {
      if (names.length > MAX_COUNTED) {
        break;
      }
      const mark = entry.isDirectory() ? '/' : entry.isSymbolicLink() ? '@' : '';
      names.push(`${printable(entry.name)}${mark}`);
    }
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { entries: [], unlisted: 0, isMore: false, problem: printable(problem) };
  }
  const isMore = names.length > MAX_COUNTED;
  const entries = names.sort((a, b) => a.localeCompare(b)).slice(0, MAX_LISTED);
  return { entries, unlisted: Math.min(names.length, MAX_COUNTED) - entries.length, isMore };
}

/** The path of a folder on this machine; undefined for anything else (client/roots: `file:` URIs). */
function pathOf(uri: unknown): string | undefined {
  try {
    return typeof uri === 'string' && uri.startsWith('file:') ? fileURLToPath(uri) : undefined;
  } catch {
    return undefined;
  }
}

/** A name can have any character but NUL and a separator: a line break in it would look like another name. */
function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD');
}
