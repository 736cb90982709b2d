import path from 'node:path';
import { URI } from 'vscode-uri';
import { isDeviceName } from '../../base/files/deviceName.ts';

/** How a system writes its paths. */
export type PathStyle = 'posix' | 'windows';

/** How this system writes them. */
export const ownStyle: PathStyle = process.platform === 'win32' ? 'windows' : 'posix';

/** A folder on a disk: its canonical URI and its path; or, in a sentence, why it can be no root. */
export type RootPlace =
  | { readonly kind: 'place'; readonly uri: string; readonly path: string }
  | { readonly kind: 'refused'; readonly message: string };

/**
 * The one form of a folder's address (2025-11-25, client/roots: clients MUST validate root URIs to prevent
 * path traversal): decoded once and encoded again by the editor's own rules, without slashes at the end,
 * the drive in lower case. An address that another program could read otherwise is refused.
 */
export function placeOfUri(text: string, style: PathStyle = ownStyle): RootPlace {
  let uri: URI;
  try {
    uri = URI.parse(text, true);
  } catch {
    return refused('Its address is not a valid URI.');
  }
  if (uri.scheme.toLowerCase() !== 'file') {
    return refused('It is on no disk of this machine.');
  }
  if (uri.query !== '' || uri.fragment !== '') {
    return refused('Its address has a query or a fragment, which no folder has.');
  }
  return style === 'windows' ? windowsPlace(uri.authority, uri.path) : posixPlace(uri.authority, uri.path);
}

/** The same for an absolute path, as the system writes it: nothing in it is decoded. */
export function placeOfPath(text: string, style: PathStyle = ownStyle): RootPlace {
  if (text.startsWith('~')) {
    return refused('"~" stands for no folder here: write the whole path.');
  }
  if (style === 'posix') {
    return text.startsWith('/') ? posixPlace('', text) : refused('Its path is not absolute.');
  }
  const slashed = text.replaceAll('\\', '/');
  const share = /^\/\/([^/]*)(.*)$/s.exec(slashed);
  if (share) {
    return windowsPlace(share[1] ?? '', share[2] ?? '');
  }
  return /^[a-z]:\//i.test(slashed)
    ? windowsPlace('', `/${slashed}`)
    : refused('Its path is not absolute: it begins with no drive.');
}

/** True when one absolute path lies below the other; `/app-secret` does not lie below `/app`. */
export function isInside(inner: string, outer: string, style: PathStyle = ownStyle): boolean {
  const of = style === 'windows' ? path.win32 : path.posix;
  const below = of.relative(outer, inner);
  return below !== '' && below !== '..' && !below.startsWith(`..${of.sep}`) && !of.isAbsolute(below);
}

/** True when two absolute paths are the same one, on Windows in upper or lower case. */
export function isSamePath(one: string, other: string, style: PathStyle = ownStyle): boolean {
  return (style === 'windows' ? path.win32 : path.posix).relative(one, other) === '';
}

function posixPlace(authority: string, decoded: string): RootPlace {
  if (authority !== '') {
    return refused(`It is on another machine ("${authority}"), not on a disk of this one.`);
  }
  // As a URI it would be the drive of another system, whose letter has no case.
  if (/^\/[a-z]:/i.test(decoded)) {
    return refused('Its path begins as a drive of Windows does, and could be taken for one.');
  }
  return place('', decoded, (canonical) => canonical);
}

function windowsPlace(authority: string, decoded: string): RootPlace {
  if (decoded.includes('\\')) {
    return refused('Its address has a backslash, which would divide it.');
  }
  if (authority !== '') {
    if (!/^[\p{L}\p{N}_-][\p{L}\p{N}._$-]*$/u.test(authority)) {
      return refused(`"${authority}" is the name of no machine.`);
    }
    if (/^\/*$/.test(decoded)) {
      return refused('Its path names a machine, but no share of it.');
    }
    const host = authority.toLowerCase();
    return windowsNames(decoded) ?? place(host, decoded, (one) => `\\\\${host}${one.replaceAll('/', '\\')}`);
  }
  const drive = /^\/([a-z]):(\/.*)?$/is.exec(decoded);
  if (!drive) {
    return refused('Its path begins with no drive.');
  }
  const below = drive[2] ?? '/';
  return (
    windowsNames(below) ??
    place('', `/${(drive[1] ?? '').toLowerCase()}:${below}`, (one) => one.slice(1).replaceAll('/', '\\'))
  );
}

/** What Windows would read otherwise than it is written. */
function windowsNames(below: string): RootPlace | undefined {
  for (const name of below.split('/')) {
    if (name !== '.' && name !== '..' && (/[<>:"|?*]|[. ]$/.test(name) || isDeviceName(name))) {
      return refused(`"${name}" is the name of no folder on Windows.`);
    }
  }
  return undefined;
}

function place(authority: string, decoded: string, pathOf: (canonical: string) => string): RootPlace {
  if (decoded.includes('\0')) {
    return refused('Its path has a NUL character, at which other programs would cut it.');
  }
  const names = decoded.split('/').filter((name) => name !== '');
  if (names.some((name) => name === '.' || name === '..')) {
    return refused('Its path contains "." or "..". Use the path that it leads to.');
  }
  const joined = `/${names.join('/')}`;
  // The slash distinguishes a drive from its first folder.
  const canonical = /^\/[a-z]:$/.test(joined) ? `${joined}/` : joined;
  try {
    const uri = URI.from({ scheme: 'file', authority, path: canonical }).toString();
    const again = URI.parse(uri, true);
    return again.path === canonical && again.authority === authority
      ? { kind: 'place', uri, path: pathOf(canonical) }
      : refused('Its path has no address that leads back to it.');
  } catch {
    return refused('Its path has half of a character, which no address can hold.');
  }
}

function refused(message: string): RootPlace {
  return { kind: 'refused', message };
}
