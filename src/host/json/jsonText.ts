import { BACKSLASH, isContinued, QUOTE, STEP } from './jsonBytes.ts';

/** A text in JSON, and the byte after it. */
export interface ReadText {
  readonly text: string;
  readonly end: number;
}

/**
 * The text whose opening quote stands at `start`, in pieces, however long it is: neither the bytes nor the escapes
 * of a long one are gone through in one step.
 *
 * @throws SyntaxError where it is none.
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
      // Never cut within: `\uXXXX`.
      at += bytes[at + 1] === 0x75 ? 6 : 2;
    } else if (byte < 0x20) {
      throw new SyntaxError('A control character within a text');
    } else {
      at += 1;
    }
  }
  throw new SyntaxError('A text without an end');
}

function pieceOf(bytes: Buffer, from: number, to: number, hasEscapes: boolean): string {
  const piece = bytes.toString('utf8', from, to);
  return hasEscapes ? (JSON.parse(`"${piece}"`) as string) : piece;
}
