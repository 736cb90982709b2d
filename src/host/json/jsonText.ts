import { BACKSLASH, isContinued, QUOTE, STEP } from './jsonBytes.ts';

/** Bytes of a string that are read at once, in C++: twice as many as of anything else. */
const TEXT_STEP = 2 * STEP;
/** Bytes from which on Node searches faster than a loop. */
const MIN_SEARCH = 100;
// oxlint-disable-next-line no-control-regex -- JSON has none of them in its strings.
const CONTROL = /[\0-\x1f]/;

/** A JSON string, and the position after it. */
export interface JsonString {
  readonly text: string;
  readonly end: number;
}

/**
 * Reads the string whose opening quote is at `start`, a long one in several steps.
 *
 * @throws SyntaxError if it isn't valid.
 */
export function* readJsonString(bytes: Buffer, start: number): Generator<number, JsonString> {
  const pieces: string[] = [];
  let from = start + 1;
  let at = from;
  let quote = -1;
  let hasEscapes = false;
  for (;;) {
    if (quote < at) {
      quote = bytes.indexOf(QUOTE, at);
      if (quote === -1) {
        throw new SyntaxError('A string without an end');
      }
    }
    const limit = Math.max(at, Math.min(quote, from + TEXT_STEP));
    const escape = escapeIn(bytes, at, limit);
    if (escape !== -1) {
      hasEscapes = true;
      // A piece never ends within `\uXXXX`.
      at = escape + (bytes[escape + 1] === 0x75 ? 6 : 2);
      continue;
    }
    at = limit;
    if (at === quote) {
      const last = pieceOf(bytes, from, at, hasEscapes);
      return { text: pieces.length === 0 ? last : [...pieces, last].join(''), end: at + 1 };
    }
    while (isContinued(bytes[at])) {
      at += 1;
    }
    pieces.push(pieceOf(bytes, from, at, hasEscapes));
    yield at - from;
    from = at;
    hasEscapes = false;
  }
}

/** The position of the next backslash before `to`, or -1. */
function escapeIn(bytes: Buffer, from: number, to: number): number {
  if (to - from > MIN_SEARCH) {
    const found = bytes.subarray(from, to).indexOf(BACKSLASH);
    return found === -1 ? -1 : from + found;
  }
  for (let at = from; at < to; at += 1) {
    if (bytes[at] === BACKSLASH) {
      return at;
    }
  }
  return -1;
}

function pieceOf(bytes: Buffer, from: number, to: number, hasEscapes: boolean): string {
  const piece = bytes.toString('utf8', from, to);
  if (hasEscapes) {
    return JSON.parse(`"${piece}"`) as string;
  }
  if (CONTROL.test(piece)) {
    throw new SyntaxError('A control character within a string');
  }
  return piece;
}
