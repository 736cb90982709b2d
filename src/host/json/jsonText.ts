import { BACKSLASH, isContinued, QUOTE, STEP } from './jsonBytes.ts';

/** A JSON string, and the position after it. */
export interface ReadText {
  readonly text: string;
  readonly end: number;
}

/**
 * Reads the string whose opening quote is at `start`, a long one in several steps.
 *
 * @throws SyntaxError if it isn't valid.
 */
export function* readText(bytes: Buffer, start: number): Generator<number, ReadText> {
  const pieces: string[] = [];
  let from = start + 1;
  let hasEscapes = false;
  for (let at = from; at < bytes.length;) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) {
      const last = pieceOf(bytes, from, at, hasEscapes);
      return { text: pieces.length === 0 ? last : pieces.join('') + last, end: at + 1 };
    }
    if (at - from >= STEP && !isContinued(byte)) {
      pieces.push(pieceOf(bytes, from, at, hasEscapes));
      yield at - from;
      from = at;
      hasEscapes = false;
    }
    if (byte === BACKSLASH) {
      hasEscapes = true;
      // A piece never ends within `\uXXXX`.
      at += bytes[at + 1] === 0x75 ? 6 : 2;
    } else if (byte < 0x20) {
      throw new SyntaxError('A control character within a string');
    } else {
      at += 1;
    }
  }
  throw new SyntaxError('A string without an end');
}

function pieceOf(bytes: Buffer, from: number, to: number, hasEscapes: boolean): string {
  const piece = bytes.toString('utf8', from, to);
  return hasEscapes ? (JSON.parse(`"${piece}"`) as string) : piece;
}
