import { portableFileName } from '../../base/files/deviceName.ts';
import { endingFor } from './mimeNames.ts';
import { withoutEnd } from '../../base/text/withoutEnd.ts';

/** Characters of a name; most file systems take 255 bytes. */
const MAX_LENGTH = 80;

/** The ending of a file type, such as `.md`, unlike the end of `v1.2`. */
const ENDING = /\.(?=[A-Za-z0-9]*[A-Za-z])[A-Za-z0-9]{1,10}$/;

/** The editor would run the outputs of a notebook, and offer to open a workspace: they are shown as text instead. */
const MORE_THAN_TEXT = /\.(?:ipynb|code-workspace)$/i;

/**
 * A file name for a resource: one path segment of letters, digits and `._-`, never with a space. It ends as
 * the URI does or, if that has no ending, by the MIME type.
 */
export function resourceFileName(uri: string, mimeType?: string): string {
  const { name, mayHaveEnding } = lastPartOf(uri);
  const safe = withoutEnd(name.replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '_'), '.').replace(/^\.+(?=\.)/, '');
  const [own] = (mayHaveEnding && ENDING.exec(safe)) || [];
  const typed = own === undefined ? endingFor(mimeType) : undefined;
  const ending = `${own ?? ''}${typed === undefined ? '' : `.${typed}`}`;
  const base = cut(own === undefined ? safe : safe.slice(0, -own.length), MAX_LENGTH - ending.length);
  const isEmpty = own === undefined && !/[\p{L}\p{N}]/u.test(base);
  const whole = portableFileName(`${isEmpty ? 'resource' : base}${ending}`);
  return MORE_THAN_TEXT.test(whole) ? `${whole}.json` : whole;
}

/** True for a name that is best left unchanged: with an ending, or when the MIME type has none either. */
export function isFileName(name: string, mimeType?: string): boolean {
  return !MORE_THAN_TEXT.test(name) && (ENDING.test(name) || endingFor(mimeType) === undefined);
}

/** The last part of a URI that is not empty; the end of an authority alone (`.com`) is not an ending. */
function lastPartOf(uri: string): { readonly name: string; readonly mayHaveEnding: boolean } {
  const [, beforeQuery = ''] = /^([^?#]*)/s.exec(uri) ?? [];
  const [, authority, path] = /^[A-Za-z][A-Za-z0-9+.-]*:(?:\/\/([^/]*))?(.*)$/s.exec(beforeQuery) ?? [];
  const name = (path ?? beforeQuery).split('/').findLast(Boolean);
  return name === undefined
    ? { name: decoded(authority ?? ''), mayHaveEnding: false }
    : { name: decoded(name), mayHaveEnding: true };
}

function decoded(part: string): string {
  // The end of a very long part is all that could be shown.
  const end = part.length > 10 * MAX_LENGTH ? part.slice(-MAX_LENGTH) : part;
  try {
    return decodeURIComponent(end);
  } catch {
    return end;
  }
}

/** Cuts between characters: half of one can't be part of a URI. */
function cut(text: string, length: number): string {
  const end = text.slice(0, length);
  return end.isWellFormed() ? end : end.slice(0, -1);
}
