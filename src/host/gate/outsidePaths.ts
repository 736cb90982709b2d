import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** A longer text is content, in which paths are usual; a command is shorter. */
const SCANNED_CHARACTERS = 4_000;

/**
 * The paths in a text that lead out of the folders, as written: those that begin at the root, the
 * home directory or a drive, `file:` URIs, and relative ones with `..`. In a text of many lines only the
 * whole text is checked. Links on the disk are not followed.
 */
export function outsidePaths(text: string, folders: readonly string[], home: string): readonly string[] {
  const whole = text.trim();
  if (whole === '' || whole.length > SCANNED_CHARACTERS || /[\r\n]/.test(whole)) {
    return [];
  }
  if (isPath(whole) && !/\s/.test(whole)) {
    return isOutside(whole, folders, home) ? [whole] : [];
  }
  const words =
    isPath(whole) && !/[;|&<>"'`]/.test(whole) && !/\s[-/~.]/.test(whole) ? [whole] : wordsIn(whole);
  return [...new Set(words.filter((word) => isPath(word) && isOutside(word, folders, home)))];
}

/** The words of a command, and the two sides of `a=b` and of `/a:/b`. */
function wordsIn(text: string): readonly string[] {
  return text
    .split(/[\s"'`;,|&()<>=]+/)
    .flatMap((word) => (/^[/~.]/.test(word) ? word.split(/:(?=[/~])/) : [word]))
    .filter((word) => word !== '');
}

function isPath(text: string): boolean {
  return (
    (/^(?:[/~]|\\\\|[a-z]:[\\/]|file:|\$HOME\b|\$\{HOME\}|%USERPROFILE%)/i.test(text) || hasParent(text)) &&
    !/^\/[/*](?:\s|$)/.test(text)
  );
}

function hasParent(text: string): boolean {
  return !/^[a-z][a-z0-9+.-]+:/i.test(text) && text.split(/[\\/]/).includes('..');
}

/** Also true for what can't be resolved. */
function isOutside(text: string, folders: readonly string[], home: string): boolean {
  const isWindows = [...folders, home].some((one) => /^(?:[a-z]:[\\/]|\\\\)/i.test(one));
  const of = isWindows ? path.win32 : path.posix;
  const isInside = (target: string): boolean =>
    folders.some((folder) => {
      const below = of.relative(folder, target);
      return below.split(/[\\/]/)[0] !== '..' && !of.isAbsolute(below);
    });
  if (!isWindows && /^(?:\\\\|[a-z]:[\\/])/i.test(text)) {
    return true;
  }
  if (/^file:/i.test(text)) {
    const target = pathOfUri(text, isWindows);
    return target === undefined || !isInside(target);
  }
  const named = text.replace(/^(?:~(?=[\\/]|$)|\$HOME\b|\$\{HOME\}|%USERPROFILE%)/i, () => home);
  if (named.startsWith('~')) {
    return true; // another user's home directory
  }
  return of.isAbsolute(named)
    ? !isInside(of.normalize(named))
    : // The server's working directory is not known.
      folders.length === 0 || folders.some((folder) => !isInside(of.resolve(folder, named)));
}

function pathOfUri(text: string, isWindows: boolean): string | undefined {
  try {
    return fileURLToPath(text, { windows: isWindows });
  } catch {
    return undefined;
  }
}
